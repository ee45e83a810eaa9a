import Testing

@testable import Control

@Suite("Connections") struct ConnectionTests {
    @Test("replies come in the order of the requests, though a command takes long")
    func order() async throws {
        try await serving { path, player in
            player.closeGate("slow")
            let client = try await connected(path)
            try await client.send(#"{"command":["show-text","slow"],"request_id":1}"#)
            try await client.send(#"{"command":["client_name"],"request_id":2}"#)
            let other = try await connected(path)  // is answered meanwhile
            _ = try await other.ask(#"{"command":["get_property","pause"]}"#)
            player.openGate("slow")
            #expect(try await client.line() == #"{"data":null,"request_id":1,"error":"success"}"#)
            #expect(try await client.line() == #"{"data":"ipc_0","request_id":2,"error":"success"}"#)
        }
    }

    @Test("an async command holds up no other request")
    func async() async throws {
        try await serving { path, player in
            player.closeGate("slow")
            let client = try await connected(path)
            try await client.send(#"{"command":["show-text","slow"],"request_id":1,"async":true}"#)
            #expect(
                try await client.ask(#"{"command":["client_name"],"request_id":2}"#)
                    == #"{"data":"ipc_0","request_id":2,"error":"success"}"#)
            player.openGate("slow")
            #expect(try await client.line() == #"{"request_id":1,"error":"success","data":null}"#)
        }
    }

    @Test("more than 64 async commands at once are refused, and taken again later")
    func asyncBound() async throws {
        try await serving { path, player in
            player.closeGate("slow")
            let client = try await connected(path)
            for id in 1...65 {
                try await client.send(#"{"command":["show-text","slow"],"request_id":\#(id),"async":true}"#)
            }
            #expect(try await client.line() == #"{"request_id":65,"error":"event queue full","data":null}"#)
            player.openGate("slow")
            for _ in 1...64 { #expect(try await client.line().contains("success")) }
            try await client.send(#"{"command":["show-text","slow"],"request_id":66,"async":true}"#)
            #expect(try await client.line() == #"{"request_id":66,"error":"success","data":null}"#)
        }
    }

    @Test("a client that only sends is answered, then the connection ends; a line without an end is none")
    func halfClose() async throws {
        try await serving { path, player in
            player.closeGate("slow")
            let client = try LineClient(path)
            try await client.send(#"{"command":["show-text","slow"]}"#)
            try await client.send(#"{"command":["show-text","slow"],"async":true,"request_id":1}"#)
            try await client.send(bytes: Array(#"{"command":["show-text","slow"]}"#.utf8))
            client.closeSending()
            let other = try await connected(path)
            player.openGate("slow")
            #expect(try await client.line() == #"{"data":null,"request_id":0,"error":"success"}"#)
            #expect(try await client.line() == #"{"request_id":1,"error":"success","data":null}"#)
            #expect(try await client.hasEnded)
            #expect(player.commands.count == 2)
            _ = try await other.ask(#"{"command":["client_name"]}"#)
        }
    }

    @Test("a client that does not read is cut off at the bound and delays no other")
    func slowReader() async throws {
        try await serving { path, player in
            let deaf = try await connected(path)
            let listening = try await connected(path)
            _ = try await listening.ask(#"{"command":["disable_event","all"]}"#)
            let event = MPVEvent.endFile(reason: .error, playlistEntry: 1, error: .unrecognizedFormat)
            let line = #"{"event":"end-file","reason":"error","playlist_entry_id":1,"file_error":"..."}"#
            // Four times the bound.
            for _ in 0..<(4 * IPCServer.outputBound / line.utf8.count) { player.report(event) }
            #expect(try await listening.ask(#"{"command":["get_property","pause"]}"#).contains("success"))
            try await deaf.hangUp()
            let count = try await deaf.bytesUntilEnd()
            // The received bytes were in the kernel's buffer.
            #expect(count < IPCServer.outputBound)
            #expect(try await listening.ask(#"{"command":["get_property","pause"]}"#).contains("success"))
        }
    }

    @Test("a client that asks and does not read its replies is not cut off: it waits for itself")
    func unreadReplies() async throws {
        try await serving { path, player in
            player["media-title"] = .string(String(repeating: "x", count: 100_000))
            let client = try await connected(path)
            let other = try await connected(path)
            // 10 MB of replies, in requests that fit into the kernel's buffers.
            for id in 1...100 {
                try await client.send(#"{"command":["get_property","media-title"],"request_id":\#(id)}"#)
            }
            #expect(try await other.ask(#"{"command":["get_property","pause"]}"#).contains("success"))
            for id in 1...100 { #expect(try await client.line().contains(#""request_id":\#(id),"#)) }
        }
    }

    @Test("a reply and a change larger than the bound arrive, whole, and the client stays")
    func largeMessages() async throws {
        try await serving { path, player in
            let text = String(repeating: "x", count: 2 * IPCServer.outputBound)
            player["media-title"] = .string(text)
            let client = try await connected(path)
            #expect(try await client.ask(#"{"command":["get_property","media-title"]}"#).utf8.count > text.utf8.count)
            _ = try await client.ask(#"{"command":["observe_property",1,"media-title"]}"#)
            #expect(try await client.line().utf8.count > text.utf8.count)
            let (other, reads) = (try await connected(path), player.reads)
            player["media-title"] = .string(text + "y")
            while player.reads == reads { _ = try await other.ask(#"{"command":["client_name"]}"#) }
            // Behind unread output.
            player.report(.seek)
            player.report(.seek)
            #expect(try await client.line().utf8.count > text.utf8.count)
            for _ in 1...2 { #expect(try await client.line() == #"{"event":"seek"}"#) }
            #expect(try await client.ask(#"{"command":["client_name"]}"#).contains("success"))
        }
    }

    @Test("what a client observes is bounded, in number and in the names' length")
    func observerBound() async throws {
        try await serving { path, _ in
            let client = try await connected(path)
            _ = try await client.ask(#"{"command":["disable_event","all"]}"#)
            let name = String(repeating: "x", count: IPCSession.nameBound)
            #expect(
                try await client.ask(#"{"command":["observe_property",1,"\#(name)x"]}"#).contains("invalid parameter"))
            for id in 1...IPCSession.observerBound {
                #expect(
                    try await client.ask(#"{"command":["observe_property",\#(id),"\#(name)"]}"#).contains("success"))
                _ = try await client.line()
            }
            #expect(
                try await client.ask(#"{"command":["observe_property",9999,"pause"]}"#).contains("event queue full"))
        }
    }

    @Test("a line of very many members holds up nobody for long", .timeLimit(.minutes(1)))
    func manyMembers() async throws {
        let members = (0..<90_000).map { #""k\#($0)":0"# }.joined(separator: ",")
        try await serving { path, _ in
            let client = try await connected(path)
            #expect(
                try await client.ask(#"{"command":["client_name"],"request_id":1,\#(members)}"#).contains("success"))
        }
    }

    @Test("a line longer than the bound is answered with an error and ends the connection")
    func longLine() async throws {
        try await serving { path, player in
            let client = try await connected(path)
            let fits = #"{"command":["set","path-of-a-film",""# + String(repeating: "x", count: 1_000_000) + #""]}"#
            #expect(try await client.ask(fits).contains("error running command"))
            // The server may end the connection before all of this is sent.
            try? await client.send(bytes: [UInt8](repeating: UInt8(ascii: "{"), count: IPCServer.lineBound + 100_000))
            #expect(try await client.line() == #"{"request_id":0,"error":"invalid parameter"}"#)
            #expect(try await client.hasEnded)
            _ = try await connected(path)
        }
    }

    @Test("one client too many is cut off, and let in once another has left")
    func clientBound() async throws {
        try await serving { path, _ in
            var clients: [LineClient] = []
            for _ in 0..<IPCServer.clientBound { clients.append(try await connected(path)) }
            #expect(try await LineClient(path).hasEnded)
            let leaving = clients.removeLast()
            leaving.closeSending()
            #expect(try await leaving.hasEnded)
            _ = try await connected(path)
        }
    }

    @Test("a shutdown ends the connections after the replies")
    func shutdown() async throws {
        try await serving { path, player in
            player.closeGate("last words")
            let client = try await connected(path)
            let other = try await connected(path)
            try await client.send(#"{"command":["show-text","last words"],"request_id":1}"#)
            // A server that ends before it has read a request does not answer it, and resets the connection.
            while player.commands.isEmpty { _ = try await other.ask(#"{"command":["client_name"]}"#) }
            player.report(.endFile(reason: .quit, playlistEntry: 1))
            player.report(.shutdown)
            #expect(try await other.line() == #"{"event":"end-file","reason":"quit","playlist_entry_id":1}"#)
            #expect(try await other.hasEnded)
            player.openGate("last words")
            #expect(try await client.line() == #"{"event":"end-file","reason":"quit","playlist_entry_id":1}"#)
            #expect(try await client.line() == #"{"data":null,"request_id":1,"error":"success"}"#)
            #expect(try await client.hasEnded)
        }
    }

    @Test("any bytes at all leave the server alive, and each line with a brace has one answer")
    func randomBytes() async throws {
        try await serving { path, _ in
            let client = try await connected(path)
            var random = SplitMix(seed: 7)
            let pieces = [
                "{", "}", "[", "]", "\"", ":", ",", "\\", "command", "request_id", "name", "seek", "null", "1e9", "-",
                "get_property", "pause", " ", "\u{0}", "é", "\r", "\\ud83d", "{\"command\":[\"", "\"]}", "async", "#",
                ";",
            ]
            for _ in 0..<2000 {
                var bytes: [UInt8] = []
                for _ in 0..<Int.random(in: 0...12, using: &random) {
                    bytes += pieces.randomElement(using: &random).map { Array($0.utf8) } ?? []
                    if Int.random(in: 0..<20, using: &random) == 0 {
                        bytes.append(UInt8.random(in: 11...255, using: &random))
                    }
                }
                let braced = bytes.first { $0 != UInt8(ascii: " ") } == UInt8(ascii: "{")
                try await client.send(bytes: bytes + [UInt8(ascii: "\n")])
                if braced { #expect(try await client.line().contains("\"error\":")) }
            }
            #expect(try await client.ask(#"{"command":["client_name"]}"#).contains("ipc_0"))
        }
    }
}
