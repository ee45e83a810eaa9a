import Control
import Testing

@Suite("mpv's transcript") struct TranscriptTests {
    @Test("every reply is mpv's, byte for byte, with nothing loaded")
    func idle() async throws {
        try await serving { path, _ in try await replay(.idle, on: path) }
    }

    @Test("every reply is mpv's, byte for byte, with a film loaded")
    func film() async throws {
        try await serving { path, player in
            player.load()
            try await replay(.film, on: path)
        }
    }

    @Test("every reply to what clients ask for besides is mpv's, and each text is expanded as mpv does")
    func clients() async throws {
        try await serving { path, _ in try await replay(.clients, on: path) }
    }

    private func replay(_ transcript: MPVTranscript, on path: String) async throws {
        let client = try LineClient(path)
        _ = try await client.ask(#"{"command":["disable_event","all"]}"#)
        #expect(transcript.rows.count > 50)
        for row in transcript.rows {
            let reply = try await client.ask(row.request)
            #expect(reply == row.reply, "\(row.request)")
        }
    }
}
