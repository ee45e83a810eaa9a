/// The answers of mpv 0.35.1 (Debian bookworm), byte for byte: `>` is a request, `<` its reply.
///
/// Recorded with `mpv --no-config --idle --vo=null --ao=null --input-ipc-server=SOCKET`, one request after another on
/// one connection, events disabled.
struct MPVTranscript {
    var rows: [(request: String, reply: String)] = []

    init(_ text: String) {
        var request = ""
        for line in text.split(separator: "\n") {
            if line.hasPrefix("> ") {
                request = String(line.dropFirst(2))
            } else {
                rows.append((request, String(line.dropFirst(2))))
            }
        }
    }

    /// Nothing is loaded.
    static let idle = MPVTranscript(
        #"""
        > {"command": ["get_property", "pause"]}
        < {"data":false,"request_id":0,"error":"success"}
        > {"command": ["get_property", "pause"], "request_id": 7}
        < {"data":false,"request_id":7,"error":"success"}
        > {"command": ["get_property", "pause"], "request_id": "abc"}
        < {"data":false,"request_id":"abc","error":"success"}
        > {"command": ["get_property", "pause"], "request_id": 1.5}
        < {"data":false,"request_id":1.500000,"error":"success"}
        > {"command": ["get_property", "pause"], "request_id": -4}
        < {"data":false,"request_id":-4,"error":"success"}
        > {"command": ["get_property", "pause"], "request_id": null}
        < {"data":false,"request_id":null,"error":"success"}
        > {"command": ["get_property", "pause"], "request_id": 9223372036854775807}
        < {"data":false,"request_id":9223372036854775807,"error":"success"}
        > {"command": ["get_property", "pause"], "request_id": true}
        < {"data":false,"request_id":true,"error":"success"}
        > {"command": ["get_property", "pause"], "request_id": [1, "a\n\"\\/"]}
        < {"data":false,"request_id":[1,"a\n\"\\/"],"error":"success"}
        > {"command":["get_property","pause"],"request_id":18446744073709551616}
        < {"data":false,"request_id":18446744073709551616.000000,"error":"success"}
        > {"command":["get_property","pause"],"request_id":0.1234567891}
        < {"data":false,"request_id":0.123457,"error":"success"}
        > {"command":["get_property","pause"],"request_id":NaN}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":["get_property","pause"],"request_id":{"a":[null,"x"],"b":1}}
        < {"data":false,"request_id":{"a":[null,"x"],"b":1},"error":"success"}
        > {"command": ["get_property", "nosuch"]}
        < {"request_id":0,"error":"property not found"}
        > {"command": ["get_property"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["get_property", "pause", "x"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["get_property", 5]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["get_property", null]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["get_property", ""]}
        < {"request_id":0,"error":"property not found"}
        > {"command": ["get_property", "nosuch/x"]}
        < {"request_id":0,"error":"property not found"}
        > {"command": ["get_property", "pause/x"]}
        < {"request_id":0,"error":"error accessing property"}
        > {"command": ["get_property_string", "pause"]}
        < {"data":"no","request_id":0,"error":"success"}
        > {"command": ["get_property_string", "volume"]}
        < {"data":"100.000000","request_id":0,"error":"success"}
        > {"command": ["get_property_string", "nosuch"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["get_property_string"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["get_property_string", "a", "b"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["set_property", "pause", true]}
        < {"request_id":0,"error":"success"}
        > {"command": ["set_property", "pause", "yes"]}
        < {"request_id":0,"error":"success"}
        > {"command": ["set_property", "pause", ""]}
        < {"request_id":0,"error":"success"}
        > {"command": ["set_property", "pause", "no"]}
        < {"request_id":0,"error":"success"}
        > {"command": ["set_property", "pause", 5]}
        < {"request_id":0,"error":"error accessing property"}
        > {"command": ["set_property", "pause", 1]}
        < {"request_id":0,"error":"error accessing property"}
        > {"command": ["set_property", "pause", "maybe"]}
        < {"request_id":0,"error":"unsupported format for accessing property"}
        > {"command": ["set_property", "pause", "true"]}
        < {"request_id":0,"error":"unsupported format for accessing property"}
        > {"command": ["set_property", "pause", "YES"]}
        < {"request_id":0,"error":"unsupported format for accessing property"}
        > {"command": ["set_property", "pause", null]}
        < {"request_id":0,"error":"error accessing property"}
        > {"command": ["set_property", "pause", [1]]}
        < {"request_id":0,"error":"error accessing property"}
        > {"command": ["set_property", "pause"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["set_property", "nosuch", 1]}
        < {"request_id":0,"error":"property not found"}
        > {"command": ["set_property", null, 1]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["set_property", "volume", 33]}
        < {"request_id":0,"error":"success"}
        > {"command": ["set_property", "volume", 33.25]}
        < {"request_id":0,"error":"success"}
        > {"command": ["get_property", "volume"]}
        < {"data":33.250000,"request_id":0,"error":"success"}
        > {"command": ["set_property", "volume", "40"]}
        < {"request_id":0,"error":"success"}
        > {"command": ["set_property", "volume", "abc"]}
        < {"request_id":0,"error":"unsupported format for accessing property"}
        > {"command": ["set_property", "volume", -5]}
        < {"request_id":0,"error":"unsupported format for accessing property"}
        > {"command": ["set_property", "volume", 5000]}
        < {"request_id":0,"error":"unsupported format for accessing property"}
        > {"command": ["set_property", "volume", true]}
        < {"request_id":0,"error":"error accessing property"}
        > {"command": ["set_property", "property-list", 1]}
        < {"request_id":0,"error":"error accessing property"}
        > {"command": ["set_property", "command-list", []]}
        < {"request_id":0,"error":"error accessing property"}
        > {"command": ["set_property_string", "pause", "yes"]}
        < {"request_id":0,"error":"success"}
        > {"command": ["set_property_string", "pause", "qq"]}
        < {"request_id":0,"error":"unsupported format for accessing property"}
        > {"command": ["set_property_string", "pause", false]}
        < {"request_id":0,"error":"success"}
        > {"command": ["set_property_string", "pause", 5]}
        < {"request_id":0,"error":"error accessing property"}
        > {"command": ["set_property_string", "pause"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["set_property_string", "nosuch", "x"]}
        < {"request_id":0,"error":"property not found"}
        > {"command": ["nosuch"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["nosuch", 1, 2], "request_id": 3}
        < {"request_id":3,"error":"invalid parameter"}
        > {"command": ["suspend"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":[]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":"get_property pause"}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":5}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":null}
        < {"request_id":0,"error":"invalid parameter"}
        > {}
        < {"request_id":0,"error":"invalid parameter"}
        > {"request_id":5}
        < {"request_id":5,"error":"invalid parameter"}
        > {"command":[
        < {"request_id":0,"error":"invalid parameter"}
        > {"request_id":4,"command":5}
        < {"request_id":4,"error":"invalid parameter"}
        > {"command":["get_property","mute"],}
        < {"data":false,"request_id":0,"error":"success"}
        > {command:["get_property","mute"]}
        < {"data":false,"request_id":0,"error":"success"}
        >   {"command":["get_property","mute"]}  
        < {"data":false,"request_id":0,"error":"success"}
        > {"command":["get_property","\q"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":["get_property","mute"],"async":true,"request_id":9}
        < {"data":false,"request_id":9,"error":"success"}
        > {"command":["get_property","mute"],"async":5,"request_id":9}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":["get_property","mute"],"foo":5,"request_id":9}
        < {"data":false,"request_id":9,"error":"success"}
        > {"command":["nosuch"],"async":true,"request_id":9}
        < {"request_id":9,"error":"invalid parameter"}
        > {"command":["show-text","x"],"async":true,"request_id":9}
        < {"request_id":9,"error":"success","data":null}
        > {"command":["set_property","nosuch",3.5],"request_id":4,"async":true}
        < {"request_id":4,"error":"property not found"}
        > {"command":{"name":"show-text","text":"x"}}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command":{"name":"get_property","property":"pause"}}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":{"name":"show-text"}}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":{"name":"show-text","text":"x","foo":1}}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":{"text":"x"}}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":{"name":5}}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":{"name":"nosuch"}}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":{"name":"client_name"}}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":{"name":"ignore","_flags":["no-osd"]}}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command":{"name":"ignore","_flags":"no-osd"}}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":{"name":"ignore","_flags":["foo"]}}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["client_name"]}
        < {"data":"ipc_0","request_id":0,"error":"success"}
        > {"command": ["client_name", 1]}
        < {"data":"ipc_0","request_id":0,"error":"success"}
        > {"command": ["get_version"]}
        < {"data":131072,"request_id":0,"error":"success"}
        > {"command": ["get_time_ns"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["enable_event"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["enable_event", "all"]}
        < {"request_id":0,"error":"success"}
        > {"command": ["enable_event", "nosuch"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["disable_event", "seek"]}
        < {"request_id":0,"error":"success"}
        > {"command": ["disable_event", "all"]}
        < {"request_id":0,"error":"success"}
        > {"command": ["enable_event", 5]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["disable_event"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["disable_event", "tick"]}
        < {"request_id":0,"error":"success"}
        > {"command": ["enable_event", "queue-overflow"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["enable_event", "pause"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["disable_event", "all"]}
        < {"request_id":0,"error":"success"}
        > {"command": ["request_log_messages", "no"]}
        < {"request_id":0,"error":"success"}
        > {"command": ["request_log_messages", "zzz"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["request_log_messages", 5]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["request_log_messages"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["observe_property"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["observe_property", 1]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["observe_property", "1", "pause"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["observe_property", 1.5, "pause"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["observe_property", 1, 5]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["observe_property", 1, "mute", "x"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["observe_property", true, "pause"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":["observe_property",9223372036854775808,"pause"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["unobserve_property", 99]}
        < {"request_id":0,"error":"success"}
        > {"command": ["unobserve_property", "2"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["unobserve_property"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["set", "pause", "yes"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["set", "pause", true]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["set", "pause", "maybe"]}
        < {"request_id":0,"error":"error running command"}
        > {"command": ["set", "nosuch", "1"]}
        < {"request_id":0,"error":"error running command"}
        > {"command": ["set", "pause"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["set", "volume", "5000"]}
        < {"request_id":0,"error":"error running command"}
        > {"command": ["set", "volume", 20]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["set", "duration", "5"]}
        < {"request_id":0,"error":"error running command"}
        > {"command": ["set", "pause", "no"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["add", "volume", 5]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["add", "volume", "5"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["add", "volume"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["add", "volume", "x"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["add", "volume", ""]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["add", "volume", true]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["add", "nosuch", 1]}
        < {"request_id":0,"error":"error running command"}
        > {"command": ["add", "pause", 1]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["add", "volume", 5000]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["get_property", "volume"]}
        < {"data":130.000000,"request_id":0,"error":"success"}
        > {"command": ["add", "volume", -1000]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["get_property", "volume"]}
        < {"data":0.000000,"request_id":0,"error":"success"}
        > {"command": ["add", "duration", 1]}
        < {"request_id":0,"error":"error running command"}
        > {"command": ["add", 5, 1]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["add"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["cycle", "mute"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["cycle", "mute", "up"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["cycle", "mute", "down"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["cycle", "mute", "1"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["cycle", "mute", "sideways"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["cycle", "nosuch"]}
        < {"request_id":0,"error":"error running command"}
        > {"command": ["cycle", "mute", 1]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["cycle"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["cycle", "duration"]}
        < {"request_id":0,"error":"error running command"}
        > {"command": ["set_property", "mute", false]}
        < {"request_id":0,"error":"success"}
        > {"command": ["set_property", "pause", true]}
        < {"request_id":0,"error":"success"}
        > {"command": ["show-text"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["show-text", "a"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["show-text", "a", 500]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["show-text", "a", "500"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["show-text", "a", "0x10"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["show-text", "a", "x"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["show-text", "a", 500, 1]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["show-text", "a", 500, 1, 1]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["show-text", 5]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["show-text", true]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["show-text", null]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["show-text", "a", -1]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["show-text", "a", 1.5]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["show-text", "a", 1099511627776]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["show-text", "a", ""]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["ignore"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["ignore", 1]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["no-osd", "ignore"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["no-osd"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["foo", "ignore"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["frame-step", 1]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["frame-back-step", "x"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["stop", "zzz"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["stop", 1]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["quit", "x"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["quit", 5, 6]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["playlist-next", "zzz"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["playlist-next", ""]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["playlist-prev", "zzz"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["playlist-clear", 1]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["loadfile"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["loadfile", 5]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["loadfile", "x", "zzz"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["loadfile", "x", ""]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["loadfile", "x", 0]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["loadfile", "x", "replace", "start"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["loadfile", "x", "replace", ["a"]]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["loadfile", "x", "replace", {"start": 4}]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["screenshot-to-file"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["screenshot-to-file", "/x/y.png", "zzz"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["screenshot-to-file", "/x/y.png", ""]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["screenshot-to-file", 5]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["get_property", "time-pos"]}
        < {"request_id":0,"error":"property unavailable"}
        > {"command": ["get_property", "duration"]}
        < {"request_id":0,"error":"property unavailable"}
        > {"command": ["get_property", "percent-pos"]}
        < {"request_id":0,"error":"property unavailable"}
        > {"command": ["get_property", "path"]}
        < {"request_id":0,"error":"property unavailable"}
        > {"command": ["get_property", "media-title"]}
        < {"request_id":0,"error":"property unavailable"}
        > {"command": ["get_property", "playlist"]}
        < {"data":[],"request_id":0,"error":"success"}
        > {"command": ["get_property_string", "time-pos"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["set_property", "time-pos", 3]}
        < {"request_id":0,"error":"property unavailable"}
        > {"command": ["set_property", "duration", 3]}
        < {"request_id":0,"error":"property unavailable"}
        > {"command": ["set_property", "path", "x"]}
        < {"request_id":0,"error":"property unavailable"}
        > {"command": ["playlist-next"]}
        < {"request_id":0,"error":"error running command"}
        > {"command": ["playlist-prev"]}
        < {"request_id":0,"error":"error running command"}
        > {"command": ["ignore"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["seek", 1, "absolute", "zzz"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", "abc", "absolute"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", "50%", "absolute"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", "5 ", "absolute"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", "5s"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", "1:2:3:4"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", "inf"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", "nan"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", ""]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", null]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", true]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", [1]]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", 1, "zzz"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", 1, "absolute+zzz"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", 1, "absolute exact"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", 1, 5]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", 1, "+"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", 1, "absolute", "exact", "x"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", 1, "absolute+relative"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", 1, "keyframes+exact"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":{"name":"seek","flags":"absolute"}}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":{"name":"seek","target":"3","flags":["absolute","exact"]}}
        < {"request_id":0,"error":"error running command"}
        > {"command": ["seek", 5]}
        < {"request_id":0,"error":"error running command"}
        > {"command": ["seek", 5, "absolute"]}
        < {"request_id":0,"error":"error running command"}
        > {"command": ["seek", 50, "absolute-percent"]}
        < {"request_id":0,"error":"error running command"}
        > {"command": ["seek", 5, "relative-percent"]}
        < {"request_id":0,"error":"error running command"}
        > {"command": ["seek", 1, "relative+exact"]}
        < {"request_id":0,"error":"error running command"}
        > {"command": ["seek", 1, "exact+absolute"]}
        < {"request_id":0,"error":"error running command"}
        > {"command": ["seek", 1, "absolute", "exact"]}
        < {"request_id":0,"error":"error running command"}
        > {"command": ["seek", "1:30", "absolute"]}
        < {"request_id":0,"error":"error running command"}
        > {"command": ["seek", "+3", "relative"]}
        < {"request_id":0,"error":"error running command"}
        > {"command": ["seek", " 5"]}
        < {"request_id":0,"error":"error running command"}
        > {"command": ["seek", "0x10"]}
        < {"request_id":0,"error":"error running command"}
        > {"command": ["seek", ".5"]}
        < {"request_id":0,"error":"error running command"}
        > {"command": ["seek", "7."]}
        < {"request_id":0,"error":"error running command"}
        > {"command": ["seek", 1, ""]}
        < {"request_id":0,"error":"error running command"}
        > {"command": ["seek", 1, "-"]}
        < {"request_id":0,"error":"error running command"}
        > {"command": ["seek", 1, "absolute+"]}
        < {"request_id":0,"error":"error running command"}
        > {"command":{"name":"seek","target":3,"flags":"absolute","legacy":"exact"}}
        < {"request_id":0,"error":"error running command"}
        > {"request_id":4,"command":{"name":"seek","target":1,"flags":"absolute"},"async":true}
        < {"request_id":4,"error":"error running command","data":null}
        """#)

    /// A film of 20 s with one video track is loaded from /tmp/film.mp4 (with `--keep-open=yes`), and paused.
    static let film = MPVTranscript(
        #"""
        > {"command": ["get_property", "duration"]}
        < {"data":20.000000,"request_id":0,"error":"success"}
        > {"command": ["get_property", "path"]}
        < {"data":"/tmp/film.mp4","request_id":0,"error":"success"}
        > {"command": ["get_property", "playlist/0/filename"]}
        < {"data":"/tmp/film.mp4","request_id":0,"error":"success"}
        > {"command": ["get_property", "playlist/count"]}
        < {"data":1,"request_id":0,"error":"success"}
        > {"command": ["get_property", "playlist/9/filename"]}
        < {"request_id":0,"error":"property not found"}
        > {"command": ["get_property", "playlist/0/zzz"]}
        < {"request_id":0,"error":"property not found"}
        > {"command": ["get_property", "playlist/x"]}
        < {"request_id":0,"error":"property not found"}
        > {"command": ["get_property", "playlist/"]}
        < {"request_id":0,"error":"property not found"}
        > {"command": ["get_property", "playlist/-1"]}
        < {"request_id":0,"error":"property not found"}
        > {"command": ["get_property", "track-list/count"]}
        < {"data":1,"request_id":0,"error":"success"}
        > {"command": ["get_property", "track-list/0/type"]}
        < {"data":"video","request_id":0,"error":"success"}
        > {"command": ["get_property", "eof-reached"]}
        < {"data":false,"request_id":0,"error":"success"}
        > {"command": ["get_property_string", "duration"]}
        < {"data":"20.000000","request_id":0,"error":"success"}
        > {"command": ["get_property_string", "playlist/count"]}
        < {"data":"1","request_id":0,"error":"success"}
        > {"command": ["set_property", "time-pos", 3]}
        < {"request_id":0,"error":"success"}
        > {"command": ["set_property", "time-pos", "00:00:04"]}
        < {"request_id":0,"error":"success"}
        > {"command": ["set_property", "time-pos", "x"]}
        < {"request_id":0,"error":"unsupported format for accessing property"}
        > {"command": ["set_property", "time-pos", true]}
        < {"request_id":0,"error":"error accessing property"}
        > {"command": ["set_property", "time-pos", null]}
        < {"request_id":0,"error":"error accessing property"}
        > {"command": ["set_property", "percent-pos", 50]}
        < {"request_id":0,"error":"success"}
        > {"command": ["set_property", "percent-pos", "50"]}
        < {"request_id":0,"error":"success"}
        > {"command": ["set_property", "percent-pos", 500]}
        < {"request_id":0,"error":"unsupported format for accessing property"}
        > {"command": ["set_property", "duration", 3]}
        < {"request_id":0,"error":"error accessing property"}
        > {"command": ["set_property", "path", "x"]}
        < {"request_id":0,"error":"error accessing property"}
        > {"command": ["set_property", "eof-reached", true]}
        < {"request_id":0,"error":"error accessing property"}
        > {"command": ["set", "time-pos", "x"]}
        < {"request_id":0,"error":"error running command"}
        > {"command": ["add", "time-pos", -1]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["add", "path", 1]}
        < {"request_id":0,"error":"error running command"}
        > {"command": ["seek", 1, "absolute", "zzz"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", "abc", "absolute"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", "50%", "absolute"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", "5 ", "absolute"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", "5s"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", "1:2:3:4"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", "inf"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", "nan"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", ""]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", null]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", true]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", [1]]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", 1, "zzz"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", 1, "absolute+zzz"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", 1, "absolute exact"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", 1, 5]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", 1, "+"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", 1, "absolute", "exact", "x"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", 1, "absolute+relative"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command": ["seek", 1, "keyframes+exact"]}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":{"name":"seek","flags":"absolute"}}
        < {"request_id":0,"error":"invalid parameter"}
        > {"command":{"name":"seek","target":"3","flags":["absolute","exact"]}}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["seek", 5]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["seek", 5, "absolute"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["seek", 50, "absolute-percent"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["seek", 5, "relative-percent"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["seek", 1, "relative+exact"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["seek", 1, "exact+absolute"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["seek", 1, "absolute", "exact"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["seek", "1:30", "absolute"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["seek", "+3", "relative"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["seek", " 5"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["seek", "0x10"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["seek", ".5"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["seek", "7."]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["seek", 1, ""]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["seek", 1, "-"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command": ["seek", 1, "absolute+"]}
        < {"data":null,"request_id":0,"error":"success"}
        > {"command":{"name":"seek","target":3,"flags":"absolute","legacy":"exact"}}
        < {"data":null,"request_id":0,"error":"success"}
        > {"request_id":4,"command":{"name":"seek","target":1,"flags":"absolute"},"async":true}
        < {"request_id":4,"error":"success","data":null}
        > {"command": ["screenshot-to-file", "/nonexistent/a.png", "video"]}
        < {"request_id":0,"error":"error running command"}
        """#)
}
