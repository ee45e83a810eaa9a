internal import KMS
internal import Logging
internal import Media
internal import PlayerCore

extension PlayerLoop {
    func expectSeek() {
        counters.seekIsAsked()
        // A seek was requested before the film's length was known.
        session.setStartPlace(nil)
        session.leaveEnd()
    }

    private func mayStep(byCount count: Int) -> Bool {
        guard count != 0, let mediaInfo = session.mediaInfo, mediaInfo.hasVideo, mediaInfo.isSeekable,
            !mediaInfo.isLive,
            let frames = session.pipeline?.frames
        else { return false }
        return count > 0 || session.scrubber.isSeeking || frames.start ?? .zero > .zero
    }

    /// Steps so many frames on, or back, in a film that is to pause.
    /// - Returns: `false` if there are none in that direction.
    func takeStep(byCount count: Int) -> Bool {
        guard mayStep(byCount: count), let frames = session.pipeline?.frames else { return false }
        follow(.paused)
        expectSeek()
        // In sound behind the last frame the position is further on than last updated.
        updatePosition()
        let shown = Scrubber.ShownFrame(
            start: frames.start ?? .zero, place: max(frames.time ?? .zero, session.scrubber.displayedTime))
        scrub(.step(count, from: shown), at: clock.now)
        refreshOSD()
        return true
    }

    /// Changes the gravity: the film that plays is opened anew at its position, behind its last frame.
    func setGravity(_ gravity: VideoGravity) {
        guard gravity != stage.gravity else { return }
        stage.gravity = gravity
        fitAnew()
    }

    /// Opens the film anew, because its area or gravity has changed.
    func fitAnew() {
        // The film that follows a reported end gets the new fit; this one would report its end again.
        guard stage.screen != nil, let film = session.pipeline,
            let mediaInfo = session.mediaInfo, mediaInfo.hasVideo
        else { return }
        // Live media continue where they are by then, and a still has no position. A stream that a server sends once,
        // from the start, stays as it is, and so does the last frame of live media.
        let isLive = mediaInfo.isLive && !film.frames.hasEnded
        let isAnywhere = (isLive || session.isStill) && session.location?.isRepeatable == true
        guard mediaInfo.isSeekable || isAnywhere else { return }
        if isAnywhere { forgetSeek() }
        let place = losePipeline()
        open(at: isAnywhere ? nil : place)
    }

    // MARK: Screenshots

    /// Writes a screenshot of the display, or the window, to a PNG or JPEG file, by the extension of its name.
    func screenshot(to path: String) async throws(PlayerError) {
        let (display, film, log) = (stage.display, stage.screen == nil ? nil : session.pipeline, log)
        do throws(PlayerError) {
            try await runBlocking { () throws(PlayerError) in
                let picture = try Self.picture(of: display, or: film, for: path, log)
                do throws(MediaFailure) {
                    try PictureFile.write(picture.bytes, width: picture.width, height: picture.height, to: path)
                } catch {
                    throw PlayerError(ofScreenshot: error, path)
                }
            }
        } catch {
            log.error("no screenshot: \(error)")
            throw error
        }
    }

    /// In a window, there is only the film with the bar.
    private static func picture(
        of display: Display?, or film: (any MediaPipeline)?, for path: String, _ log: Logger
    ) throws(PlayerError) -> KMS.Picture {
        if let display {
            do throws(KMSError) {
                return try display.capture { error in
                    log.debug("a screenshot is composed of the planes' frames, not the display's output: \(error)")
                }
            } catch {
                throw PlayerError(error, of: display.choice.connectorName, attempt: .takeScreenshot)
            }
        }
        guard let picture = film?.copyFrame() else {
            let text = "the player has no display, and no film's frame in a window"
            throw .noPicture(PlayerError.Circumstances(attempt: .takeScreenshot, address: path, text: text))
        }
        return KMS.Picture(width: picture.width, height: picture.height, bytes: picture.bytes)
    }
}
