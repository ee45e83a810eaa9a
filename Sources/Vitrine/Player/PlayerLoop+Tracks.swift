internal import Logging
internal import Media
internal import PlayerCore

extension PlayerLoop {
    /// The number of the audible or visible track; `nil` for none.
    func selectedTrack(_ kind: MediaCharacteristic) -> Int? {
        session.tracks.selected(kind, among: session.options, preferring: preferences)
    }

    /// Sets whether the chosen subtitles are shown; hidden ones stay chosen.
    func setSubtitlesShown(_ areShown: Bool) {
        preferences.areSubtitlesShown = areShown
        refreshOSD()
    }

    /// Sets the volume in per cent of the films' own loudness, on a perceptual scale.
    func setVolume(_ volume: Double) {
        preferences.sound.volume = min(max(volume, 0), 100)
        applySound()
    }

    /// Sets whether the sound is muted, whatever the volume is.
    func setMuted(_ muted: Bool) {
        preferences.sound.isMuted = muted
        applySound()
    }

    /// The current sound settings.
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

    /// Applies tracks or preferences after a change.
    func applyTracks() {
        if let heard = session.tracks.heard,
            let wanted = session.tracks.wanted(.audible, among: session.options, preferring: preferences),
            wanted != heard
        {
            session.tracks.heard = wanted
            session.pipeline?.selectAudio(wanted)
            // Discards the decoded samples of the previous track.
            seekAgain()
        }
        applySound()
        notifyMachineOfTracks()
        layOutSubtitles()
        refreshOSD()
    }

    // MARK: Subtitles

    /// Adds a text of the film's own track.
    func learn(_ cue: Cue, of track: Int) {
        let number = session.tracks.add(cue, ofOwn: track)
        if selectedTrack(.legible) == number { notifyScreen() }
    }

    /// Takes a text of closed captions.
    func learn(_ change: CaptionReader.Change) {
        let known = session.tracks.captions.count
        let number = session.tracks.show(change, own: session.mediaInfo?.tracks ?? [])
        if session.tracks.captions.count > known { return applyTracks() }
        if number != nil, selectedTrack(.legible) == number { notifyScreen() }
    }

    /// Searches for subtitle files beside a film that has just been opened.
    func loadSubtitles(of location: MediaLocation) {
        guard location.isLocal else { return }
        let session = session
        Task {
            let found = await runBlocking { [log] () -> [(file: SubtitleFile, texts: CueList)] in
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
            // A pipeline that was rebuilt meanwhile has searched for them, too.
            guard session === self.session, session.tracks.beside.isEmpty, !found.isEmpty else { return }
            session.tracks.add(found, own: session.mediaInfo?.tracks ?? [])
            applyTracks()
        }
    }

    /// The current subtitles.
    var subtitle: String {
        guard osd.isEnabled, session.mediaInfo != nil, let texts = session.texts(preferences) else { return "" }
        return texts.text(at: session.time(at: clock.now))
    }

    /// Gives the surface room for subtitles while there are any.
    func layOutSubtitles() {
        let wants = selectedTrack(.legible) != nil
        guard osd.isEnabled, wants != osd.layout.hasSubtitles else { return }
        osd.setScreen(stage.controlsScreen(hasSubtitles: wants))
        guard let before = osd.forgetOverlay() else { return ensureOverlay() }
        // One after the other: the previous overlay must not remove the next one's framebuffer.
        osd.beginBuilding()
        Task {
            _ = await before.stop()
            osd.endBuilding()
            ensureOverlay()
        }
    }
}
