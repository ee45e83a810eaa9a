internal import Control
internal import Media
internal import PlayerCore

/// What clients change by what it is now: in one go, because several may ask at once.
extension VitrinePlayer {
    func seek(_ seek: MPVSeek) throws(MPVError) {
        // One that is still being opened remembers it (M6).
        guard !queue.isIdle else { throw .errorRunningCommand }
        func part(_ percent: Double) throws(MPVError) -> MediaTime {
            // Further than from one end to the other is nowhere.
            guard let duration = session.duration, abs(percent) <= 100 else { throw .errorRunningCommand }
            return duration.scaled(by: percent / 100)
        }
        func time(_ seconds: Double) throws(MPVError) -> MediaTime {
            guard let time = MediaTime(inSeconds: seconds) else { throw .errorRunningCommand }
            return time.clamped(to: -MediaTime.farthest...MediaTime.farthest)
        }
        let (target, isRelative): (MediaTime, Bool)
        switch seek.target {
        case .absolute(let seconds) where seconds < 0: (target, isRelative) = (try part(100) + time(seconds), false)
        case .absolute(let seconds): (target, isRelative) = (try time(seconds), false)
        case .relative(let seconds): (target, isRelative) = (currentTime + (try time(seconds)), true)
        case .absolutePercent(let percent): (target, isRelative) = (try part(percent), false)
        case .relativePercent(let percent): (target, isRelative) = (currentTime + (try part(percent)), true)
        }
        let exact = seek.precision == .exact || (seek.precision == .standard && !isRelative)
        guard self.seek(to: max(target, .zero), within: exact ? .exact : .keyFrameBefore) else {
            throw .errorRunningCommand
        }
    }

    /// Beyond a property's range the nearest end counts.
    func add(_ amount: Double, to name: String) throws(MPVError) {
        switch name {
        case "volume": setVolume(preferences.sound.volume + amount)
        case "speed": try setSpeed(clamped: abs(session.wantedRate.factor) + amount)
        // In between there is nothing.
        case "panscan": setFilling(stage.gravity == .resizeAspectFill ? amount >= 0 : amount > 0)
        case "chapter": try stepChapter(amount)
        case "time-pos", "playback-time": try seek(MPVSeek(.relative(amount)))
        case "percent-pos": try seek(MPVSeek(.relativePercent(amount)))
        default: throw .errorRunningCommand
        }
    }

    func multiply(_ name: String, by factor: Double) throws(MPVError) {
        switch name {
        case "volume": setVolume(preferences.sound.volume * factor)
        case "speed": try setSpeed(clamped: abs(session.wantedRate.factor) * factor)
        default: throw .errorRunningCommand
        }
    }

    /// A flag flips, a repetition is without end or none.
    func cycle(_ name: String, _ step: Double) throws(MPVError) {
        switch RemoteProperty.aliases[name]?.rawValue ?? name {
        case "pause": setPlaying(!isPlaying)
        case "mute": setMuted(!preferences.sound.isMuted)
        case "keepaspect": setKeepingAspect(stage.gravity == .resize)
        case "panscan": setFilling(stage.gravity != .resizeAspectFill)
        case "loop-file": setFilmRepetition(queue.list.itemRepetition == .none ? .forever : .none)
        case "loop-playlist": setPlaylistRepetition(queue.list.repetition == .none ? .forever : .none)
        case "chapter": try stepChapter(step)
        case "sub-visibility": setSubtitlesShown(!preferences.areSubtitlesShown)
        case "aid": cycle(.audible, step)
        case "sid": cycle(.legible, step)
        default: throw .errorRunningCommand
        }
    }

    /// One after another, and then none.
    private func cycle(_ kind: MediaCharacteristic, _ step: Double) {
        let places: [Int?] = [nil] + session.options.filter { $0.kind == kind }.map(\.number)
        let now = places.firstIndex(of: selectedTrack(kind)) ?? 0
        _ = select(kind, places[(now + (step < 0 ? places.count - 1 : 1)) % places.count])
    }

    private func stepChapter(_ amount: Double) throws(MPVError) {
        guard let step = Int(exactly: amount.rounded()), abs(amount) <= 1e6, stepChapter(by: step) else {
            throw .errorRunningCommand
        }
    }

    // MARK: Rate

    private func setSpeed(clamped factor: Double) throws(MPVError) {
        try setSpeed(min(max(factor, PlaybackRate.slowest.factor), PlaybackRate.fastest.factor))
    }

    /// Without a sign: the direction stays.
    func setSpeed(_ factor: Double) throws(MPVError) { try setRate(session.rate.isReverse ? -factor : factor) }

    func setDirection(isReverse: Bool) throws(MPVError) {
        try setRate(isReverse ? -abs(session.wantedRate.factor) : abs(session.wantedRate.factor))
    }

    private func setRate(_ factor: Double) throws(MPVError) {
        guard let rate = PlaybackRate(factor: factor), setRate(rate) else { throw .unsupportedPropertyFormat }
        // It is kept for the films that follow. What a demuxer refuses comes a moment later, as the properties' change.
        guard session.rate == rate else { throw .notSupported }
    }

    // MARK: Gravity

    /// mpv's `panscan`; what is stretched stays so where it is 0 already.
    func setFilling(_ isFilling: Bool) {
        guard isFilling != (stage.gravity == .resizeAspectFill) else { return }
        setGravity(isFilling ? .resizeAspectFill : .resizeAspect)
    }

    /// mpv's `keepaspect`; what is filled stays so where it is kept already.
    func setKeepingAspect(_ isKept: Bool) {
        guard isKept != (stage.gravity != .resize) else { return }
        setGravity(isKept ? .resizeAspect : .resize)
    }
}
