internal import CDRM
internal import Glibc

/// The owner of an open card node, which it closes when the last reference is gone.
///
/// The first opener of a card without a master becomes its master, so a handle may be master without a request.
final class CardHandle: Sendable {
    let path: String
    let fileDescriptor: CInt
    /// Whether the driver supports atomic commits.
    let isAtomic: Bool
    /// Whether another program opened the card and gives up master itself: a DRM lease, or an inherited descriptor.
    let isLent: Bool

    /// Opens the card, with universal planes and, if the driver has them, atomic commits and writeback connectors.
    convenience init(path: String) throws(KMSError) {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code = errno
            if code == EACCES || code == EPERM { throw .noPermission(card: path, group: Self.group(of: path)) }
            throw .failed("open", on: path, code: code)
        }
        self.init(path: path, descriptor: descriptor, isLent: false)
    }

    /// Duplicates a descriptor, which stays the caller's. For a lease, the kernel shows only the leased objects.
    /// - Throws: `notACard`, `notMaster`.
    convenience init(duplicating lent: CInt) throws(KMSError) {
        let descriptor = fcntl(lent, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw .notACard(fileDescriptor: lent) }
        guard let name = drmGetDeviceNameFromFd(descriptor), let version = drmGetVersion(descriptor) else {
            close(descriptor)
            throw .notACard(fileDescriptor: lent)
        }
        defer { free(name) }
        drmFreeVersion(version)
        let path = String(cString: name)
        self.init(path: path, descriptor: descriptor, isLent: true)
        guard isMaster else { throw .notMaster(card: path, fileDescriptor: lent) }
    }

    /// Opens the card of a choice, by the choice's descriptor if it has one.
    convenience init(of choice: DisplayChoice) throws(KMSError) {
        if let lent = choice.fileDescriptor {
            try self.init(duplicating: lent)
        } else {
            try self.init(path: choice.card)
        }
    }

    private init(path: String, descriptor: CInt, isLent: Bool) {
        self.path = path
        self.isLent = isLent
        fileDescriptor = descriptor
        drmSetClientCap(descriptor, UInt64(DRM_CLIENT_CAP_UNIVERSAL_PLANES), 1)
        isAtomic = drmSetClientCap(descriptor, UInt64(DRM_CLIENT_CAP_ATOMIC), 1) == 0
        if isAtomic { drmSetClientCap(descriptor, UInt64(DRM_CLIENT_CAP_WRITEBACK_CONNECTORS), 1) }
    }

    deinit {
        close(fileDescriptor)
    }

    /// Whether this handle may change the display.
    var isMaster: Bool { drmIsMaster(fileDescriptor) != 0 }

    /// The paths of all card nodes, in the order of their numbers.
    static func paths() -> [String] {
        Directory.entries(of: "/dev/dri")
            .compactMap { $0.hasPrefix("card") ? Int($0.dropFirst(4)) : nil }
            .sorted()
            .map { "/dev/dri/card\($0)" }
    }

    /// The name of the group that owns the node; "video" (Debian's rule for cards) if the group has no name.
    static func group(of path: String) -> String {
        var status = stat()
        guard stat(path, &status) == 0, let group = getgrgid(status.st_gid) else { return "video" }
        return String(cString: group.pointee.gr_name)
    }

    /// The driver's name, such as `vc4` or `vkms`.
    func driverName() -> String {
        guard let version = drmGetVersion(fileDescriptor) else { return "unknown" }
        defer { drmFreeVersion(version) }
        guard let name = version.pointee.name else { return "unknown" }
        return String(cString: name)
    }
}
