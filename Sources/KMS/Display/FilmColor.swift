internal import CDRM
internal import Synchronization

/// The matrix with which a plane converts YCbCr to RGB.
public enum ColorEncoding: String, Codable, Sendable, CaseIterable {
    /// For films of up to 576 lines.
    case bt601 = "ITU-R BT.601 YCbCr"
    /// For high definition.
    case bt709 = "ITU-R BT.709 YCbCr"
    /// For ultra high definition.
    case bt2020 = "ITU-R BT.2020 YCbCr"

    /// The encoding of unmarked frames, by their lines: BT.709 began with 720 lines.
    public static func assumed(forHeight height: Int) -> ColorEncoding {
        height < 720 ? .bt601 : .bt709
    }
}

/// The luma values of black and white in a plane: 16 and 235, or 0 and 255.
public enum ColorRange: String, Codable, Sendable, CaseIterable {
    /// 16 and 235, as in nearly every film.
    case limited = "YCbCr limited range"
    /// 0 and 255, as in photographs.
    case full = "YCbCr full range"
}

/// A plane's `COLOR_ENCODING` and `COLOR_RANGE`, with the driver's numbers for their values and the current settings.
/// These are kept because setting a property waits for a frame even if nothing changes.
final class FilmColorProperties: Sendable {
    private struct Setting: Sendable {
        let name: String
        let id: UInt32
        let values: [String: UInt64]

        init?(_ name: String, of plane: ObjectProperties) {
            guard let property = plane[name], property.isMutable else { return nil }
            self.name = name
            id = property.id
            values = Dictionary(property.namedValues.map { ($0.name, $0.value) }) { first, _ in first }
        }

        func set(_ value: String, on plane: UInt32, card: CardHandle) throws(KMSError) {
            guard let number = values[value] else {
                throw .unsupported("plane \(plane) does not know \(value)")
            }
            if drmModeObjectSetProperty(card.fileDescriptor, plane, DRM_MODE_OBJECT_PLANE, id, number) != 0 {
                throw .failed("set \(name)", on: "plane \(plane) of \(card.path)")
            }
        }
    }

    private let plane: UInt32
    private let encoding: Setting?
    private let range: Setting?
    private let current = Mutex<(encoding: ColorEncoding?, range: ColorRange?)>((nil, nil))

    convenience init(of plane: UInt32, on card: CardHandle) {
        self.init(ObjectProperties(of: plane, type: DRM_MODE_OBJECT_PLANE, on: card))
    }

    /// - Parameter properties: a plane's.
    init(_ properties: ObjectProperties) {
        plane = properties.objectID
        encoding = Setting("COLOR_ENCODING", of: properties)
        range = Setting("COLOR_RANGE", of: properties)
    }

    /// Empty if the driver gives no choice.
    var encodings: [ColorEncoding] {
        ColorEncoding.allCases.filter { encoding?.values[$0.rawValue] != nil }
    }

    var hasRanges: Bool { ColorRange.allCases.allSatisfy { range?.values[$0.rawValue] != nil } }

    func set(_ encoding: ColorEncoding, _ range: ColorRange, on card: CardHandle) throws(KMSError) {
        let result = current.withLock { current -> Result<Void, KMSError> in
            do throws(KMSError) {
                if current.encoding != encoding { try self.encoding?.set(encoding.rawValue, on: plane, card: card) }
                current.encoding = encoding
                if current.range != range { try self.range?.set(range.rawValue, on: plane, card: card) }
                current.range = range
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }
}
