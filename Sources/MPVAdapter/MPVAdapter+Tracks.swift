internal import Control
internal import PlayerCore
internal import Vitrine

/// Audio and subtitle tracks.
extension MPVAdapter {
    /// mpv's `track-list`: video, then audio and subtitles.
    var trackList: JSONValue {
        let frames = mediaInfo.flatMap { json(ofFrames: $0) }
        return .array(
            (frames.map { [$0] } ?? []) + (options(of: .audible) + options(of: .legible)).map { json(of: $0) })
    }

    /// The container's size: neither turned nor square.
    private func json(ofFrames mediaInfo: MediaInfo) -> JSONValue? {
        guard mediaInfo.hasVideo else { return nil }
        var json: JSONObject = [
            "id": 1, "type": "video", "selected": true, "external": false, "image": .bool(mediaInfo.isPicture),
            "albumart": false,
        ]
        json["codec"] = mediaInfo.videoCodec.map { .string($0) }
        json["demux-w"] = mediaInfo.codedWidth.map { .count($0) }
        json["demux-h"] = mediaInfo.codedHeight.map { .count($0) }
        json["demux-fps"] = mediaInfo.frameRate.map { .double($0) }
        if mediaInfo.orientation.rotation != .none {
            json["demux-rotation"] = .count(mediaInfo.orientation.rotation.rawValue)
        }
        return .object(json)
    }

    private func json(of track: MediaOption) -> JSONValue {
        var json: JSONObject = [
            "id": .count(track.number), "type": track.kind == .audible ? "audio" : "sub",
            "selected": .bool(selectedTrack(track.kind) == track.number), "external": .bool(track.file != nil),
        ]
        json["lang"] = track.language.map { .string($0.description) }
        json["title"] = track.title.map { .string($0) }
        json["codec"] = track.codec.map { .string($0) }
        json["external-filename"] = track.file.map { .string($0) }
        json["vitrine/name"] = .string(track.displayName)
        return .object(json)
    }

    /// The tracks of a kind. Those of files beside the film are added a little later than its own.
    private func options(of kind: MediaCharacteristic) -> [MediaOption] {
        guard let mediaInfo else { return [] }
        return player.currentItem?.mediaSelectionGroup(for: kind)?.options
            ?? mediaInfo.tracks.filter { $0.kind == kind }
    }

    /// The number of the audible or visible track; `nil` for none. A choice counts before the player has applied it.
    private func selectedTrack(_ kind: MediaCharacteristic) -> Int? {
        switch player.currentItem?.choice(of: kind) {
        case .track(let place): options(of: kind).first { $0.number == place + 1 }?.number
        case .automatic: player.currentItem?.mediaSelectionGroup(for: kind)?.selectedOption?.number
        case .off, nil: nil
        }
    }

    /// The value of `aid` and `sid`.
    func selection(_ kind: MediaCharacteristic) -> JSONValue? {
        mediaInfo.map { _ in selectedTrack(kind).map { .count($0) } ?? .bool(false) }
    }

    /// Sets `aid` and `sid`: a track's number, `no` for none, `auto` for the preferred one.
    func select(_ kind: MediaCharacteristic, _ value: JSONValue) throws(MPVError) {
        switch value {
        case .string("no"), .bool(false): player.choose(.off, of: kind)
        case .string("auto"), .string("yes"), .bool(true): player.choose(.automatic, of: kind)
        default:
            let number = Int(try value.number(in: 1...10_000))
            guard options(of: kind).contains(where: { $0.number == number }) else { throw .errorAccessingProperty }
            player.choose(.track(number - 1), of: kind)
        }
    }

    /// Sets the criteria, also in place of a track that was chosen by its number.
    func setCriteria(_ preference: TrackPreference, for kind: MediaCharacteristic) {
        player.setMediaSelectionCriteria(preference, for: kind)
        player.choose(.automatic, of: kind)
    }

    /// Selects the tracks in turn, and then none.
    func cycle(_ kind: MediaCharacteristic, _ step: Double) {
        let numbers: [Int?] = [nil] + options(of: kind).map(\.number)
        let now = numbers.firstIndex(of: selectedTrack(kind)) ?? 0
        let next = numbers[(now + (step < 0 ? numbers.count - 1 : 1)) % numbers.count]
        player.choose(next.map { .track($0 - 1) } ?? .off, of: kind)
    }
}
