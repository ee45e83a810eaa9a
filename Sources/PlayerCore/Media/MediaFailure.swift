/// Why a film cannot be played, or not any further.
public struct MediaFailure: Error, Hashable, Sendable {
    public enum Reason: Hashable, Sendable {
        case noSuchFile
        case noPermission
        /// The file has neither video nor sound.
        case notMedia
        /// A plugin is missing; the value is the Debian package that has it, if known.
        case missingPlugin(package: String?)
        /// The pipeline could not be built.
        case cannotBuild
        /// The sound card was removed; the film can be opened again without it.
        case audioLost
        case network
        /// The server sends the film only from its start, and the film's index is at its end.
        case needsRanges
        /// A playlist on a server: only files are read as playlists.
        case remoteList
        /// There is no desktop to open a window on.
        case noDesktop
        /// The stream is damaged or of an unknown kind.
        case broken
        /// GStreamer did not answer in time.
        case stuck
        /// The caller no longer waits.
        case cancelled
        case other
    }

    public var reason: Reason
    /// One line for people: "Error received from element NAME: TEXT", or the attempt, its object, and the remedy.
    public var message: String
    /// GStreamer's debug text, for the log.
    public var details: String?
    /// `nil` if the error is not GStreamer's.
    public var code: GStreamerCode?
    /// The web server's status, such as 404.
    public var httpStatus: Int?
    /// The hardware decoder that is to blame, as far as is known: the film may play with another one.
    public var decoder: VideoDecoder?
    /// Whether `decoder` failed because this load needs frames in another form than it makes: turned, cropped, scaled
    /// or blended. Another load of the film may use it.
    public var needsOtherForm = false
    /// Why the server's certificate was not trusted; only in a program that asks for it
    /// (`ProcessTuning.explainCertificates`).
    public var doubt: CertificateDoubt?

    public init(
        reason: Reason, message: String, details: String? = nil, code: GStreamerCode? = nil, httpStatus: Int? = nil,
        doubt: CertificateDoubt? = nil
    ) {
        self.reason = reason
        self.message = message
        self.details = details
        self.code = code
        self.httpStatus = httpStatus
        self.doubt = doubt
    }
}

extension MediaFailure {
    /// - Parameter name: the film's name, without passwords.
    public static func needsRanges(_ name: String, details: String? = nil, code: GStreamerCode?) -> MediaFailure {
        let what = "its server sends it from its start only, and the film's index is at its end; "
        let remedy = "ffmpeg -i FILM -c copy -movflags +faststart COPY.mp4"
        return MediaFailure(
            reason: .needsRanges, message: "\(name): \(what)make a copy that begins with it: \(remedy)",
            details: details, code: code)
    }
}

extension MediaFailure.Reason {
    /// What to do about it.
    public var remedy: String {
        switch self {
        case .noSuchFile: "check the path; copy the film there"
        case .noPermission: "make it readable: chmod a+r"
        case .notMedia: "it is no film, or damaged; copy it again"
        case .remoteList: "copy the list here, or name its films"
        case .missingPlugin(let package):
            package.map { "sudo apt install \($0)" } ?? "find GStreamer's plugin for it: gst-inspect-1.0"
        case .cannotBuild: "install GStreamer's plugins: tools/packages run"
        case .audioLost: "plug the card in again; aplay -l lists the cards"
        case .network: "check the network and the server; play it again"
        case .noDesktop: "start it on a desktop, or play on a display"
        case .broken, .needsRanges: "copy the film again, or make it anew with ffmpeg"
        case .stuck: "start the program again; if it stays, another file or decoder"
        case .cancelled: "ask again"
        case .other: "the log has GStreamer's details"
        }
    }
}

extension MediaFailure {
    /// The message, with the remedy where the words are GStreamer's, and where a file is not there.
    public var advice: String {
        switch reason {
        case .needsRanges, .remoteList, .missingPlugin, .noDesktop, .other: message
        case .noSuchFile: "\(message) (\(reason.remedy))"
        default: code == nil ? message : "\(message) (\(reason.remedy))"
        }
    }
}

extension MediaFailure: CustomStringConvertible {
    public var description: String { message }
}
