internal import Glibc

/// Reads the ELD of an HDMI output from the card's control device. `/proc` has it too, but does not say for which
/// output.
enum ELDControl {
    /// `nil` if the card has no such control, or access is denied.
    static func read(card: Int, device: Int) -> [UInt8]? {
        // The structure's layout on 64-bit machines.
        guard MemoryLayout<Int>.size == 8 else { return nil }
        let descriptor = open("/dev/snd/controlC\(card)", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var value = [UInt8](repeating: 0, count: Layout.size)
        return value.withUnsafeMutableBytes { value in
            value.storeBytes(of: Layout.pcmInterface, toByteOffset: Layout.interface, as: Int32.self)
            value.storeBytes(of: UInt32(device), toByteOffset: Layout.device, as: UInt32.self)
            for (place, byte) in "ELD".utf8.enumerated() { value[Layout.name + place] = byte }
            guard let address = value.baseAddress, ioctl(descriptor, Layout.readRequest, address) == 0 else {
                return nil
            }
            return Array(value[Layout.bytes..<Layout.bytes + Layout.longestELD])
        }
    }

    /// `struct snd_ctl_elem_value` of sound/asound.h, whose macros Swift does not import.
    private enum Layout {
        static let size = 1224
        static let interface = 4
        static let device = 8
        static let name = 16
        static let bytes = 72
        static let longestELD = 128
        /// SNDRV_CTL_ELEM_IFACE_PCM
        static let pcmInterface: Int32 = 3
        /// SNDRV_CTL_IOCTL_ELEM_READ
        static let readRequest: UInt = 0xC4C8_5512
    }
}
