internal import CDRM
internal import Glibc

/// A mode as a property's value, which the kernel keeps for the lifetime of this object.
final class ModeBlob {
    let id: UInt32
    private let card: CardHandle

    init(_ mode: DisplayMode, connectorID: UInt32, on card: CardHandle) throws(KMSError) {
        var info = try mode.timings(connectorID: connectorID, on: card)
        var id: UInt32 = 0
        guard
            drmModeCreatePropertyBlob(card.fileDescriptor, &info, MemoryLayout<drmModeModeInfo>.size, &id) == 0
        else { throw .failed("drmModeCreatePropertyBlob", on: card.path) }
        self.id = id
        self.card = card
    }

    deinit {
        drmModeDestroyPropertyBlob(card.fileDescriptor, id)
    }
}

extension DisplayMode {
    /// The kernel's timings of this mode on a connector; of several the first.
    func timings(connectorID: UInt32, on card: CardHandle) throws(KMSError) -> drmModeModeInfo {
        // The kernel's last result is tried first: asking the display again takes some 100 ms.
        for read in [drmModeGetConnectorCurrent, drmModeGetConnector] {
            guard let connector = read(card.fileDescriptor, connectorID) else { continue }
            defer { drmModeFreeConnector(connector) }
            let modes = (0..<Int(connector.pointee.count_modes)).map { connector.pointee.modes[$0] }
            if let info = modes.first(where: { DisplayMode($0) == self }) { return info }
        }
        throw .failed("find mode \(self)", on: "connector \(connectorID) of \(card.path)", code: ENOENT)
    }
}
