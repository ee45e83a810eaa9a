import Testing

@testable import KMS

@Suite("A display that comes and goes while it is looked at (N7)")
struct ConnectorWatchTests {
    private let there = ConnectorState(
        status: .connected, modes: [DisplayMode(width: 1024, height: 768, refreshMillihertz: 60_000)])
    private let gone = ConnectorState(status: .disconnected, modes: [])

    @Test("An event that changes nothing is no news; one without a display may be about another one")
    func news() {
        #expect(!ConnectorWatch(there).isNews(there))
        #expect(ConnectorWatch(there).isNews(gone) && ConnectorWatch(gone).isNews(gone))
        var bad = there
        bad.isLinkBad = true
        #expect(ConnectorWatch(bad).isNews(bad), "the picture has to be set anew")
    }

    @Test("Gone after the connector was asked, and back before it is asked again, it is found")
    func goneBetween() {
        var watch = ConnectorWatch(gone)
        #expect(watch.isNews(there))
        var isOver = watch.looked(there, isGone: true)
        #expect(isOver, "there is nothing to be done until the next event")
        #expect(watch.isNews(there))
        isOver = watch.looked(there, isGone: false)
        #expect(!isOver && !watch.isNews(there))
    }

    @Test("What failed is tried again")
    func failure() {
        var watch = ConnectorWatch(there)
        let isOver = watch.looked(nil, isGone: false)
        #expect(!isOver && watch.hasFailed && watch.isNews(there))
    }
}
