internal import Glibc

/// A name in a folder.
public struct FolderEntry: Hashable, Sendable {
    /// With the folder's path, in `FileAddress` notation.
    public var path: String
    /// Without the folder, in readable form.
    public var name: String

    /// The entries in the file system's order, without "." and "..". Blocks for as long as the card takes.
    /// - Parameter folder: in `FileAddress` notation.
    /// - Returns: `nil` if it cannot be read; see errno.
    public static func all(in folder: String) -> [FolderEntry]? {
        guard let stream = FileAddress.withPath(folder, { opendir($0) }) else { return nil }
        defer { closedir(stream) }
        var entries: [FolderEntry] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) {
                    UnsafeBufferPointer(start: $0, count: strlen($0)).map { UInt8(bitPattern: $0) }
                }
            }
            guard name != Array(".".utf8), name != Array("..".utf8) else { continue }
            let path = FileAddress.name(ofPath: name, besides: folder.hasSuffix("/") ? folder : "\(folder)/")
            entries.append(FolderEntry(path: path, name: FileText.ofName(name)))
        }
        return entries
    }
}
