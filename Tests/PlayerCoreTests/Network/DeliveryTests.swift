import PlayerCore
import Testing

@Suite("What is live, and what can be sought in (M4, M11)")
struct DeliveryTests {
    @Test("HLS and DASH without an end are live, other media of unknown length are not")
    func live() {
        var delivery = Delivery()
        #expect(!delivery.isLive(lasting: nil) && !delivery.isLive(lasting: .seconds(5)))
        delivery.isAdaptive = true
        #expect(delivery.isLive(lasting: nil) && !delivery.isLive(lasting: .seconds(5)))
        delivery = Delivery()
        delivery.isEndless = true
        #expect(delivery.isLive(lasting: nil) && !delivery.isSeekable(true, lasting: nil))
        delivery = Delivery()
        delivery.isLiveSource = true
        #expect(delivery.isLive(lasting: .seconds(5)))
    }

    @Test("one file of a server's is sought in by parts, and nothing that is live")
    func seekable() {
        var delivery = Delivery()
        #expect(delivery.isSeekable(true, lasting: nil) && !delivery.isSeekable(false, lasting: .seconds(5)))
        delivery.offersRanges = false
        #expect(!delivery.isSeekable(true, lasting: .seconds(5)))
        delivery.isAdaptive = true
        #expect(delivery.isSeekable(true, lasting: .seconds(5)) && !delivery.isSeekable(true, lasting: nil))
    }
}
