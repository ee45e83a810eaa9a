internal import CDRM
internal import Glibc

/// A set of property changes that the kernel accepts or refuses as a whole.
struct AtomicRequest: ~Copyable {
    private let request: drmModeAtomicReqPtr

    init() throws(KMSError) {
        guard let request = drmModeAtomicAlloc() else {
            throw .failed("drmModeAtomicAlloc", on: "memory", code: ENOMEM)
        }
        self.request = request
    }

    deinit {
        drmModeAtomicFree(request)
    }

    /// Adds a change. Throws for a property that the object does not have, before the commit could fail.
    func set(_ name: String, of object: ObjectProperties, to value: UInt64) throws(KMSError) {
        guard let property = object[name] else {
            throw .failed("set \(name)", on: "object \(object.objectID)", code: ENOENT)
        }
        let result = drmModeAtomicAddProperty(request, object.objectID, property.id, value)
        if result < 0 { throw .failed("set \(name)", on: "object \(object.objectID)", code: -result) }
    }

    /// Asks the driver by a TEST_ONLY commit whether it accepts the changes. Needs master.
    func isAccepted(by card: CardHandle, allowingModeset: Bool) -> Bool {
        let flags = DRM_MODE_ATOMIC_TEST_ONLY | (allowingModeset ? DRM_MODE_ATOMIC_ALLOW_MODESET : 0)
        return drmModeAtomicCommit(card.fileDescriptor, request, UInt32(flags), nil) == 0
    }

    /// Commits the changes; returns when the display has applied them, up to some frames later.
    func commit(to card: CardHandle, allowingModeset: Bool) throws(KMSError) {
        let flags = allowingModeset ? DRM_MODE_ATOMIC_ALLOW_MODESET : 0
        if drmModeAtomicCommit(card.fileDescriptor, request, UInt32(flags), nil) != 0 {
            throw .failed("atomic commit", on: card.path)
        }
    }
}
