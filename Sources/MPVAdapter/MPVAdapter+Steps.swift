internal import Control
internal import Media
internal import PlayerCore
internal import Vitrine

/// Changes relative to a property's current value.
extension MPVAdapter {
    // MARK: Position

    /// The film's position, unless another client seeks meanwhile: several may ask at once.
    private func currentPosition() async -> MediaTime? {
        while true {
            let before = seekCount
            let position = await player.position
            if seekCount == before { return position }
        }
    }

    func seek(_ seek: MPVSeek) async throws(MPVError) {
        // An item that is not open yet remembers the seek.
        guard let item = player.currentItem else { throw .errorRunningCommand }
        func part(_ percent: Double) throws(MPVError) -> MediaTime {
            // No place is further away than from one end to the other.
            guard let duration = item.duration, abs(percent) <= 100 else { throw .errorRunningCommand }
            return duration.scaled(by: percent / 100)
        }
        func time(_ seconds: Double) throws(MPVError) -> MediaTime {
            guard let time = MediaTime(inSeconds: seconds) else { throw .errorRunningCommand }
            return time.clamped(to: -MediaTime.farthest...MediaTime.farthest)
        }
        let offset: MediaTime
        let isRelative: Bool
        switch seek.target {
        case .absolute(let seconds) where seconds < 0: (offset, isRelative) = (try part(100) + time(seconds), false)
        case .absolute(let seconds): (offset, isRelative) = (try time(seconds), false)
        case .relative(let seconds): (offset, isRelative) = (try time(seconds), true)
        case .absolutePercent(let percent): (offset, isRelative) = (try part(percent), false)
        case .relativePercent(let percent): (offset, isRelative) = (try part(percent), true)
        }
        guard let start = isRelative ? await currentPosition() : .zero else { throw .errorRunningCommand }
        let isExact = seek.precision == .exact || (seek.precision == .standard && !isRelative)
        guard jump(to: max(start + offset, .zero), within: isExact ? .exact : .keyFrameBefore) else {
            throw .errorRunningCommand
        }
    }

    private func jump(to time: MediaTime, within tolerance: SeekTolerance = .exact) -> Bool {
        seekCount += 1
        return player.jump(to: time, within: tolerance)
    }

    /// - Returns: `false` if there is no such place, or nothing is seekable.
    func go(to place: ChapterList.Place?) -> Bool {
        guard let place, mediaInfo?.isSeekable == true else { return false }
        switch place {
        case .behind: return advance(by: 1)
        case .time(let time): return jump(to: time)
        }
    }

    private func stepChapter(_ amount: Double) async throws(MPVError) {
        guard let step = Int(exactly: amount.rounded()), abs(amount) <= 1e6, let position = await currentPosition(),
            let mediaInfo,
            go(to: mediaInfo.chapters.place(stepping: step, from: position, within: mediaInfo.frameLength))
        else { throw .errorRunningCommand }
    }

    // MARK: Commands

    /// Adds to a property, clamped to its range.
    func add(_ amount: Double, to name: String) async throws(MPVError) {
        switch MPVProperty(named: name) {
        case .volume: player.loudness.percent += amount
        case .speed: try setSpeed(clamped: abs(player.defaultRate.factor) + amount)
        // Only the two ends exist.
        case .panscan: setFilling(player.gravity == .resizeAspectFill ? amount >= 0 : amount > 0)
        case .chapter: try await stepChapter(amount)
        case .timePos, .playbackTime: try await seek(MPVSeek(.relative(amount)))
        case .percentPos: try await seek(MPVSeek(.relativePercent(amount)))
        default: throw .errorRunningCommand
        }
    }

    func multiply(_ name: String, by factor: Double) throws(MPVError) {
        switch MPVProperty(named: name) {
        case .volume: player.loudness.percent *= factor
        case .speed: try setSpeed(clamped: abs(player.defaultRate.factor) * factor)
        default: throw .errorRunningCommand
        }
    }

    /// Toggles a flag; a repetition is either for ever or none.
    func cycle(_ name: String, _ step: Double) async throws(MPVError) {
        switch MPVProperty(named: name) {
        case .pause: setPaused(!player.rate.isPaused)
        case .mute: player.isMuted.toggle()
        case .keepaspect: setKeepingAspect(player.gravity == .resize)
        case .panscan: setFilling(player.gravity != .resizeAspectFill)
        case .loopFile: player.itemRepetition = player.itemRepetition == .none ? .forever : .none
        case .loopPlaylist: player.repetition = player.repetition == .none ? .forever : .none
        case .chapter: try await stepChapter(step)
        case .subVisibility: player.showsSubtitles.toggle()
        case .aid: cycle(.audible, step)
        case .sid: cycle(.legible, step)
        default: throw .errorRunningCommand
        }
    }

    // MARK: Rate

    private func setSpeed(clamped factor: Double) throws(MPVError) {
        try setSpeed(min(max(factor, EntryOptions.speeds.lowerBound), EntryOptions.speeds.upperBound))
    }

    /// Sets the speed without a sign: the direction stays.
    func setSpeed(_ factor: Double) throws(MPVError) { try setRate(filmRate.isReverse ? -factor : factor) }

    func setDirection(isReverse: Bool) throws(MPVError) {
        try setRate(isReverse ? -abs(player.defaultRate.factor) : abs(player.defaultRate.factor))
    }

    private func setRate(_ factor: Double) throws(MPVError) {
        guard let rate = PlaybackRate(factor: factor), !rate.isPaused, rate == rate.playable else {
            throw .unsupportedPropertyFormat
        }
        player.defaultRate = rate
        // The rate is kept for the films that follow. A demuxer's refusal changes the properties a moment later.
        guard filmRate == rate else { throw .notSupported }
    }

    // MARK: Gravity

    /// Sets mpv's `panscan`. If it is 0 already, a stretched film stays so.
    func setFilling(_ isFilling: Bool) {
        guard isFilling != (player.gravity == .resizeAspectFill) else { return }
        player.gravity = isFilling ? .resizeAspectFill : .resizeAspect
    }

    /// Sets mpv's `keepaspect`. If it is set already, a film that fills the display stays so.
    func setKeepingAspect(_ isKept: Bool) {
        guard isKept != (player.gravity != .resize) else { return }
        player.gravity = isKept ? .resizeAspect : .resize
    }
}
