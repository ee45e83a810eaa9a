import PlayerCore
import Testing

@Suite("What is live, and what can be sought in (M4, M11)")
struct SourceCapabilitiesTests {
    @Test("HLS and DASH without an end are live, other media of unknown length are not")
    func live() {
        var capabilities = SourceCapabilities()
        #expect(!capabilities.isLive(lasting: nil) && !capabilities.isLive(lasting: .seconds(5)))
        capabilities.isAdaptive = true
        #expect(capabilities.isLive(lasting: nil) && !capabilities.isLive(lasting: .seconds(5)))
        capabilities = SourceCapabilities()
        capabilities.isEndless = true
        #expect(capabilities.isLive(lasting: nil) && !capabilities.isSeekable(true, lasting: nil))
        capabilities = SourceCapabilities()
        capabilities.isLiveSource = true
        #expect(capabilities.isLive(lasting: .seconds(5)))
    }

    @Test("one file of a server's is sought in by parts, and nothing that is live")
    func seekable() {
        var capabilities = SourceCapabilities()
        #expect(capabilities.isSeekable(true, lasting: nil) && !capabilities.isSeekable(false, lasting: .seconds(5)))
        capabilities.offersRanges = false
        #expect(!capabilities.isSeekable(true, lasting: .seconds(5)))
        capabilities.isAdaptive = true
        #expect(capabilities.isSeekable(true, lasting: .seconds(5)) && !capabilities.isSeekable(true, lasting: nil))
    }
}
