import Foundation

/// A socket on the loopback interface that clients connect to.
enum ListeningSocket {
    /// - Parameter port: 0 takes a free one.
    /// - Returns: its descriptor, for whoever closes it, and its port.
    /// - Throws: ``PortTaken``, `POSIXError`.
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
        // Programs that this one starts must not hold the port.
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

/// Another program listens on the port.
public struct PortTaken: Error, Hashable, Sendable, CustomStringConvertible {
    public let port: Int

    public var description: String {
        "port \(port) is in use by another program; choose another, or none for a free one"
    }
}
