import KMS
import Testing

@testable import VitrineProgram

@Suite("What a player that is to stay waits for")
struct DisplayWaitTests {
    @Test(
        "a display's node that udev has not given to its group yet is waited for, one of another group's is not for long (N7)"
    )
    func permission() {
        let (early, late) = (
            KMSError.noPermission(card: "/dev/dri/card0", group: "root"),
            KMSError.noPermission(card: "/dev/dri/card0", group: "video")
        )
        #expect(
            Kiosk.isPassing(early, after: .seconds(3600)) && Kiosk.isPassing(.noCard, after: .seconds(3600))
        )
        #expect(Kiosk.isPassing(late, after: .seconds(59)) && !Kiosk.isPassing(late, after: .seconds(61)))
        #expect(!Kiosk.isPassing(.noConnectedDisplay(connectors: []), after: .zero))
    }
}
