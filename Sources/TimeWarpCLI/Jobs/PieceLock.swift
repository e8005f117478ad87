import Foundation
import Media
import Synchronization
import TimeWarp

/// Tells other workers that somebody renders a piece.
///
/// It saves work and nothing else: two workers on one piece write the same file. A lock is renewed while the work goes
/// on, and counts until it is older than a limit, so that a killed worker's piece becomes free. Its age is measured
/// against a file that is made now in the same folder, by the file system's clock, not by those of the machines.
final class PieceLock: Sendable {
    /// What a lock's file says.
    struct Holder: Codable, Sendable {
        let worker: String
        /// From 0 to 1.
        let done: Double

        init(worker: String, done: Double) {
            (self.worker, self.done) = (worker, done)
        }

        /// Anybody who can write to the folder can write a lock, and what it says is printed.
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let name = try container.decode(String.self, forKey: .worker)
            let printable = name.unicodeScalars.filter { (0x21...0x7E).contains($0.value) }
            worker = String(String.UnicodeScalarView(printable.prefix(100)))
            done = min(max(try container.decode(Double.self, forKey: .done), 0), 1)
        }
    }
    /// How often a lock is renewed, in seconds.
    static let renewalSeconds = 2.0
    /// After how many seconds without renewal a lock counts for nothing, unless something else is said.
    static let usualAge = 60.0
    /// The end of the name of a lock that is being removed.
    static let asideEnding = ".lock-aside"

    let path: String
    private let worker: String
    /// Locked while the file is written or removed, so that it isn't written again after that.
    private let isRemoved = Mutex(false)

    private init(_ path: String) {
        self.path = path
        worker = "\(HostName.own):\(getpid())"
    }

    /// Takes a lock if nobody has it.
    ///
    /// - Parameter age: the age, in seconds, from which a lock counts for nothing.
    /// - Returns: nil if somebody has it.
    static func taken(_ path: String, age: Double) throws -> PieceLock? {
        if try isHeld(path, age: age) {
            return nil
        }
        // Of several workers, one renames it.
        let aside = "\(path)-\(UInt32.random(in: 0 ... .max))\(asideEnding)"
        if rename(path, aside) == 0 {
            unlink(aside)
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            guard errno == EEXIST else {
                throw MediaError(
                    .cannotCreate, file: path,
                    reason: "the lock can't be made: " + String(cString: strerror(errno)))
            }
            return nil
        }
        close(descriptor)
        let lock = PieceLock(path)
        lock.renew(done: 0)
        return lock
    }

    /// Takes a lock, whoever has it.
    static func takenOver(_ path: String) -> PieceLock {
        let lock = PieceLock(path)
        lock.renew(done: 0)
        return lock
    }

    /// Says that the work goes on. Failures are ignored: then others may begin the same work.
    ///
    /// - Parameter done: the share that is done, from 0 to 1.
    func renew(done: Double) {
        let text = try? JSONOutput.line(
            Holder(worker: worker, done: (done * 1000).rounded() / 1000))
        isRemoved.withLock { isRemoved in
            if !isRemoved {
                try? Data((text ?? "").utf8).write(to: URL(fileURLWithPath: path))
            }
        }
    }

    func remove() {
        isRemoved.withLock { isRemoved in
            isRemoved = true
            unlink(path)
        }
    }

    /// Who has a lock; nil if nobody has, or it is too old.
    static func holder(_ path: String, age: Double) throws -> Holder? {
        guard try isHeld(path, age: age) else {
            return nil
        }
        let data = (try? SmallFile.data(at: path, kind: "a lock", largest: 4096)) ?? Data()
        // The file may just be written.
        return (try? JSONDecoder().decode(Holder.self, from: data))
            ?? Holder(worker: "unknown", done: 0)
    }

    private static func isHeld(_ path: String, age: Double) throws -> Bool {
        guard let changed = time(of: path) else {
            return false
        }
        // A clock that jumped back leaves locks in the future: these count for nothing, too.
        return abs(try now(beside: path) - changed) < age
    }

    private static func time(of path: String) -> Double? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            return nil
        }
        let time = status.modificationTime
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// The time that the file system gives a file now, in seconds.
    private static func now(beside path: String) throws -> Double {
        let probe = "\(path)-\(UInt32.random(in: 0 ... .max))\(asideEnding)"
        let descriptor = open(probe, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            // A folder that can only be read, as for someone who looks at a job.
            return Date().timeIntervalSince1970
        }
        defer {
            close(descriptor)
            unlink(probe)
        }
        return time(of: probe) ?? Date().timeIntervalSince1970
    }
}
