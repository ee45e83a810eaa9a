import PlayerCore
import Testing

@testable import Vitrine

@Suite("A delegate whose functions are all optional (T2, T4)", .timeLimit(.minutes(1)))
struct PlayerDelegateTests {
    final class Witness: PlayerDelegate {
        var calls: [String] = []
        let (news, continuation) = AsyncStream.makeStream(of: String.self)

        func playerIsReady(_ player: Player) { note("ready") }
        func player(_ player: Player, timeControlStatus: TimeControlStatus) {
            switch timeControlStatus {
            case .paused: note("paused")
            case .playing: note("playing")
            case .waiting(let reason): note("waiting: \(reason.rawValue)")
            }
        }
        func player(_ player: Player, currentTime: MediaTime, duration: MediaTime?) {
            note("\(currentTime.text(.milliseconds)) of \(duration?.description ?? "--")")
        }
        func player(_ player: Player, presentationSize: PlayerItem.Size?) {
            note(presentationSize.map { "\($0.width)x\($0.height)" } ?? "no pictures")
        }
        func player(_ player: Player, message: String?) { note(message ?? "no message") }
        func player(_ player: Player, pipelineState: PipelineState) { note(pipelineState.rawValue) }
        func player(_ player: Player, itemFailed: ItemFailure) { note(itemFailed.error.circumstances.text) }
        func player(_ player: Player, itemWarning: ItemWarning) { note(itemWarning.text) }

        private func note(_ call: String) {
            calls.append(call)
            continuation.yield(call)
        }

        nonisolated func wait(for call: String) async { _ = await news.first { $0 == call } }
    }

    /// A delegate without methods.
    final class Silence: PlayerDelegate {}

    let media = ScriptedMedia(broken: ["broken.mp4"])

    @Test("ready comes once, and state, position, size, message and error in order, commands from before remembered")
    func everything() async {
        let player = QueuePlayer(engine: media, actionAtItemEnd: .advance)
        let witness = Witness()
        player.setDelegate(witness, every: .seconds(20))
        player.play()
        await witness.wait(for: "waiting: noItemToPlay")
        for address in ["one.mp4", "broken.mp4", "two.mp4"] { player.insert(PlayerItem(Asset(address))) }
        await witness.wait(for: "playing")
        media.happen { _ in .message("Trying again …") }
        media.happen { _ in .message("Trying again …") }
        media.happen { _ in .message(nil) }
        await witness.wait(for: "no message")
        player.advanceToNextItem()
        await witness.wait(for: "playing")
        let calls = await witness.calls
        #expect(calls.filter { $0 == "ready" }.count == 1)
        #expect(calls.filter { $0 == "640x360" }.count == 1)
        #expect(calls.filter { $0 == "Trying again …" }.count == 1)
        #expect(calls.filter { $0 == "it is broken" }.count == 1)
        let places = ["paused", "waiting: noItemToPlay", "waiting: opening", "ready", "playing"].map {
            calls.firstIndex(of: $0)
        }
        #expect(!places.contains(nil) && places.compactMap { $0 } == places.compactMap { $0 }.sorted())
        #expect(calls.contains { $0.hasSuffix(" of 00:01:00") })
        await player.close()
    }

    @Test("a late delegate gets the present state; one that was replaced, or has gone, nothing more")
    func lateAndReplaced() async {
        let player = Player(engine: media, actionAtItemEnd: .rewind)
        let first = Witness()
        player.setDelegate(first, every: .seconds(20))
        player.replaceCurrentItem(with: PlayerItem(Asset("film.mp4")))
        await first.wait(for: "ready")
        let second = Witness()
        player.setDelegate(second, every: .seconds(20))
        let known = await first.calls.count
        await second.wait(for: "ready")
        #expect(await second.calls == ["paused", "NULL", "640x360", "ready"])
        var silence: Silence? = Silence()
        player.setDelegate(silence)
        silence = nil
        player.play()
        _ = await player.timeControlStatusUpdates.first { $0 == .playing }
        await player.close()
        let counts = await (first.calls.count, second.calls.count)
        #expect(counts == (known, 4))
    }

