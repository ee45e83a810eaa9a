internal import Media
internal import PlayerCore

/// The films for which something was logged that must be logged only once.
struct LoggedFilms: Sendable {
    var warnings = ReportedWarnings()
    /// A film that lost its sound while playing, and continues without. The next film tries the card again, and so does
    /// this one when a display returns.
    private(set) var silent: MediaLocation?
    /// The decoders that films did not play with, in this run.
    private var avoidedDecoders: [MediaLocation: AvoidedDecoders] = [:]
    /// The decoders that loads of a film did not play with because they need frames in another form than the decoder
    /// makes.
    private var avoidedForms: [FilmOnScreen: AvoidedDecoders] = [:]

    /// Loads of one film that need its frames in the same form.
    private struct FilmOnScreen: Hashable {
        var film: MediaLocation
        /// Whether the screen takes frames unchanged. A film that is not recorded upright is turned nevertheless.
        var screenTakesFramesAsTheyAre: Bool
    }
    /// The film that cannot be played at the requested rate.
    var rateRefuser: MediaLocation?

    mutating func goOnSilently(_ film: MediaLocation?) { silent = film }

    /// - Returns: whether that is new.
    mutating func avoid(_ decoder: VideoDecoder, for film: MediaLocation) -> Bool {
        avoidedDecoders[film, default: AvoidedDecoders()].names.insert(decoder.name).inserted
    }

    /// The same for loads on screens like this one: the decoder is not broken.
    mutating func avoid(_ decoder: VideoDecoder, for film: MediaLocation, on screen: FilmOutput.Screen?) -> Bool {
        let filmOnScreen = FilmOnScreen(film: film, screenTakesFramesAsTheyAre: screen?.goesAsItIs == true)
        return avoidedForms[filmOnScreen, default: AvoidedDecoders()].names.insert(decoder.name).inserted
    }

    func avoidedDecoders(of film: MediaLocation, on screen: FilmOutput.Screen?) -> AvoidedDecoders {
        var avoided = avoidedDecoders[film] ?? AvoidedDecoders()
        let filmOnScreen = FilmOnScreen(film: film, screenTakesFramesAsTheyAre: screen?.goesAsItIs == true)
        if let others = avoidedForms[filmOnScreen] { avoided.formUnion(others) }
        return avoided
    }

    /// Resets the silent film: another film, or another display, is tried with sound.
    mutating func turn(to film: MediaLocation?) {
        if film != silent { silent = nil }
    }
}
