import PlayerCore
import Testing

/// Seconds on the clock of the tests.
private func at(_ seconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: seconds * 1_000_000_000) }

@Suite("A film whose connection is lost")
struct ReconnectionTests {
    @Test("is tried ever more rarely, and never given up where nothing else can be played")
    func backOff() {
        var reconnection = Reconnection()
        var now = at(100)
        var delays: [Int64] = []
        for _ in 0..<200 {
            guard let due = reconnection.failed(at: now, isBounded: false) else { break }
            delays.append((due - now).components.seconds)
            now = due
        }
        #expect(delays.prefix(7) == [1, 2, 4, 8, 16, 30, 30])
        #expect(delays.count == 200)
        #expect(reconnection.isTrying)
    }

    @Test("is given up after a minute where something else can be played")
    func bounded() {
        var reconnection = Reconnection()
        var now = at(0)
        var attempts = 0
        while let due = reconnection.failed(at: now, isBounded: true) {
            attempts += 1
            // The server does not answer for a while, each time.
            now = due + .seconds(3)
        }
        #expect(attempts == 5)
        #expect(now - at(0) <= Reconnection.patience)
    }

    @Test("begins anew with short waits once it has been back for a while")
    func recovery() {
        var reconnection = Reconnection()
        for second in [0, 1, 3, 7] as [Int64] { _ = reconnection.failed(at: at(second), isBounded: false) }
        reconnection.opened(at: at(15))
        #expect(!reconnection.isTrying)
        #expect(reconnection.failed(at: at(25), isBounded: false) == at(26))
    }

    @Test("goes on with longer waits where it comes and breaks off at once")
    func flapping() {
        var reconnection = Reconnection()
        for second in [0, 1, 3] as [Int64] { _ = reconnection.failed(at: at(second), isBounded: true) }
        reconnection.opened(at: at(8))
        reconnection.opened(at: at(15))
        #expect(reconnection.failed(at: at(17), isBounded: true) == at(25))
        reconnection.opened(at: at(26))
        // The minute still counts from the first loss.
        #expect(reconnection.failed(at: at(35), isBounded: true) == at(51))
        #expect(reconnection.failed(at: at(52), isBounded: true) == nil)
    }

    @Test(
        "comes back unless the server says that it will not",
        arguments: [
            (nil, true), (500, true), (503, true), (429, true), (408, true), (404, false), (410, false), (401, false),
            (403, false), (407, false),
        ] as [(Int?, Bool)])
    func passing(status: Int?, isPassing: Bool) {
        #expect(MediaFailure(reason: .network, message: "", httpStatus: status).isPassing == isPassing)
    }

    @Test(
        "is no film that is damaged or none",
        arguments: [.notMedia, .broken, .needsRanges, .remoteList, .stuck, .other] as [MediaFailure.Reason])
    func final(reason: MediaFailure.Reason) {
        #expect(!MediaFailure(reason: reason, message: "").isPassing)
    }

    @Test("the viewer's message says what happened and what to do, without words of GStreamer's or HTTP's")
    func userMessage() {
        /// Two sentences that fit into one line of the screen, behind a short title.
        func isShort(_ userMessage: String) -> Bool {
            let sentences = userMessage.dropFirst("Spring: ".count).split(separator: ". ")
            return sentences.count == 2 && sentences.allSatisfy { $0.first?.isUppercase == true }
                && userMessage.hasSuffix(".") && userMessage.count < 66
        }
        let reasons: [MediaFailure.Reason] = [
            .network, .notMedia, .broken, .missingPlugin(package: "gstreamer1.0-libav"), .stuck, .other, .noSuchFile,
            .noPermission,
            .needsRanges, .remoteList,
        ]
        for reason in reasons {
            for status in [nil, 401, 403, 404, 410, 500, 503] {
                let userMessage = MediaFailure(reason: reason, message: "GStreamer HTTP element", httpStatus: status)
                    .userMessage(about: "Spring")
                #expect(userMessage.hasPrefix("Spring: "))
                #expect(isShort(userMessage), "\(userMessage)")
                for jargon in ["GStreamer", "gstreamer", "HTTP", "element", "stream", "404", "error"] {
                    #expect(!userMessage.contains(jargon))
                }
            }
        }
        let doubts: [CertificateDoubt] = [.date, .address, .issuer]
        let failures = doubts.map { MediaFailure(reason: .network, message: "", doubt: $0) }
        #expect(Set(failures.map { $0.userMessage(about: "Spring") }).count == 3)
        #expect(failures.allSatisfy { $0.isPassing && isShort($0.userMessage(about: "Spring")) })
        #expect(failures.allSatisfy { $0.userMessage(about: "").contains("not trusted") })
        let missing = MediaFailure(reason: .network, message: "", httpStatus: 404)
        let words = "Spring: The server does not have this film. Check the address."
        #expect(missing.userMessage(about: "Spring") == words)
        let none = MediaFailure(reason: .notMedia, message: "")
        #expect(none.userMessage(about: "Spring").contains("server"))
        #expect(none.userMessage(about: "Spring", isLocal: true) == "Spring: This is not a film. Copy it again.")
    }
}
