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
            (#"["loadlist","/a.m3u","append"]"#, .loadList(url: "/a.m3u", mode: .append)),
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
        ] as [(String, MPVCommand)])
    func parsesCommand(_ line: String, _ command: MPVCommand) {
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
    func lists() async throws {
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