    @Test("each state of the pipeline and each warning is reported, of the item that plays alone (T3, T5)")
    func statesAndWarnings() async {
        let player = QueuePlayer(engine: media, actionAtItemEnd: .advance)
        let witness = Witness()
        let (states, warnings) = (player.pipelineStateUpdates, player.itemWarnings)
        player.setDelegate(witness, every: .seconds(20))
        for address in ["one.mp4", "two.mp4"] { player.insert(PlayerItem(Asset(address))) }
        await witness.wait(for: "ready")
        for state in [PipelineState.ready, .paused, .paused, .playing] { media.happen { .state($0, state) } }
        media.happen { .warning($0, "the pipeline refuses the state PAUSED") }
        await witness.wait(for: "the pipeline refuses the state PAUSED")
        #expect(player.pipelineState == .playing)
        player.advanceToNextItem()
        await witness.wait(for: "NULL")
        media.happen { _ in .state(LoadID(number: 1), .ready) }
        media.happen { _ in .warning(LoadID(number: 1), "of the one before") }
        media.happen { .state($0, .paused) }
        await witness.wait(for: "PAUSED")
        await player.close()
        var reported: [PipelineState] = []
        for await state in states { reported.append(state) }
        #expect(reported == [.null, .ready, .paused, .playing, .null, .paused, .null])
        var warned: [String] = []
        for await warning in warnings { warned.append("\(warning.item.asset.address): \(warning.text)") }
        #expect(warned == ["one.mp4: the pipeline refuses the state PAUSED"])
        let calls = await witness.calls
        #expect(
            calls.filter { PipelineState(rawValue: $0) != nil }.prefix(6) == reported.prefix(6).map(\.rawValue)[...])
        #expect(!calls.contains("of the one before"))
    }

    @Test("a duration that is learned while the film stands is reported")
    func lateDuration() async {
        let player = Player(engine: media, actionAtItemEnd: .rewind)
        let witness = Witness()
        player.setDelegate(witness)
        player.replaceCurrentItem(with: PlayerItem(Asset("film.mp4")))
        await witness.wait(for: "\(MediaTime.zero.text(.milliseconds)) of 00:01:00")
        media.happen { .mediaInfo($0, MediaInfo(duration: .seconds(90), isSeekable: true, width: 640, height: 360)) }
        await witness.wait(for: "\(MediaTime.zero.text(.milliseconds)) of 00:01:30")
        await player.close()
    }

    @Test("the time is reported while the film stands, too, except during scrubbing (M2, A7)")
    func standing() async {
        let player = Player(engine: media, actionAtItemEnd: .rewind)
        let witness = Witness()
        player.setDelegate(witness, every: .milliseconds(20))
        let item = PlayerItem(Asset("film.mp4"))
        player.replaceCurrentItem(with: item)
        await witness.wait(for: "ready")
        _ = await item.seek(to: .seconds(7))
        let there = "\(MediaTime.seconds(7).text(.milliseconds)) of 00:01:00"
        for _ in 0..<4 { await witness.wait(for: there) }
        player.beginScrubbing()
        media.happen { _ in .message("scrubbing") }
        await witness.wait(for: "scrubbing")
        let known = await witness.calls.count
        try? await Task.sleep(for: .milliseconds(200))
        #expect(await witness.calls.count == known)
        player.endScrubbing(at: nil)
        for _ in 0..<4 { await witness.wait(for: there) }
        // Without an interval nothing is reported.
        let other = Witness()
        player.setDelegate(other, every: .zero)
        await other.wait(for: "ready")
        media.happen { _ in .message("nothing else") }
        await other.wait(for: "nothing else")
        #expect(await !other.calls.contains(there))
        await player.close()
    }
}
