import Control
import Testing

@Suite("Observing and events") struct ObservingTests {
    @Test("an observer gets the value at once, after the reply, and then each that differs")
    func observe() async throws {
        try await serving { path, player in
            let client = try await connected(path)
            #expect(try await client.ask(#"{"command":["observe_property",1,"volume"]}"#) == success)
            #expect(
                try await client.line() == #"{"event":"property-change","id":1,"name":"volume","data":100.000000}"#)
            // Read again, but unchanged: not sent.
            let other = try await connected(path)
            let reads = player.reads
            player.touch(["volume"])
            while player.reads == reads { _ = try await other.ask(#"{"command":["client_name"]}"#) }
            player["mute"] = true  // not observed: not reported
            player["volume"] = 50.5
            #expect(
                try await client.line() == #"{"event":"property-change","id":1,"name":"volume","data":50.500000}"#)
        }
    }

    @Test("a property without a value is reported without data, also when it loses its value")
    func unavailable() async throws {
        try await serving { path, player in
            let client = try await connected(path)
            try await client.send(#"{"command":["observe_property",2,"nosuch"]}"#)
            #expect(try await client.line() == success)
            #expect(try await client.line() == #"{"event":"property-change","id":2,"name":"nosuch"}"#)
            try await client.send(#"{"command":["observe_property",3,"time-pos"]}"#)
            #expect(try await client.line() == success)
            #expect(try await client.line() == #"{"event":"property-change","id":3,"name":"time-pos"}"#)
            player["time-pos"] = 1.5
            #expect(
                try await client.line() == #"{"event":"property-change","id":3,"name":"time-pos","data":1.500000}"#)
            player["time-pos"] = nil
            #expect(try await client.line() == #"{"event":"property-change","id":3,"name":"time-pos"}"#)
        }
    }

    @Test("id 0 is not sent back, null is data, text observers get text, paths follow their root")
    func forms() async throws {
        try await serving { path, player in
            let client = try await connected(path)
            try await client.send(#"{"command":["observe_property",0,"mute"]}"#)
            _ = try await client.line()
            #expect(try await client.line() == #"{"event":"property-change","name":"mute","data":false}"#)
            try await client.send(#"{"command":["observe_property_string",4,"mute"]}"#)
            _ = try await client.line()
            #expect(try await client.line() == #"{"event":"property-change","id":4,"name":"mute","data":"no"}"#)
            try await client.send(#"{"command":["observe_property",5,"playlist/count"]}"#)
            _ = try await client.line()
            #expect(try await client.line() == #"{"event":"property-change","id":5,"name":"playlist/count","data":0}"#)
            player["playlist"] = ["a", .null]
            #expect(try await client.line() == #"{"event":"property-change","id":5,"name":"playlist/count","data":2}"#)
            try await client.send(#"{"command":["observe_property",-6,"playlist/1"]}"#)
            _ = try await client.line()
            #expect(try await client.line() == #"{"event":"property-change","id":-6,"name":"playlist/1","data":null}"#)
        }
    }

    @Test("unobserve_property takes away all observers with its id, and no others")
    func unobserve() async throws {
        try await serving { path, player in
            let client = try await connected(path)
            for (id, name) in [(1, "mute"), (1, "volume"), (2, "pause")] {
                try await client.send(#"{"command":["observe_property",\#(id),"\#(name)"]}"#)
                _ = try await client.line()
                _ = try await client.line()
            }
            #expect(try await client.ask(#"{"command":["unobserve_property",1]}"#) == success)
            player["mute"] = true
            player["volume"] = 1.0
            player["pause"] = true
            #expect(try await client.line() == #"{"event":"property-change","id":2,"name":"pause","data":true}"#)
        }
    }

    @Test("what one client sets is reported to the others; what one observes is not")
    func twoClients() async throws {
        try await serving { path, _ in
            let observing = try await connected(path)
            let setting = try await connected(path)
            _ = try await observing.ask(#"{"command":["observe_property",1,"pause"]}"#)
            _ = try await observing.line()
            #expect(try await setting.ask(#"{"command":["set_property","pause",true]}"#) == success)
            #expect(try await observing.line() == #"{"event":"property-change","id":1,"name":"pause","data":true}"#)
            #expect(try await setting.ask(#"{"command":["client_name"]}"#).contains(#""ipc_1""#))
            #expect(try await observing.ask(#"{"command":["client_name"]}"#).contains(#""ipc_0""#))
        }
    }

    @Test("a thousand changes end with the last value")
    func burst() async throws {
        try await serving { path, player in
            let client = try await connected(path)
            _ = try await client.ask(#"{"command":["observe_property",1,"volume"]}"#)
            for volume in 0...1000 { player["volume"] = .integer(Int64(volume)) }
            var last = -1
            while last != 1000 {
                let line = try await client.line()
                let data = try #require(line.split(separator: "\"data\":").last?.dropLast())
                let value = try #require(Double(data).map { Int($0) })
                #expect(value > last || last == -1)
                last = value
            }
        }
    }

    @Test("events have mpv's names and members")
    func events() async throws {
        try await serving { path, player in
            let client = try await connected(path)
            let all: [(MPVEvent, String)] = [
                (.startFile(playlistEntry: 1), #"{"event":"start-file","playlist_entry_id":1}"#),
                (.fileLoaded, #"{"event":"file-loaded"}"#),
                (.videoReconfig, #"{"event":"video-reconfig"}"#),
                (.audioReconfig, #"{"event":"audio-reconfig"}"#),
                (.seek, #"{"event":"seek"}"#),
                (.playbackRestart, #"{"event":"playback-restart"}"#),
                (
                    .endFile(reason: .endOfFile, playlistEntry: 1),
                    #"{"event":"end-file","reason":"eof","playlist_entry_id":1}"#
                ),
                (
                    .endFile(reason: .error, playlistEntry: 3, error: .loadingFailed),
                    #"{"event":"end-file","reason":"error","playlist_entry_id":3,"file_error":"loading failed"}"#
                ),
                (.idle, #"{"event":"idle"}"#),
            ]
            for (event, _) in all { player.report(event) }
            for (_, line) in all { #expect(try await client.line() == line) }
        }
    }

    @Test("a disabled event is not sent, to this client only, until it is enabled again; observing goes on")
    func disabling() async throws {
        try await serving { path, player in
            let one = try await connected(path)
            let other = try await connected(path)
            _ = try await one.ask(#"{"command":["disable_event","all"]}"#)
            _ = try await one.ask(#"{"command":["enable_event","seek"]}"#)
            _ = try await one.ask(#"{"command":["observe_property",1,"mute"]}"#)
            _ = try await one.line()
            player.report(.idle)
            player.report(.seek)
            #expect(try await one.line() == #"{"event":"seek"}"#)
            #expect(try await other.line() == #"{"event":"idle"}"#)
            player["mute"] = true
            #expect(try await one.line() == #"{"event":"property-change","id":1,"name":"mute","data":true}"#)
            _ = try await one.ask(#"{"command":["enable_event","all"]}"#)
            player.report(.idle)
            #expect(try await one.line() == #"{"event":"idle"}"#)
        }
    }
}
