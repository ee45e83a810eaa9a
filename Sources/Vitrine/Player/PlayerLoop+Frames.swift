internal import KMS
internal import Logging
internal import Media
internal import PlayerCore

extension PlayerLoop {
    func expectSeek() {
        counters.counted.seeksAsked += 1
        counters.unansweredTouch = nil
        // Somebody went elsewhere before the film's length was known.
        session.setOpeningPlace(nil)
        session.leaveEnd()
    }

    private func mayStep(byCount count: Int) -> Bool {
        guard count != 0, let mediaInfo = session.mediaInfo, mediaInfo.hasVideo, mediaInfo.isSeekable,
            !mediaInfo.isLive,
            let frames = session.pipeline?.frames
        else { return false }
        return count > 0 || session.scrubber.isSeeking || frames.start ?? .zero > .zero
    }

    /// So many frames on, or back, of a film that is to pause.
    /// - Returns: `false` where there are none that way.
    func takeStep(byCount count: Int) -> Bool {
        guard mayStep(byCount: count), let frames = session.pipeline?.frames else { return false }
        follow(.paused)
        expectSeek()
        // In sound behind the last frame the film is further on than that one was told to be.
        updatePosition()
        let shown = Scrubber.ShownFrame(
            start: frames.start ?? .zero, place: max(frames.time ?? .zero, session.scrubber.displayedTime))
        scrub(.step(count, from: shown), at: clock.now)
        refreshOSD()
        return true
    }

    /// Fits films into the display another way: the one that plays is opened anew where it is, behind its last frame.
    func setGravity(_ gravity: VideoGravity) {
        guard gravity != stage.gravity else { return }
        stage.gravity = gravity
        fitAnew()
    }

    /// Where films go, or how they are fitted, has changed.
    func fitAnew() {
        // What follows an end that was told is fitted so; the end would be reported again.
        guard stage.screen != nil, let film = session.pipeline,
            let mediaInfo = session.mediaInfo, mediaInfo.hasVideo
        else { return }
        // What is live goes on where it is by then, and a still has no place. What a server sends once, from the start, stays as
        // it is, and so does the last frame of what was live.
        let isLive = mediaInfo.isLive && !film.frames.hasEnded
        let isAnywhere = (isLive || session.isStill) && session.location?.isRepeatable == true
        guard mediaInfo.isSeekable || isAnywhere else { return }
        updatePosition()
        if isAnywhere { forgetSeek() }
        for case .rebuild(let time) in session.scrubber.handle(.lost, at: clock.now) {
            open(at: isAnywhere ? nil : time)
        }
    }

    // MARK: Pictures

    /// Writes what the display, or the window, shows to a PNG or JPEG file, by its name's ending.
    func screenshot(to path: String) async throws(PlayerError) {
        let (display, film) = (stage.display, stage.screen == nil ? nil : session.pipeline)
        do throws(PlayerError) {
            try await offLoop { () throws(PlayerError) in
                let picture = try Self.picture(of: display, or: film, for: path)
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

    /// In a window, the film with the bar is all there is.
    private static func picture(
        of display: Display?, or film: (any MediaPipeline)?, for path: String
    ) throws(PlayerError) -> KMS.Picture {
        if let display {
            do throws(KMSError) {
                return try display.capture()
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
