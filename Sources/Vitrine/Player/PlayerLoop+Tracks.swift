internal import Logging
internal import Media
internal import PlayerCore

extension PlayerLoop {
    /// The number of the track that is heard, or read; `nil` for none.
    func selectedTrack(_ kind: MediaCharacteristic) -> Int? {
        session.tracks.selected(kind, among: session.options, preferring: preferences)
    }

    /// Whether the subtitles that are chosen are shown; they stay chosen where they are not.
    func setSubtitlesShown(_ areShown: Bool) {
        preferences.areSubtitlesShown = areShown
        refreshOSD()
    }

    /// Per cent of the films' own loudness, as ears measure it.
    func setVolume(_ volume: Double) {
        preferences.sound.volume = min(max(volume, 0), 100)
        applySound()
    }

    /// Silent or not, however loud it is.
    func setMuted(_ muted: Bool) {
        preferences.sound.isMuted = muted
        applySound()
    }

    /// What is to be heard now.
    var sound: FilmOutput.Sound {
        var sound = preferences.sound
        if let mediaInfo = session.mediaInfo, mediaInfo.hasAudio, selectedTrack(.audible) == nil {
            sound.isMuted = true
        }
        return sound
    }

    func applySound() {
        session.pipeline?.setSound(sound)
    }

    /// Called whenever tracks or preferences are others.
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
        notifyMachineOfTracks()
        layOutSubtitles()
        refreshOSD()
    }

    // MARK: Subtitles

    /// A text of the film's own.
    func learn(_ cue: Cue, of track: Int) {
        let number = session.tracks.add(cue, ofOwn: track)
        if selectedTrack(.legible) == number { notifyScreen() }
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
            session.tracks.add(found, own: session.mediaInfo?.tracks ?? [])
            applyTracks()
        }
    }

    /// What is to be read now.
    var subtitle: String {
        guard osd.isEnabled, session.mediaInfo != nil, let texts = session.texts(preferences) else { return "" }
        return texts.text(at: session.time(at: clock.now))
    }

    /// The surface has room for subtitles while there are some to be read.
    func layOutSubtitles() {
        let wants = selectedTrack(.legible) != nil
        guard osd.isEnabled, wants != osd.layout.hasSubtitles else { return }
        osd.setScreen(stage.controlsScreen(hasSubtitles: wants))
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
