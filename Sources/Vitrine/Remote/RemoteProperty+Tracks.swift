internal import Control
internal import PlayerCore

/// mpv's `track-list`: the pictures, then sounds and subtitles.
extension VitrinePlayer {
    var trackList: JSONValue {
        let pictures = session.facts.flatMap { json(ofPictures: $0) }
        return .array((pictures.map { [$0] } ?? []) + session.options.map { json(of: $0) })
    }

    /// As the container has them: neither turned nor made square.
    private func json(ofPictures facts: MediaFacts) -> JSONValue? {
        guard facts.hasVideo else { return nil }
        var json: JSONObject = [
            "id": 1, "type": "video", "selected": true, "external": false, "image": .bool(facts.isPicture),
            "albumart": false,
        ]
        json["codec"] = facts.videoCodec.map { .string($0) }
        json["demux-w"] = facts.codedWidth.map { .integer(Int64($0)) }
        json["demux-h"] = facts.codedHeight.map { .integer(Int64($0)) }
        json["demux-fps"] = facts.pictureRate.map { .double($0) }
        if facts.orientation.rotation != .none {
            json["demux-rotation"] = .integer(Int64(facts.orientation.rotation.rawValue))
        }
        return .object(json)
    }

    private func json(of track: MediaOption) -> JSONValue {
        var json: JSONObject = [
            "id": .integer(Int64(track.number)), "type": track.kind == .audible ? "audio" : "sub",
            "selected": .bool(selectedTrack(track.kind) == track.number), "external": .bool(track.file != nil),
        ]
        json["lang"] = track.language.map { .string($0.description) }
        json["title"] = track.title.map { .string($0) }
        json["codec"] = track.codec.map { .string($0) }
        json["external-filename"] = track.file.map { .string($0) }
        json["vitrine/name"] = .string(track.displayName)
        return .object(json)
    }
}
