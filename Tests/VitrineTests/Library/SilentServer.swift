import Dispatch
import Glibc

/// A server on this machine that reads requests, and never answers.
final class SilentServer: Sendable {
    let port: UInt16
    private let descriptor: CInt
    private let queue = DispatchQueue(label: "silent-server", attributes: .concurrent)

    struct Failure: Error {
        var number: CInt
    }

    init() throws {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listens = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, size) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, address, &size) == 0
            }
        }
        guard listens else { throw Failure(number: errno) }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }

    /// The next incoming connection.
    func connection() async -> Connection {
        await withCheckedContinuation { done in
            queue.async { [self] in
                done.resume(returning: Connection(descriptor: accept(descriptor, nil, nil), queue: queue))
            }
        }
    }

    struct Connection: Sendable {
        fileprivate let descriptor: CInt
        fileprivate let queue: DispatchQueue

        /// Waits until the other side has closed it.
        func end() async {
            await withCheckedContinuation { done in
                queue.async {
                    var asked = [UInt8](repeating: 0, count: 4096)
                    while recv(descriptor, &asked, asked.count, 0) > 0 {}
                    close(descriptor)
                    done.resume()
                }
            }
        }
    }
}
