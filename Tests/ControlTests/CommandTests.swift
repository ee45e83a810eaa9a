import Testing

@testable import Control

@Suite("Commands") struct CommandTests {
    private func parsed(_ line: String) -> MPVCommand? {
        guard case .request(let request) = IPCLine(line.utf8),
            case .success(.command(.run(let command))) = request.verb
        else { return nil }
        return command
    }

    @Test(
        "arguments in order or by name become one typed command, with mpv's defaults",
        arguments: [
            (#"["seek",5]"#, .seek(MPVSeek(.relative(5)))),
            (#"["seek",-5.5,"relative"]"#, .seek(MPVSeek(.relative(-5.5)))),
            (#"["seek",1,"-"]"#, .seek(MPVSeek(.relative(1)))),
            (#"["seek","1:30","absolute"]"#, .seek(MPVSeek(.absolute(90)))),
            (#"["seek","-01:00:00.5"]"#, .seek(MPVSeek(.relative(-3600.5)))),
            (#"["seek","00:70","absolute"]"#, .seek(MPVSeek(.absolute(70)))),
            (#"["seek","0x10","absolute"]"#, .seek(MPVSeek(.absolute(16)))),
            (#"["seek",50,"absolute-percent+keyframes"]"#, .seek(MPVSeek(.absolutePercent(50), precision: .keyframes))),
            (#"["seek",50,"exact+relative-percent"]"#, .seek(MPVSeek(.relativePercent(50), precision: .exact))),
            (#"["seek",3,"absolute","exact"]"#, .seek(MPVSeek(.absolute(3), precision: .exact))),
            (#"["seek",3,"absolute","keyframes"]"#, .seek(MPVSeek(.absolute(3), precision: .keyframes))),
            (#"["seek",3,"absolute","default-precise"]"#, .seek(MPVSeek(.absolute(3)))),
            (#"["seek",3,"absolute+exact","keyframes"]"#, .seek(MPVSeek(.absolute(3)))),
            (#"{"name":"seek","target":3,"flags":"absolute"}"#, .seek(MPVSeek(.absolute(3)))),
            (
                #"{"name":"seek","flags":"absolute","target":"3","legacy":"exact","_flags":["no-osd"]}"#,
                .seek(MPVSeek(.absolute(3), precision: .exact))
            ),
            (#"["no-osd","async","seek",1]"#, .seek(MPVSeek(.relative(1)))),
            (#"["loadfile","/a.mp4"]"#, .loadFile(url: "/a.mp4", mode: .replace, options: [:])),
            (#"["loadfile","/a.mp4","append-play"]"#, .loadFile(url: "/a.mp4", mode: .appendPlay, options: [:])),
            (
                #"["loadfile","/a.mp4","append","start=3,b=\"x,y\",c=[q,w],d=%3%x,y,e="]"#,
                .loadFile(
                    url: "/a.mp4", mode: .append,
                    options: ["start": "3", "b": "x,y", "c": "q,w", "d": "x,y", "e": ""])
            ),
            (
                #"{"name":"loadfile","url":"/a.mp4","options":{"start":"2"}}"#,
                .loadFile(url: "/a.mp4", mode: .replace, options: ["start": "2"])
            ),
            // mpv 0.38 put an index before the options.
            (#"["loadfile","/a.mp4","append",-1]"#, .loadFile(url: "/a.mp4", mode: .append, options: [:])),
            (
                #"["loadfile","/a.mp4","replace","-1","start=2"]"#,
                .loadFile(url: "/a.mp4", mode: .replace, options: ["start": "2"])
            ),
            (
                #"["loadfile","/a.mp4","insert-at",3,{"start":"2"}]"#,
                .loadFile(url: "/a.mp4", mode: .insertAt, index: 3, options: ["start": "2"])
            ),
            (
                #"{"name":"loadfile","url":"/a.mp4","flags":"insert-at-play","index":"0","options":"start=1"}"#,
                .loadFile(url: "/a.mp4", mode: .insertAtPlay, index: 0, options: ["start": "1"])
            ),
            (
                #"["loadfile","/a.mp4","insert-next-play"]"#,
                .loadFile(url: "/a.mp4", mode: .insertNextPlay, options: [:])
            ),
            (#"["loadfile","/a.mp4","append","start=2",0]"#, nil),
            (#"["loadfile","/a.mp4","append",0,0]"#, nil),
            (#"{"name":"loadfile","url":"/a.mp4","index":"start=2"}"#, nil),
            (#"["loadlist","/a.m3u","append"]"#, .loadList(url: "/a.m3u", mode: .append)),
            (#"["loadlist","/a.m3u","insert-at","1"]"#, .loadList(url: "/a.m3u", mode: .insertAt, index: 1)),
            (#"["quit-watch-later"]"#, .quit(code: 0)),
            (#"["playlist-play-index","current"]"#, .playlistPlayIndex(.current)),
            (#"["playlist-play-index",-1]"#, .playlistPlayIndex(.nothing)),
            (#"["playlist-remove"]"#, .playlistRemove(.current)),
            (#"["playlist-remove","2"]"#, .playlistRemove(.place(2))),
            (#"["playlist-move","0",2]"#, .playlistMove(from: 0, to: 2)),
            (#"["stop"]"#, .stop(keepPlaylist: false)),
            (#"["stop","keep-playlist"]"#, .stop(keepPlaylist: true)),
            (#"["quit"]"#, .quit(code: 0)),
            (#"["quit","0x10"]"#, .quit(code: 16)),
            (#"["screenshot-to-file","/a.png"]"#, .screenshotToFile(path: "/a.png", content: .subtitles)),
            (#"["screenshot-to-file","/a.png","window"]"#, .screenshotToFile(path: "/a.png", content: .window)),
            (#"["frame-step"]"#, .frameStep),
            (#"["frame-back-step"]"#, .frameBackStep),
            (#"["show-text","a"]"#, .showText("a", milliseconds: nil, level: 0)),
            (#"["show-text","a","500",1]"#, .showText("a", milliseconds: 500, level: 1)),
            (#"["playlist-next"]"#, .playlistNext(atEnd: .weak)),
            (#"["playlist-prev","force"]"#, .playlistPrevious(atStart: .force)),
            (#"["playlist-clear"]"#, .playlistClear),
            (#"["add","volume"]"#, .add(property: "volume", amount: 1)),
            (#"["add","volume","-1e1"]"#, .add(property: "volume", amount: -10)),
            (#"["cycle","pause"]"#, .cycle(property: "pause", step: 1)),
            (#"["cycle","volume","down"]"#, .cycle(property: "volume", step: -1)),
            (#"["cycle","volume","5"]"#, .cycle(property: "volume", step: 5)),
        ] as [(String, MPVCommand?)])
    func parsesCommand(_ line: String, _ command: MPVCommand?) {
        #expect(parsed(#"{"command":\#(line)}"#) == command)
    }

    @Test(
        "text lines are split into commands as in input.conf",
        arguments: [
            (
                "set pause yes; seek 10 exact # and on",
                [
                    .set(property: "pause", value: "yes"), .run(.seek(MPVSeek(.relative(10), precision: .exact))),
                ]
            ),
            (" \tno-osd ignore ;; ignore;", [.run(.ignore), .run(.ignore)]),
            (#"set a "b c\"\u00e9\\";ignore"#, [.set(property: "a", value: "b c\"é\\"), .run(.ignore)]),
            (#"set a 'b \c'"#, [.set(property: "a", value: #"b \c"#)]),
            (#"set a b"c"#, [.set(property: "a", value: #"b"c"#)]),
            ("set a b#c", [.set(property: "a", value: "b")]),
            ("ignore; nosuch", []), ("set a b c", []), (#"set a "b"#, []), (#"set a "b\"#, []), (#"set a "b"c"#, []),
            (#"set a "\q""#, []), ("get_property pause", []), ("", []), ("# ignore", []), ("[]", []), ("5", []),
        ] as [(String, [CommandRequest])])
    func parsesText(_ line: String, _ commands: [CommandRequest]) {
        #expect(IPCLine(line.utf8) == .text(commands))
    }

    @Test("text commands are expanded when they run")
    func textIsExpanded() async throws {
        try await serving { path, player in
            player.load()
            let client = try LineClient(path)
            try await client.send(#"show-text "${time-pos} of ${duration}" 2000; raw show-text ${pause}"#)
            try await client.send(#"set mute ${?pause==no:yes}; show-text ${pause}$${mute}; add volume ${volume}"#)
            _ = try await client.ask(#"{"command":["show-text","${pause}"]}"#)
            #expect(
                player.commands == [
                    .showText("00:00:00 of 00:00:20", milliseconds: 2000, level: 0),
                    .showText("${pause}", milliseconds: nil, level: 0),
                    // Numbers are not expanded, so nothing of the second line runs. In JSON, mpv expands nothing unless
                    // asked.
                    .showText("${pause}", milliseconds: nil, level: 0),
                ])
            #expect(player["mute"] == false)
        }
    }

    @Test("a text that grows beyond all bounds is refused")
    func boundedText() async throws {
        try await serving { path, player in
            player["path"] = .string(String(repeating: "x", count: 200_000))
            let text = String(repeating: "${path}", count: 10)
            let answer = try await LineClient(path).ask(#"{"command":["expand-text","\#(text)"]}"#)
            #expect(answer == #"{"request_id":0,"error":"error running command"}"#)
        }
    }

    @Test("numbers and lists are written for people, and raw where that is asked for")
    func printed() {
        let readings: [String: PropertyExpansion.Reading] = [
            "duration": .value(3_725.9), "time-remaining": .value(-61), "percent-pos": .value(49.6),
            "speed": .value(1.5),
            "container-fps": .value(29.970_029), "panscan": .value(0.0), "volume": .value(100.0),
            "alang": .value(["de", "en"]), "metadata": .value(["artist": "A", "title": "T"]), "sid": .value(false),
        ]
        let text =
            "${duration} ${=duration} ${time-remaining} ${percent-pos}% ${speed} ${container-fps} ${panscan} ${volume} "
            + "${alang} ${=alang} ${metadata}${sid}"
        #expect(
            PropertyExpansion(text).text(readings)
                == "01:02:05 3725.900000 -00:01:01 50% 1.5 29.97 0 100 de,en [\"de\",\"en\"] artist: A\ntitle: T\nno")
    }

    @Test("words of one client come to the others, or to the one that they are for")
    func clientMessages() async throws {
        try await serving { path, _ in
            let (one, other) = (try await connected(path), try await connected(path))
            _ = try await other.ask(#"{"command":["script-message-to","ipc_0","for","one"]}"#)
            #expect(try await one.line() == #"{"event":"client-message","args":["for","one"]}"#)
            try await one.send("script-message next-exhibit ${pause}")
            for client in [one, other] {
                #expect(try await client.line() == #"{"event":"client-message","args":["next-exhibit","no"]}"#)
            }
        }
    }

    @Test("the log is asked for in vain, and the client hears so")
    func logMessages() async throws {
        try await serving { path, _ in
            let client = try LineClient(path)
            for (level, error) in [
                ("info", "operation not implemented"), ("terminal-default", "operation not implemented"),
                ("loud", "invalid parameter"), ("no", "success"),
            ] {
                let answer = try await client.ask(#"{"command":["request_log_messages","\#(level)"]}"#)
                #expect(answer == #"{"request_id":0,"error":"\#(error)"}"#, "\(level)")
            }
        }
    }

    @Test("a list is changed as mpv changes it")
    func lists() throws {
        var list: JSONValue = ["de", "en"]
        for (operation, value, result) in [
            ("append", "fr", ["de", "en", "fr"]), ("remove", "de", ["en", "fr"]), ("toggle", "fr", ["en"]),
            ("toggle", "fr", ["en", "fr"]), ("pre", "a,b", ["a", "b", "en", "fr"]), ("set", "x,y", ["x", "y"]),
            ("add", "z,z", ["x", "y", "z", "z"]), ("clr", "", []),
        ] as [(String, String, JSONValue)] {
            list = try list.changed(by: operation, value)
            #expect(list == result)
        }
        #expect(throws: MPVError.errorRunningCommand) { try list.changed(by: "nosuch", "a") }
        #expect(throws: MPVError.errorRunningCommand) { try JSONValue.integer(1).changed(by: "append", "a") }
    }

    @Test("members that an entry of mpv's lists need not have are unavailable")
    func missingMembers() async throws {
        try await serving { path, player in
            player.load()
            let client = try LineClient(path)
            for (name, error) in [
                ("track-list/0/lang", "property unavailable"), ("track-list/0/zzz", "property not found"),
                ("track-list/9/lang", "property not found"), ("playlist/0/title", "property unavailable"),
            ] {
                let answer = try await client.ask(#"{"command":["get_property","\#(name)"]}"#)
                #expect(answer == #"{"request_id":0,"error":"\#(error)"}"#, "\(name)")
            }
        }
    }

    @Test("text commands run and are not answered")
    func textRuns() async throws {
        try await serving { path, player in
            let client = try LineClient(path)
            try await client.send("seek 3 absolute; set mute yes")
            try await client.send("nosuch")
            #expect(try await client.ask(#"{"command":["client_name"]}"#).contains("ipc_0"))
            #expect(player["mute"] == true)
            #expect(player.commands == [.seek(MPVSeek(.absolute(3)))])
        }
    }

    @Test("command-list and property-list name what there is")
    func listsOfNames() async throws {
        try await serving { path, _ in
            let client = try LineClient(path)
            let commands = try await client.ask(#"{"command":["get_property","command-list"]}"#)
            #expect(
                commands.contains(
                    #"{"name":"quit","args":[{"name":"code","type":"Integer","optional":true}],"vararg":false}"#))
            for name in ["loadfile", "seek", "stop", "screenshot-to-file", "set", "add", "cycle"] {
                #expect(commands.contains(#"{"name":"\#(name)","#))
            }
            let properties = try await client.ask(#"{"command":["get_property","property-list"]}"#)
            for name in ["pause", "volume", "property-list", "command-list"] {
                #expect(properties.contains("\"\(name)\""))
            }
        }
    }
}
