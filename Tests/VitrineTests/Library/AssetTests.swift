import PlayerCore
import Synchronization
import Testing

@testable import Vitrine

@Suite("Assets (A1, A12)", .timeLimit(.minutes(1)))
struct AssetTests {
    let contents = Asset.Contents(
        duration: .seconds(5), tracks: [], metadata: ["title": "A Film"], isLive: false, isSeekable: true)

    /// Returns a scripted result, when the test releases it, and counts.
    final class Reader: Sendable {
        private let count = Mutex(0)
        private let answers: AsyncStream<Result<Asset.Contents, PlayerError>>
        let answer: AsyncStream<Result<Asset.Contents, PlayerError>>.Continuation

        init() { (answers, answer) = AsyncStream.makeStream() }

        var reads: Int { count.withLock { $0 } }

        @Sendable func read(_ address: String) async -> Result<Asset.Contents, PlayerError> {
            count.withLock { $0 += 1 }
            for await answer in answers { return answer }
            return .failure(.notMedia(.init(attempt: .load, address: address, text: "no answer")))
        }
    }

    @Test("an asset is read once, however many ask, also later")
    func once() async throws {
        let reader = Reader()
        let asset = Asset("film.mp4", read: reader.read)
        #expect(reader.reads == 0, "and not before somebody asks")
        let asking = (0..<20).map { _ in Task { try await asset.load() } }
        while reader.reads == 0 { await Task.yield() }
        reader.answer.yield(.success(contents))
        for task in asking { #expect(try await task.value == contents) }
        #expect(try await asset.duration == .seconds(5))
        #expect(reader.reads == 1)
    }

    @Test("whoever is cancelled stops waiting at once; the others get what they waited for")
    func cancellation() async throws {
        let reader = Reader()
        let asset = Asset("film.mp4", read: reader.read)
        let (leaves, stays) = (Task { try await asset.load() }, Task { try await asset.load() })
        while reader.reads == 0 || asset.waitingCount < 2 { await Task.yield() }
        leaves.cancel()
        guard case .failure(let error as PlayerError) = await leaves.result, case .cancelled = error else {
            Issue.record("it was not cancelled")
            return
        }
        reader.answer.yield(.success(contents))
        #expect(try await stays.value == contents)
        #expect(reader.reads == 1)
    }

    /// Each reading has its own result; a cancelled one returns a wrong one once there is another.
    final class Readings: Sendable {
        private let all = Mutex<[AsyncStream<Asset.Contents>.Continuation]>([])
        private let broken = Mutex(0)

        var answers: [AsyncStream<Asset.Contents>.Continuation] { all.withLock { $0 } }
        var breaks: Int { broken.withLock { $0 } }

        @Sendable func read(_ address: String) async -> Result<Asset.Contents, PlayerError> {
            let (answers, answer) = AsyncStream.makeStream(of: Asset.Contents.self)
            all.withLock { $0.append(answer) }
            for await contents in answers { return .success(contents) }
            while self.answers.count < 2 { await Task.yield() }
            broken.withLock { $0 += 1 }
            return .success(.init(duration: nil, tracks: [], metadata: [:], isLive: true, isSeekable: false))
        }
    }

    @Test(
        "with the last one who waits, reading ends; whoever asks then has it read anew, and hears nothing of before",
        .timeLimit(.minutes(1)))
    func nobodyWaits() async throws {
        let readings = Readings()
        let asset = Asset("film.mp4", read: readings.read)
        let leaving = (0..<2).map { _ in Task { try await asset.load() } }
        while readings.answers.isEmpty || asset.waitingCount < 2 { await Task.yield() }
        for task in leaving {
            #expect(readings.breaks == 0)
            task.cancel()
            await #expect(throws: PlayerError.self) { try await task.value }
        }
        let asking = Task { try await asset.load() }
        while readings.breaks == 0 || readings.answers.count < 2 { await Task.yield() }
        readings.answers[1].yield(contents)
        #expect(try await asking.value == contents)
        #expect(readings.answers.count == 2 && readings.breaks == 1)
    }

    @Test("a server that answers nothing is let go of when nobody waits any more, not after 10 s")
    func silentServer() async throws {
        let server = try SilentServer()
        let asset = Asset("http://127.0.0.1:\(server.port)/film.mp4")
        let asking = Task { try await asset.load() }
        let connection = await server.connection()
        let began = ContinuousClock.now
        asking.cancel()
        guard case .failure(let error as PlayerError) = await asking.result, case .cancelled = error else {
            Issue.record("it was not cancelled")
            return
        }
        await connection.end()
        #expect(ContinuousClock.now - began < .seconds(5))
    }

    @Test("what failed is tried again")
    func again() async throws {
        let reader = Reader()
        let asset = Asset("film.mp4", read: reader.read)
        let failure = PlayerError.network(.init(attempt: .load, address: "film.mp4", text: "no route"))
        reader.answer.yield(.failure(failure))
        await #expect(throws: failure) { try await asset.load() }
        reader.answer.yield(.success(contents))
        #expect(try await asset.load() == contents)
    }

    @Test("the title is the metadata's, else the file's name (A12)")
    func title() async {
        let named = Reader()
        named.answer.yield(.success(contents))
        #expect(await Asset("/films/a b.mp4", read: named.read).title == "A Film")
        let nameless = Reader()
        nameless.answer.finish()
        #expect(await Asset("/films/a b.mp4", read: nameless.read).title == "a b")
        #expect(await Asset("http://shop/films/c.m3u8?x=/y.z", read: nameless.read).title == "c")
        #expect(await Asset("/films/Who? Me.mp4", read: nameless.read).title == "Who? Me")
        #expect(await Asset("file:///films/Night%20Train%3F.mp4", read: nameless.read).title == "Night Train?")
        #expect(await Asset("http://ann:secret@shop", read: nameless.read).title == "ann@shop")
    }

    @Test("no error contains the address's password")
    func password() async throws {
        let address = "http://ann:secret@127.0.0.1:1/film.mp4"
        let given = PlayerError.Circumstances(
            attempt: .play, address: address, text: "\(address): no route", userMessage: "\(address): alas",
            details: "souphttpsrc: \(address)\n")
        #expect(given.address == "http://ann@127.0.0.1:1/film.mp4" && given.text == "\(given.address): no route")
        #expect(given.userMessage == "\(given.address): alas")
        #expect(given.details == "souphttpsrc: \(given.address)\n")
        let reader = Reader()
        let asset = Asset(address, read: reader.read)
        let leaves = Task { try await asset.load() }
        while reader.reads == 0 { await Task.yield() }
        leaves.cancel()
        guard case .failure(let cancelled as PlayerError) = await leaves.result else {
            Issue.record("it was not cancelled")
            return
        }
        #expect("\(cancelled)".contains("ann@127.0.0.1") && !"\(cancelled)".contains("secret"))
        // GStreamer's error for an unreachable server.
        let result = await Task { try await Asset(address).load() }.result
        guard case .failure(let refused as PlayerError) = result else {
            Issue.record("there is a server: \(result)")
            return
        }
        #expect(!String(describing: refused.circumstances).contains("secret"), "\(refused)")
    }

    @Test("files are local, and known to be without looking")
    func local() {
        #expect(Asset("film.mp4").isLocal && Asset("/no/such/film.mp4").isLocal && Asset("file:///a.mp4").isLocal)
        #expect(!Asset("http://shop/film.mp4").isLocal && !Asset("rtsp://camera/1").isLocal)
        #expect(!Asset("-").isLocal, "standard input is no file to go back in")
    }

    @Test("what cannot be read is reported with what was tried, on what, and what would help")
    func noSuchFile() async throws {
        let result = await Task { try await Asset("/no/such/film.mp4").load() }.result
        guard case .failure(let error as PlayerError) = result, case .noSuchFile(let circumstances) = error else {
            Issue.record("\(result)")
            return
        }
        #expect(circumstances.attempt == .load && circumstances.address == "/no/such/film.mp4")
        #expect("\(error)" == "\(circumstances.text) (\(error.remedy))" && circumstances.text.contains("No such file"))
    }
}
