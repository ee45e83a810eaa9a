internal import Glibc
internal import TextFiles

/// Identifies the film of a scrub sheet by the film's bytes, not by its name: a film that is replaced has another
/// sheet.
public struct FilmIdentity: Hashable, Sendable {
    /// The size in bytes.
    public var size: UInt64
    /// The hash of the first and the last 64 KB (FNV-1a, 64 bits): enough to distinguish the films on a card, but not
    /// to detect forgeries.
    public var hash: UInt64
    /// When the film was changed, in seconds since 1970. A copy on another disk may differ in it, so it is ignored for
    /// a sheet beside the film, and compared for one in the cache.
    public var modified: Int64

    public init(size: UInt64, hash: UInt64, modified: Int64) {
        self.size = size
        self.hash = hash
        self.modified = modified
    }

    static let part = 64 << 10

    /// Reads 128 KB of the film. Blocks for as long as the disk takes; any thread.
    /// - Parameter film: as `FileAddress` names files.
    public static func of(_ film: String) throws(SheetError) -> FilmIdentity {
        let file = try SheetFile(film, O_RDONLY)
        return try of(file)
    }

    static func of(_ file: borrowing SheetFile) throws(SheetError) -> FilmIdentity {
        let status = try file.status()
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
            throw SheetError(path: file.path, reason: .damaged("no file with bytes"))
        }
        let size = Int64(status.st_size)
        var (hash, bytes) = (UInt64(0xCBF2_9CE4_8422_2325), [UInt8](repeating: 0, count: part))
        // A film of less than 128 KB is partly read twice, which distinguishes as well.
        for offset in [0, max(size - Int64(part), 0)] {
            let count = try file.read(&bytes, at: offset)
            for byte in bytes[..<count] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        return FilmIdentity(size: UInt64(size), hash: hash, modified: Int64(status.st_mtim.tv_sec))
    }

    /// The name of this film's sheet in the cache: 32 hexadecimal digits.
    var name: String {
        var key = hash
        for value in [UInt64(bitPattern: modified), size] { key = (key ^ value) &* 0x9E37_79B9_7F4A_7C15 ^ key >> 29 }
        return Self.hexadecimal(hash) + Self.hexadecimal(key)
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Whether a sheet of `other` belongs to this film, wherever the sheet is.
    func hasBytes(of other: FilmIdentity) -> Bool { size == other.size && hash == other.hash }
}
