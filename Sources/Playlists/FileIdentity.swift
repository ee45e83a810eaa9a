internal import Glibc
internal import TextFiles

/// Identifies a folder or a file, independent of its path.
struct FileIdentity: Hashable {
    private let device: dev_t
    private let number: ino_t

    init(_ status: stat) { (device, number) = (status.st_dev, status.st_ino) }

    /// Blocks for as long as the disk takes. `nil` if nothing exists at the path.
    init?(path: String) {
        var status = stat()
        guard FileAddress.withPath(path, { stat($0, &status) }) == 0 else { return nil }
        self.init(status)
    }
}
