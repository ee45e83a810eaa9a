import Testing

@testable import Media

@Suite("The clock of a transport stream (M9)")
struct TransportClockTests {
    /// A packet whose adaptation field has this clock, in 90 kHz.
    private func packet(_ clock: UInt64, size: Int = 188) -> [UInt8] {
        let clock = clock & (1 << 33 - 1)
        var bytes: [UInt8] = [0x47, 0x01, 0x00, 0x30, 7, 0x10]
        bytes += [25, 17, 9, 1].map { UInt8(truncatingIfNeeded: clock >> UInt64($0)) } + [UInt8(clock & 1) << 7, 0]
        bytes += [UInt8](repeating: 0xFF, count: 188 - bytes.count)
        return [UInt8](repeating: 0, count: size == 192 ? 4 : 0) + bytes
            + [UInt8](repeating: 1, count: size == 204 ? 16 : 0)
    }

    private func isBroken(_ clocks: [UInt64], size: Int = 188) -> Bool? {
        clocks.flatMap { packet($0, size: size) }.withUnsafeBytes { bytes in
            guard var clock = TransportClock(head: bytes) else { return nil }
            clock.read(bytes)
            return clock.isBroken
        }
    }

    /// Ten a second.
    private func part(from start: Int, count: Int = 20) -> [UInt64] {
        (0..<count).map { UInt64(bitPattern: Int64(start * 90_000 + $0 * 9_000)) }
    }

    @Test("one recording's clock goes on: also over its 33 bits' end, and after a moment without reception")
    func whole() {
        #expect(isBroken(part(from: 0)) == false)
        #expect(isBroken(part(from: -1)) == false)
        #expect(isBroken(part(from: 0) + part(from: 5)) == false)
    }

    @Test("recordings that were put together: the clock begins anew, or is far ahead", arguments: [188, 192, 204])
    func joined(size: Int) {
        #expect(isBroken(part(from: 0, count: 40) + part(from: 0), size: size) == true)
        #expect(isBroken(part(from: 0) + part(from: 5000), size: size) == true)
        #expect(isBroken(part(from: 5000) + part(from: 0), size: size) == true)
    }

    @Test("a single damaged clock breaks nothing")
    func damaged() {
        #expect(isBroken(part(from: 0, count: 10) + [1 << 32] + part(from: 1)) == false)
    }

    @Test("another container has no packets")
    func other() {
        let bytes = [UInt8](repeating: 0x20, count: 2000)
        #expect(bytes.withUnsafeBytes { TransportClock(head: $0) == nil })
    }
}
