internal import Glibc
internal import TextFiles

/// What a folder or a file is, by whichever path it is reached.
struct FileIdentity: Hashable {
    private let device: dev_t
    private let number: ino_t

    init(_ status: stat) { (device, number) = (status.st_dev, status.st_ino) }

    /// Blocks for as long as the disk takes. `nil` where nothing is there.
    init?(path: String) {
        var status = stat()
        guard FileAddress.withPath(path, { stat($0, &status) }) == 0 else { return nil }
        self.init(status)
    }
}
