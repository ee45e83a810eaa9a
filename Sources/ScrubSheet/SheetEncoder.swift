internal import CTurboJPEG
internal import PlayerCore

/// Encodes a sheet's pictures: 0.5 ms for 640x360 on a PC.
///
/// For one thread at a time.
public final class SheetEncoder {
    /// 75 of 100: 16 to 18 KB for 640x360 of a film. Decoding time depends on bytes more than on pixels.
    public static let quality: Int32 = 75

    private let handle: tjhandle

    public init() throws(SheetError) {
        guard let handle = tjInitCompress() else {
            throw SheetError(path: "", reason: .jpeg(String(cString: tjGetErrorStr2(nil))))
        }
        self.handle = handle
    }

    deinit { tjDestroy(handle) }

    /// Encodes a frame's planes without colour conversion.
    /// - Returns: libjpeg-turbo's JPEG, without the stamp.
    func encode(_ planes: SheetPlanes) throws(SheetError) -> JPEG {
        var starts: [UnsafePointer<UInt8>?] = [planes.y, planes.cb, planes.cr].map { UnsafePointer($0.start) }
        let strides = [planes.y, planes.cb, planes.cr].map { Int32($0.stride) }
        var (bytes, length): (UnsafeMutablePointer<UInt8>?, UInt) = (nil, 0)
        let status = tjCompressFromYUVPlanes(
            handle, &starts, Int32(planes.size.width), strides, Int32(planes.size.height), Int32(TJSAMP_420.rawValue),
            &bytes, &length, Self.quality, 0)
        guard status == 0, let bytes else {
            tjFree(bytes)
            throw SheetError(path: "", reason: .jpeg(String(cString: tjGetErrorStr2(handle))))
        }
        return JPEG(start: bytes, count: Int(length))
    }

    /// Owns libjpeg-turbo's memory.
    struct JPEG: ~Copyable {
        let start: UnsafeMutablePointer<UInt8>
        let count: Int

        var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

        deinit { tjFree(start) }
    }
}
