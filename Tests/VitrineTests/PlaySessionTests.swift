import KMS
import Testing

@testable import Vitrine

@Suite("What a player that is to stay waits for")
struct PlaySessionTests {
    @Test(
        "a display's node that udev has not given to its group yet is waited for, one of another group's is not for long (N7)"
    )
    func permission() {
        let (early, late) = (
            KMSError.noPermission(card: "/dev/dri/card0", group: "root"),
            KMSError.noPermission(card: "/dev/dri/card0", group: "video")
        )
        #expect(
            PlaySession.isPassing(early, after: .seconds(3600)) && PlaySession.isPassing(.noCard, after: .seconds(3600))
        )
        #expect(PlaySession.isPassing(late, after: .seconds(59)) && !PlaySession.isPassing(late, after: .seconds(61)))
        #expect(!PlaySession.isPassing(.noConnectedDisplay(connectors: []), after: .zero))
    }
}
