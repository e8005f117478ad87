import Foundation
import TestSupport

/// A client that sends what no browser would send, over a socket. Its calls block.
final class RawClient {
    private let socket: Int32

    /// - Parameter port: the server's port on this machine.
    init(port: Int) throws {
        #if os(Linux)
            socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            socket = Foundation.socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let size = socklen_t(MemoryLayout.size(ofValue: address))
        let code = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, size)
            }
        }
        guard code == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    deinit {
        close(socket)
    }

    /// - Returns: whether everything was sent; false once the server has closed the connection.
    @discardableResult
    func send(_ text: String) -> Bool {
        send(Array(text.utf8))
    }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(socket, $0.baseAddress, $0.count, noSignal)
            }
            guard count > 0 else {
                return false
            }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Everything that arrives until the server closes the connection.
    func receiveAll() -> String {
        var text: [UInt8] = []
        while let more = receive() {
            text += more
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Waits for some bytes; nil when the server has closed the connection.
    func receive() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(socket, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    /// Waits for the other side to close, but no longer than some time. What it sends meanwhile is dropped.
    ///
    /// - Returns: whether it has closed.
    func seesEnd(withinMilliseconds limit: Int32) -> Bool {
        var wanted = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&wanted, 1, limit) > 0 && receive() == nil
    }

    /// Says that nothing more comes.
    func finishSending() {
        shutdown(socket, Int32(SHUT_WR))
    }
}

#if os(Linux)
    private let noSignal = Int32(MSG_NOSIGNAL)
#else
    private let noSignal: Int32 = 0
#endif
