import PlayerCore
import Testing

@Suite("What of a film is loaded (A1, M10)")
struct LoadedPartTests {
    @Test("it begins where the film is, also after a seek, and ends where its file has been read to")
    func ahead() {
        let part = LoadedPart(from: .seconds(30), of: .seconds(60), read: 750, ofBytes: 1000)
        #expect(part?.times == .seconds(30)...(.seconds(45)))
    }

    @Test("what is shown is loaded, and nothing is beyond the end")
    func bounds() {
        let late = LoadedPart(from: .seconds(30), of: .seconds(60), read: 100, ofBytes: 1000)
        #expect(late?.times == .seconds(30)...(.seconds(30)))
        let behind = LoadedPart(from: .seconds(70), of: .seconds(60), read: 2000, ofBytes: 1000)
        #expect(behind?.times == .seconds(60)...(.seconds(60)))
    }

    @Test("what waits to be decoded is ahead of what is shown, within the film")
    func waiting() {
        func part(from shown: Int64, waiting: MediaTime) -> ClosedRange<MediaTime> {
            LoadedPart(from: .seconds(shown), of: .seconds(60), waiting: waiting).times
        }
        #expect(part(from: 30, waiting: .seconds(5)) == .seconds(30)...(.seconds(35)))
        #expect(part(from: 58, waiting: .seconds(5)) == .seconds(58)...(.seconds(60)))
        #expect(part(from: 61, waiting: .unlimited) == .seconds(60)...(.seconds(60)))
    }

    @Test("unknown is not zero", arguments: [(Int64(-1), Int64(1000)), (0, 0), (0, -1)])
    func unknown(place: Int64, size: Int64) {
        #expect(LoadedPart(from: .zero, of: .seconds(60), read: place, ofBytes: size) == nil)
        #expect(LoadedPart(from: .zero, of: .zero, read: 1, ofBytes: 2) == nil)
    }

    @Test("times are whole nanoseconds, also of the longest film")
    func exact() {
        let duration = MediaTime(nanoseconds: 9_007_199_254_740_993)
        let part = LoadedPart(from: .zero, of: duration, read: 333_333, ofBytes: 1_000_000)
        #expect(part?.times.upperBound == MediaTime(nanoseconds: 3_002_396_749_180_579))
    }
}
