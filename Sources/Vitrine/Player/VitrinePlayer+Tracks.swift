internal import Control
internal import Logging
internal import Media
public import PlayerCore

extension VitrinePlayer {
    /// The number of the track that is heard, or read; `nil` for none.
    public func selectedTrack(_ kind: MediaCharacteristic) -> Int? {
        session.tracks.selected(kind, among: session.options, preferring: preferences)
    }

    /// Chooses a track by its number, or none; one in the same language will be chosen of the films that follow.
    /// - Returns: `false` where there is no such track.
    public func select(_ kind: MediaCharacteristic, _ number: Int?) -> Bool {
        guard number == nil || session.options.contains(where: { $0.kind == kind && $0.number == number }) else {
            return false
        }
        conduct(.command(.choose(queue.list.current, kind, number.map { .track($0 - 1) } ?? .off)))
        return true
    }

    /// What is wanted of this film and those that follow.
    public func setWish(_ kind: MediaCharacteristic, _ wish: TrackWish) {
        conduct(.command(.wish(kind, wish)))
        selectAutomatically(kind)
    }

    /// The track that was wished for, in place of one that was chosen by its number.
    public func selectAutomatically(_ kind: MediaCharacteristic) {
        conduct(.command(.choose(queue.list.current, kind, .automatic)))
    }

    /// Whether the subtitles that are chosen are shown; they stay chosen where they are not.
    func setSubtitlesShown(_ areShown: Bool) {
        preferences.areSubtitlesShown = areShown
        hub.changed([.subVisibility])
        refreshOSD()
    }

    /// Per cent of the films' own loudness, as ears measure it.
    public func setVolume(_ volume: Double) {
        preferences.sound.volume = min(max(volume, 0), 100)
        applySound()
    }

    /// Silent or not, however loud it is.
    public func setMuted(_ muted: Bool) {
        preferences.sound.isMuted = muted
        applySound()
    }

    /// What is to be heard now.
    var sound: FilmOutput.Sound {
        var sound = preferences.sound
        if let facts = session.facts, facts.hasAudio, selectedTrack(.audible) == nil { sound.isMuted = true }
        return sound
    }

    func applySound() {
        session.pipeline?.setSound(sound)
        hub.changed([.volume, .mute])
    }

    /// Called whenever tracks or wishes are others.
    func applyTracks() {
        if let heard = session.tracks.heard,
            let wanted = session.tracks.wanted(.audible, among: session.options, preferring: preferences),
            wanted != heard
        {
            session.tracks.heard = wanted
            session.pipeline?.selectAudio(wanted)
            // What was decoded of the track before is thrown away.
            seekAgain()
        }
        applySound()
        tellMachineOfTracks()
        layOutSubtitles()
        hub.changed(RemoteProperty.ofTracks)
        refreshOSD()
    }

    // MARK: Subtitles

    /// A text of the film's own.
    func learn(_ cue: Cue, of track: Int) {
        let number = session.tracks.add(cue, ofOwn: track)
        if selectedTrack(.legible) == number { hub.changed([.subText]) }
    }

    /// Looks for files beside a film that has just been opened.
    func loadSubtitles(of location: MediaLocation) {
        guard location.isLocal else { return }
        let session = session
        Task {
            let found = await offLoop { [log] () -> [(file: SubtitleFile, texts: CueList)] in
                SubtitleFile.beside(location).compactMap { file in
                    do throws(MediaFailure) {
                        let cues = try file.cues()
                        if !cues.cues.isEmpty { return (file, cues) }
                        log.warning("\(file.path): no text is found in it")
                    } catch {
                        log.warning("\(error.message): its texts are not shown")
                    }
                    return nil
                }
            }
            // A pipeline that was built anew meanwhile has looked for them, too.
            guard session === self.session, session.tracks.beside.isEmpty, !found.isEmpty else { return }
            session.tracks.add(found, own: session.facts?.tracks ?? [])
            applyTracks()
        }
    }

    /// What is to be read now.
    var subtitle: String {
        guard osd.isEnabled, session.facts != nil, let texts = session.texts(preferences) else { return "" }
        return texts.text(at: session.time(at: clock.now))
    }

    /// The strip has room for subtitles while there are some to be read.
    func layOutSubtitles() {
        let wants = selectedTrack(.legible) != nil
        guard osd.isEnabled, wants != osd.layout.hasSubtitles else { return }
        osd.setLayout(stage.layout(hasSubtitles: wants))
        guard let before = osd.forgetOverlay() else { return ensureOverlay() }
        // One after the other: what the one before takes off the screen is none of the next one's.
        osd.beginBuilding()
        Task {
            _ = await before.stop()
            osd.endBuilding()
            ensureOverlay()
        }
    }
}
