internal import CDRM

/// A DRM format code: four characters, such as `XR24` or `NV12`. An open set, because drivers know more than this module.
public struct PixelFormat: RawRepresentable, Hashable, Sendable {
    /// The four characters as ASCII, the first in the lowest byte.
    public var rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// 32-bit RGB, the fourth byte unused: GStreamer's BGRx.
    public static let xrgb8888 = PixelFormat(rawValue: CDRM_FORMAT_XRGB8888)
    /// 32-bit RGB with alpha: GStreamer's BGRA.
    public static let argb8888 = PixelFormat(rawValue: CDRM_FORMAT_ARGB8888)
    /// 32-bit RGB, red first in memory, the fourth byte unused: GStreamer's RGBx.
    public static let xbgr8888 = PixelFormat(rawValue: CDRM_FORMAT_XBGR8888)
    /// 32-bit RGB with alpha, red first in memory: GStreamer's RGBA.
    public static let abgr8888 = PixelFormat(rawValue: CDRM_FORMAT_ABGR8888)
    /// 24-bit RGB: GStreamer's BGR.
    public static let rgb888 = PixelFormat(rawValue: CDRM_FORMAT_RGB888)
    /// 24-bit RGB, red first in memory: GStreamer's RGB.
    public static let bgr888 = PixelFormat(rawValue: CDRM_FORMAT_BGR888)
    /// 4:2:0 in three planes, Y Cb Cr: GStreamer's I420.
    public static let yuv420 = PixelFormat(rawValue: CDRM_FORMAT_YUV420)
    /// 4:2:0 in three planes, Y Cr Cb: GStreamer's YV12.
    public static let yvu420 = PixelFormat(rawValue: CDRM_FORMAT_YVU420)
    /// 4:2:0 in two planes, Y CbCr.
    public static let nv12 = PixelFormat(rawValue: CDRM_FORMAT_NV12)
    /// 4:2:0 in two planes, Y CrCb.
    public static let nv21 = PixelFormat(rawValue: CDRM_FORMAT_NV21)

    /// The arrangement of the format's bytes, if this module can allocate and read it.
    enum Layout {
        /// One plane with so many bytes per pixel.
        case packed(bytes: Int)
        /// Luma, then two planes of a quarter of its size.
        case threePlanes420
        /// Luma, then one plane of byte pairs at half its height.
        case twoPlanes420
    }

    var layout: Layout? {
        switch self {
        case .xrgb8888, .argb8888, .xbgr8888, .abgr8888: .packed(bytes: 4)
        case .rgb888, .bgr888: .packed(bytes: 3)
        case .yuv420, .yvu420: .threePlanes420
        case .nv12, .nv21: .twoPlanes420
        default: nil
        }
    }
}

extension PixelFormat: CustomStringConvertible {
    /// The four characters, trailing spaces removed.
    public var description: String {
        let characters = (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> ($0 * 8)) }
        let text = String(decoding: characters, as: UTF8.self)
        return String(text.prefix(text.reversed().drop { $0 == " " }.count))
    }
}

extension PixelFormat: Codable {
    /// - Throws: `DecodingError` if the text is not one to four ASCII characters.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let characters = Array(try container.decode(String.self).utf8)
        guard (1...4).contains(characters.count), characters.allSatisfy({ $0 < 0x80 }) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a DRM format is one to four ASCII characters")
        }
        rawValue = (0..<4).reduce(0) { code, position in
            let character = position < characters.count ? characters[position] : UInt8(ascii: " ")
            return code | UInt32(character) << (UInt32(position) * 8)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
