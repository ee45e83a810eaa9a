import Testing

@testable import PlayerCore

@Suite("Key frames: the group that a time lies in")
struct KeyframeMapTests {
    @Test("a group is from its key frame up to the next one; the last has no end")
    func groups() {
        let map = KeyframeMap([.zero, .seconds(2), .seconds(5)])
        #expect(map.isKnown)
        for (time, start, end) in [(0, 0, 2), (1999, 0, 2), (2000, 2, 5), (4999, 2, 5)] as [(Int64, Int64, Int64)] {
            let group = map.group(at: .milliseconds(time))
            #expect(group?.start == .seconds(start) && group?.end == .seconds(end), "at \(time) ms")
        }
        for time in [5000, 90_000] as [Int64] {
            let group = map.group(at: .milliseconds(time))
            #expect(group?.start == .seconds(5) && group?.end == nil, "at \(time) ms")
        }
    }

    @Test("before the first key frame, and where nothing is known, there is none")
    func none() {
        #expect(KeyframeMap([.seconds(1)]).group(at: .milliseconds(999)) == nil)
        #expect(KeyframeMap().group(at: .seconds(1)) == nil)
        #expect(!KeyframeMap().isKnown)
    }

    @Test("the nearest key frame between two tolerances, and none where there is none")
    func nearest() {
        let map = KeyframeMap([.seconds(1), .seconds(2), .seconds(5)])
        let cases: [(Int64, Int64, Int64, Int64?)] = [
            (2900, 900, 2100, 2), (2900, 899, 2100, 5), (2900, 899, 2099, nil), (3600, 2000, 2000, 5), (2000, 0, 1, 2),
            (900, 0, 100, 1), (900, 900, 99, nil), (9000, 4000, 0, 5), (9000, 3999, 90_000, nil),
        ]
        for (time, before, after, nearest) in cases {
            let tolerance = SeekTolerance(before: .milliseconds(before), after: .milliseconds(after))
            let group = map.nearest(to: .milliseconds(time), within: tolerance)
            #expect(group?.start == nearest.map { .seconds($0) }, "\(time) ms, \(tolerance)")
        }
        #expect(map.nearest(to: .seconds(4), within: .init(before: .seconds(3), after: .seconds(1)))?.end == nil)
        #expect(KeyframeMap().nearest(to: .seconds(4), within: .init(before: .seconds(9), after: .unlimited)) == nil)
    }

    @Test("the same group as a search from the start finds, in maps of any length")
    func asByHand() {
        var random = ScrubRandom(seed: 7)
        for length in 1...80 {
            var times = [MediaTime.zero]
            while times.count < length { times.append(times[times.count - 1] + .milliseconds(1 + random.below(3000))) }
            let map = KeyframeMap(times)
            for _ in 0..<20 {
                let time = MediaTime.milliseconds(random.below(3000 * Int64(length)))
                let group = map.group(at: time)
                #expect(group?.start == times.last { $0 <= time } && group?.end == times.first { $0 > time })
            }
        }
    }
}
