internal import Media
internal import PlayerCore

/// The films of which something was logged that is to be logged once.
struct LoggedFilms: Sendable {
    var warnings = ReportedWarnings()
    /// It lost its sound in the middle, and goes on without. The next film tries the card again, and a display that is back.
    private(set) var silent: MediaLocation?
    /// With which decoders films did not play, in this run.
    private var avoidedDecoders: [MediaLocation: AvoidedDecoders] = [:]
    /// With which decoders loads of a film did not play that needed frames in another form than the decoder makes.
    private var avoidedForms: [FilmOnScreen: AvoidedDecoders] = [:]

    /// Loads of one film that need its frames in the same form.
    private struct FilmOnScreen: Hashable {
        var film: MediaLocation
        /// A film that is not recorded upright is turned nevertheless.
        var screenTakesFramesAsTheyAre: Bool
    }
    /// It cannot be played at the rate that is wanted.
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

    /// Another film, or another display, is tried with sound.
    mutating func turn(to film: MediaLocation?) {
        if film != silent { silent = nil }
    }
}
