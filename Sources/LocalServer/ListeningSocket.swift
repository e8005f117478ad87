import Foundation

/// Opens listening TCP sockets on the loopback interface.
enum ListeningSocket {
    /// - Parameter port: from 0 to 65535; 0 picks a free port.
    /// - Returns: the socket's descriptor, which the caller must close, and its port.
    /// - Throws: ``PortTaken`` if the port is in use, otherwise `POSIXError`.
    static func open(port: Int) throws -> (descriptor: Int32, port: Int) {
        #if os(Linux)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else {
            throw POSIXError.last
        }
        do {
            return (descriptor, try listen(on: descriptor, port: port))
        } catch {
            close(descriptor)
            throw error
        }
    }

    private static func listen(on descriptor: Int32, port: Int) throws -> Int {
        // Child processes must not inherit the socket and keep the port in use.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var yes: Int32 = 1
        setsockopt(
            descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout.size(ofValue: yes)))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var size = socklen_t(MemoryLayout.size(ofValue: address))
        return try withUnsafeMutablePointer(to: &address) { address in
            try address.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
                guard bind(descriptor, plain, size) == 0, Foundation.listen(descriptor, 128) == 0
                else {
                    throw errno == EADDRINUSE ? PortTaken(port: port) : POSIXError.last
                }
                guard getsockname(descriptor, plain, &size) == 0 else {
                    throw POSIXError.last
                }
            }
            return Int(UInt16(bigEndian: address.pointee.sin_port))
        }
    }
}

/// The error for a port that another program already listens on.
public struct PortTaken: Error, Hashable, Sendable, CustomStringConvertible {
    /// The port that is in use.
    public let port: Int

    /// The problem and the remedy in one sentence.
    public var description: String {
        "port \(port) is in use by another program; choose another port, or none to get a free one"
    }
}
