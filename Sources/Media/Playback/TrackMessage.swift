internal import CGStreamer
internal import PlayerCore

/// A message on the bus that passes a track from the streaming thread that found it to the film's worker.
enum TrackMessage {
    static let name = "vitrine-track"

    static func post(_ track: MediaOption, on pipeline: Element) {
        pipeline.post(
            name,
            [
                "kind": track.kind.rawValue, "number": "\(track.number)", "language": track.language?.description,
                "title": track.title, "codec": track.codec,
            ])
    }

    static func track(in structure: Structure) -> MediaOption? {
        guard let kind = structure.string("kind").flatMap({ MediaCharacteristic(rawValue: $0) }),
            let number = structure.string("number").flatMap({ Int($0) })
        else { return nil }
        return MediaOption(
            kind: kind, number: number, language: structure.string("language").flatMap { LanguageTag($0) },
            title: structure.string("title"), codec: structure.string("codec"))
    }

    /// Posts the track again with each of its tags. The pad belongs to an element of the pipeline.
    static func watch(_ pad: Pad, _ kind: MediaCharacteristic, _ number: Int, in pipeline: Element) {
        pad.watch(GST_EVENT_TAG) { [unowned pipeline] pad, event in
            // The pad has the tags that arrived earlier.
            var track = MediaOption(kind: kind, number: number, pad)
            if let tags = event.tags { track.learn(tags) }
            post(track, on: pipeline)
        }
    }
}
