internal import CDRM
internal import Glibc

/// Memory of the card that the CPU fills and a plane can show. It owns the GEM handle, the framebuffer and the mapping.
///
/// Not safe to use from two threads at a time. It keeps the card open for its lifetime; when it is released, the kernel
/// switches off a plane that still shows it.
public final class DumbBuffer {
    /// Pixels.
    public let width: Int
    /// Lines.
    public let height: Int
    public let format: PixelFormat
    /// The framebuffer's id, which planes take.
    public let framebufferID: UInt32
    /// Offset and line length of each plane of the format, in bytes.
    public let components: [(offset: Int, pitch: Int)]
    /// The buffer's memory, readable and writable, initially zero. Valid as long as the buffer.
    public let bytes: UnsafeMutableRawBufferPointer

    private let card: CardHandle
    private let handle: UInt32

    /// - Parameters:
    ///   - display: the display whose card provides the memory.
    ///   - width: pixels, at least 1.
    ///   - height: lines, at least 1.
    ///   - format: one of the formats that `PixelFormat` names.
    /// - Throws: `unsupported` for any other format, `systemCall` if the card has no memory left or refuses the size.
    public convenience init(
        on display: Display, width: Int, height: Int, format: PixelFormat
    ) throws(KMSError) {
        try self.init(on: display.card, width: width, height: height, format: format)
    }

    init(on card: CardHandle, width: Int, height: Int, format: PixelFormat) throws(KMSError) {
        guard let layout = format.layout else {
            throw .unsupported("a dumb buffer cannot have the format \(format)")
        }
        guard (1...16384).contains(width), (1...16384).contains(height) else {
            throw .unsupported("a dumb buffer cannot be \(width)x\(height)")
        }
        let object = "\(card.path), \(width)x\(height) \(format)"
        // Chroma lines are half as long: an even width makes them whole.
        let evenWidth = (width + 1) & ~1
        let chromaHeight = (height + 1) / 2
        var handle: UInt32 = 0
        var linePitch: UInt32 = 0
        var size: UInt64 = 0
        let packed: Int? = if case .packed(let bytes) = layout { bytes } else { nil }
        guard
            drmModeCreateDumbBuffer(
                card.fileDescriptor, UInt32(packed != nil ? width : evenWidth),
                UInt32(packed != nil ? height : height + chromaHeight), UInt32(8 * (packed ?? 1)), 0, &handle,
                &linePitch, &size)
                == 0
        else { throw .failed("drmModeCreateDumbBuffer", on: object) }

        let pitch = Int(linePitch)
        let luma = pitch * height
        let components: [(offset: Int, pitch: Int)] =
            switch layout {
            case .packed: [(0, pitch)]
            case .twoPlanes420: [(0, pitch), (luma, pitch)]
            case .threePlanes420: [(0, pitch), (luma, pitch / 2), (luma + pitch / 2 * chromaHeight, pitch / 2)]
            }
        var handles = [UInt32](repeating: 0, count: 4)
        var pitches = handles
        var offsets = handles
        for (index, component) in components.enumerated() {
            handles[index] = handle
            pitches[index] = UInt32(component.pitch)
            offsets[index] = UInt32(component.offset)
        }
        var framebuffer: UInt32 = 0
        guard
            drmModeAddFB2(
                card.fileDescriptor, UInt32(width), UInt32(height), format.rawValue, handles, pitches, offsets,
                &framebuffer, 0) == 0
        else {
            let code = errno
            drmModeDestroyDumbBuffer(card.fileDescriptor, handle)
            throw .failed("drmModeAddFB2", on: object, code: code)
        }
        do throws(KMSError) {
            bytes = try Self.map(handle: handle, size: Int(size), on: card)
        } catch {
            drmModeRmFB(card.fileDescriptor, framebuffer)
            drmModeDestroyDumbBuffer(card.fileDescriptor, handle)
            throw error
        }
        self.card = card
        self.width = width
        self.height = height
        self.format = format
        self.components = components
        self.handle = handle
        framebufferID = framebuffer
    }

    deinit {
        munmap(bytes.baseAddress, bytes.count)
        drmModeRmFB(card.fileDescriptor, framebufferID)
        drmModeDestroyDumbBuffer(card.fileDescriptor, handle)
    }

    /// The buffer as a DMA-BUF, for other devices and for GStreamer. The caller closes the file descriptor.
    public func exportDMABuf() throws(KMSError) -> Int32 {
        var descriptor: CInt = -1
        guard drmPrimeHandleToFD(card.fileDescriptor, handle, UInt32(O_CLOEXEC | O_RDWR), &descriptor) == 0 else {
            throw .failed("drmPrimeHandleToFD", on: card.path)
        }
        return descriptor
    }

    /// Maps memory of the card through its GEM handle. The caller unmaps it.
    static func map(
        handle: UInt32, size: Int, on card: CardHandle, protection: CInt = PROT_READ | PROT_WRITE
    ) throws(KMSError) -> UnsafeMutableRawBufferPointer {
        var offset: UInt64 = 0
        guard drmModeMapDumbBuffer(card.fileDescriptor, handle, &offset) == 0 else {
            throw .failed("drmModeMapDumbBuffer", on: card.path)
        }
        let address = mmap(nil, size, protection, MAP_SHARED, card.fileDescriptor, off_t(offset))
        guard let address, address != MAP_FAILED else { throw .failed("mmap", on: card.path) }
        return UnsafeMutableRawBufferPointer(start: address, count: size)
    }
}
