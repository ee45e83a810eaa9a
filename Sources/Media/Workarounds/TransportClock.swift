// Bug: `tsdemux` computes a file's length from its first and last clock, even if recordings with clocks of their own
// were concatenated: a seek ends the film, or makes it wait for as long as the clock jumped. Not reported.
// Versions: GStreamer 1.22 and 1.26.
// May go when test_recordings_with_clocks_of_their_own of Tests/Rig/test_near_end.py passes without it.

internal import Glibc
internal import PlayerCore

/// Reads the clock of an MPEG transport stream (ISO 13818-1, PCR), which restarts where recordings were concatenated.
/// GStreamer's demuxer plays across such a place, and counts on: such a film is played, but seeking is disabled.
struct TransportClock {
    /// Whether the clock has gone back, or ahead by more than `gap`.
    private(set) var isBroken = false
    /// The distance between packets' starts: as sent, with a camcorder's times before each, or with check bytes behind.
    let size: Int
    /// The largest jump that a brief loss of reception explains, in 90 kHz.
    var gap: UInt64 = 5 * 90_000
    /// The streams that have a clock.
    private var streams: [UInt16: Stream] = [:]

    private struct Stream {
        var last: UInt64
        /// A clock that jumped: damaged, or the first after a break.
        var candidate: UInt64?
    }

    /// - Parameter head: the file's start, at least three packets. Another container gives `nil`.
    init?(head: UnsafeRawBufferPointer) {
        let sizes = [188, 192, 204]
        guard let size = sizes.first(where: { size in (0..<size).contains { Self.begins(head, $0, size) } }) else {
            return nil
        }
        self.size = size
    }

    /// Whether packets start at this byte.
    private static func begins(_ bytes: UnsafeRawBufferPointer, _ place: Int, _ size: Int) -> Bool {
        (0..<3).allSatisfy { place + $0 * size < bytes.count && bytes[place + $0 * size] == sync }
    }

    private static let sync: UInt8 = 0x47

    /// Reads whole packets, from the start of the first one.
    mutating func read(_ bytes: UnsafeRawBufferPointer) {
        guard var place = (0..<size).first(where: { Self.begins(bytes, $0, size) }) else { return }
        while place + 188 <= bytes.count, bytes[place] == Self.sync {
            readPacket(UnsafeRawBufferPointer(rebasing: bytes[place..<place + 188]))
            place += size
        }
    }

    private mutating func readPacket(_ packet: UnsafeRawBufferPointer) {
        // An adaptation field that is long enough, and has a clock.
        guard packet[3] & 0x20 != 0, packet[4] >= 7, packet[5] & 0x10 != 0 else { return }
        let name = UInt16(packet[1] & 0x1F) << 8 | UInt16(packet[2])
        let clock = packet[6...9].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } << 1 | UInt64(packet[10] >> 7)
        guard var stream = streams[name] else {
            streams[name] = Stream(last: clock)
            return
        }
        if follows(clock, stream.last) {
            stream = Stream(last: clock)
        } else if let candidate = stream.candidate, follows(clock, candidate) {
            isBroken = true
        } else {
            stream.candidate = clock
        }
        streams[name] = stream
    }

    /// Whether a clock follows another one; it has 33 bits.
    private func follows(_ clock: UInt64, _ last: UInt64) -> Bool { (clock &- last) & (1 << 33 - 1) <= gap }
}

extension TransportClock {
    /// Reads a file until its clock is broken; of more than 64 MB a sixteenth, evenly. Blocks.
    static func isBroken(in path: String, until isCancelled: () -> Bool) -> Bool {
        guard let file = fopen(path, "re") else { return false }
        defer { fclose(file) }
        fseek(file, 0, SEEK_END)
        let isLong = ftell(file) > 64 << 20
        rewind(file)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        var clock: TransportClock?
        while !isCancelled() {
            let start = ftell(file)
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<fread(buffer.baseAddress!, 1, buffer.count, file)])
            guard var current = clock ?? TransportClock(head: bytes) else { return false }
            // The skipped parts may last for hours: between them, only a clock that goes back is a sign.
            if isLong { current.gap = 1 << 32 }
            current.read(bytes)
            if current.isBroken || bytes.count < buffer.count { return current.isBroken }
            clock = current
            let packets = bytes.count / current.size * (isLong ? 16 : 1)
            fseek(file, start + packets * current.size, SEEK_SET)
        }
        return false
    }
}
