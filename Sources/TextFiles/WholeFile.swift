internal import Glibc

/// Reads whole files, up to a size: settings, lists, records.
public enum WholeFile {
    /// All bytes of a file, which may also be a link, or a device or a pipe with data. Blocks for as long as the card
    /// takes; any thread.
    /// - Parameter path: in `FileAddress` notation.
    /// - Parameter limit: in bytes; 1 MB is enough for hand-written files.
    public static func bytes(of path: String, atMost limit: Int = 1 << 20) throws(WholeFileError) -> [UInt8] {
        let descriptor = FileAddress.withPath(path) { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else { throw WholeFileError(path: path, reason: .cannotOpen(errno)) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 32 << 10)
        while true {
            let count = read(descriptor, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw WholeFileError(path: path, reason: .cannotRead(errno)) }
            if count == 0 { return bytes }
            bytes += part[..<count]
            guard bytes.count <= limit else { throw WholeFileError(path: path, reason: .isLarger(limit: limit)) }
        }
    }
}

/// Why a file was not read.
public struct WholeFileError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Reason: Hashable, Sendable {
        /// With errno.
        case cannotOpen(Int32)
        /// With errno.
        case cannotRead(Int32)
        /// The file is larger than the limit in bytes.
        case isLarger(limit: Int)
    }

    public var path: String
    public var reason: Reason

    /// A clause without the path.
    public var what: String {
        switch reason {
        case .cannotOpen(let code): "cannot be opened (\(text(ofErrno: code)))"
        case .cannotRead(let code): "cannot be read (\(text(ofErrno: code)))"
        case .isLarger(let limit): "is larger than \(limit >> 10) KB"
        }
    }

    public var description: String { "\(path) \(what)" }
}

/// "No such file or directory, 2"
public func text(ofErrno code: Int32) -> String {
    "\(String(cString: strerror(code))), \(code)"
}
