internal import Media
internal import PlayerCore

/// The films of which something was logged that is to be logged once.
struct LoggedFilms: Sendable {
    var warnings = ToldWarnings()
    /// It lost its sound in the middle, and goes on without. The next film tries the card again, and a display that is back.
    private(set) var silent: MediaLocation?
    /// With which decoders films did not play, in this run.
    private(set) var avoidedDecoders: [MediaLocation: AvoidedDecoders] = [:]
    /// It cannot be played at the rate that is wanted.
    var rateRefuser: MediaLocation?

    mutating func goOnSilently(_ film: MediaLocation?) { silent = film }

    /// - Returns: whether that is new.
    mutating func avoid(_ decoder: PictureDecoder, for film: MediaLocation) -> Bool {
        avoidedDecoders[film, default: AvoidedDecoders()].names.insert(decoder.name).inserted
    }

    /// Another film, or another display, is tried with sound.
    mutating func turn(to film: MediaLocation?) {
        if film != silent { silent = nil }
    }
}
