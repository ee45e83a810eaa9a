public import KMS
internal import Media
public import PlayerCore

/// The errors of the library.
///
/// Each case has the attempt, its object, GStreamer's report, and the remedy.
public enum PlayerError: Error, Hashable, Sendable {
    /// There is no file of this name.
    case noSuchFile(Circumstances)
    /// The file may not be read.
    case noPermission(Circumstances)
    /// The file has neither video nor sound.
    case notMedia(Circumstances)
    /// A plugin is missing; `package` is Debian's package that has it, if known.
    case missingPlugin(Circumstances, package: String?)
    /// GStreamer, or its pipeline, could not be set up.
    case cannotBuild(Circumstances)
    /// The sound card was removed or refuses the film's sound, and the film did not continue without it.
    case soundLost(Circumstances)
    /// The server cannot be reached, or refuses; errors that a reconnection may solve are retried before.
    case network(Circumstances)
    /// There is no desktop for a window, or somebody closed it.
    case noDesktop(Circumstances)
    /// The film is damaged.
    case damaged(Circumstances)
    /// GStreamer did not answer in time.
    case stuck(Circumstances)
    /// GStreamer stopped for another reason, which its code describes.
    case stopped(Circumstances)
    /// The display is not available, or refuses: the error names the kernel's call, and the remedy.
    case display(Circumstances, KMSError)
    /// There is no picture to write to a file.
    case noPicture(Circumstances)
    /// A picture cannot be written to its file.
    case cannotWrite(Circumstances)
    /// The waiting task was cancelled.
    case cancelled(Circumstances)

    /// The attempt, its object, and GStreamer's report.
    public struct Circumstances: Hashable, Sendable {
        /// The kinds of attempts.
        public enum Attempt: String, Hashable, Sendable {
            /// Loading an asset.
            case load
            /// Playing an item.
            case play
            /// Opening a display.
            case openDisplay
            /// Restoring a display.
            case restoreDisplay
            /// Switching a display on or off.
            case setPower
            /// Writing a screenshot.
            case takeScreenshot
            /// Making a still image of a film.
            case makeImage
        }

        /// The attempt.
        public var attempt: Attempt
        /// The asset's address as given, without a password, because errors are logged. For a display its connector,
        /// "any display" if none was named; for a screenshot its file.
        public var address: String
        /// The problem in one line; without the address's password, as is `details`.
        public var text: String
        /// The problem in words for a viewer: without names of GStreamer, folders or servers.
        public var userMessage: String
        /// GStreamer's domain and number for it; `nil` if the error is not GStreamer's, as for a missing file.
        public var code: GStreamerCode?
        /// GStreamer's debug text, for a log.
        public var details: String?

        /// Circumstances of one's own, as for an engine in a test; passwords in texts are removed.
        public init(
            attempt: Attempt, address: String, text: String, userMessage: String? = nil, code: GStreamerCode? = nil,
            details: String? = nil
        ) {
            self.attempt = attempt
            self.address = MediaLocation.withoutPassword(address)
            self.text = MediaLocation.withoutPassword(of: address, text)
            self.userMessage = userMessage.map { MediaLocation.withoutPassword(of: address, $0) } ?? self.text
            self.code = code
            self.details = details.map { MediaLocation.withoutPassword(of: address, $0) }
        }
    }

    init(_ failure: MediaFailure, address: String, attempt: Circumstances.Attempt = .play) {
        let circumstances = Circumstances(
            attempt: attempt, address: address, text: failure.message,
            userMessage: failure.userMessage(
                about: MediaLocation.title(of: address), isLocal: MediaLocation.isLocal(address)),
            code: failure.code, details: failure.details)
        self =
            switch failure.reason {
            case .noSuchFile: .noSuchFile(circumstances)
            case .noPermission: .noPermission(circumstances)
            case .notMedia, .remoteList: .notMedia(circumstances)
            case .missingPlugin(let package): .missingPlugin(circumstances, package: package)
            case .cannotBuild: .cannotBuild(circumstances)
            case .audioLost: .soundLost(circumstances)
            case .network: .network(circumstances)
            case .noDesktop: .noDesktop(circumstances)
            case .broken, .needsRanges: .damaged(circumstances)
            case .stuck: .stuck(circumstances)
            case .cancelled: .cancelled(circumstances)
            case .other: .stopped(circumstances)
            }
    }

    init(_ error: KMSError, of display: String, attempt: Circumstances.Attempt) {
        let userMessage = "the display cannot be used"
        self = .display(
            Circumstances(attempt: attempt, address: display, text: "\(error)", userMessage: userMessage), error)
    }

    init(ofScreenshot failure: MediaFailure, _ path: String) {
        let circumstances = Circumstances(
            attempt: .takeScreenshot, address: path, text: failure.message, userMessage: "the picture cannot be kept",
            code: failure.code, details: failure.details)
        switch failure.reason {
        case .missingPlugin(let package): self = .missingPlugin(circumstances, package: package)
        case .cannotBuild: self = .cannotBuild(circumstances)
        default: self = .cannotWrite(circumstances)
        }
    }

    /// The circumstances of any case.
    public var circumstances: Circumstances {
        switch self {
        case .noSuchFile(let circumstances), .noPermission(let circumstances), .notMedia(let circumstances),
            .missingPlugin(let circumstances, _), .cannotBuild(let circumstances), .soundLost(let circumstances),
            .network(let circumstances), .noDesktop(let circumstances), .damaged(let circumstances),
            .stuck(let circumstances), .stopped(let circumstances), .display(let circumstances, _),
            .noPicture(let circumstances), .cannotWrite(let circumstances), .cancelled(let circumstances):
            circumstances
        }
    }

    /// The remedy.
    public var remedy: String {
        switch self {
        case .noSuchFile: MediaFailure.Reason.noSuchFile.remedy
        case .noPermission: MediaFailure.Reason.noPermission.remedy
        case .notMedia: MediaFailure.Reason.notMedia.remedy
        case .missingPlugin(_, let package): MediaFailure.Reason.missingPlugin(package: package).remedy
        case .cannotBuild: MediaFailure.Reason.cannotBuild.remedy
        case .soundLost: MediaFailure.Reason.audioLost.remedy
        case .network: MediaFailure.Reason.network.remedy
        case .noDesktop: MediaFailure.Reason.noDesktop.remedy
        case .damaged: MediaFailure.Reason.broken.remedy
        case .stuck: MediaFailure.Reason.stuck.remedy
        case .stopped: MediaFailure.Reason.other.remedy
        case .display(_, let error): error.remedy
        case .noPicture: "play a film first"
        case .cannotWrite: "check that the folder is there and may be written to, and that the disk has room"
        case .cancelled: MediaFailure.Reason.cancelled.remedy
        }
    }
}

extension PlayerError: CustomStringConvertible {
    /// One line: the problem, and the remedy if the text does not contain it.
    public var description: String {
        let text = circumstances.text
        // A display's remedy is a sentence.
        if case .display = self { return "\(text). \(remedy)" }
        return text.contains(remedy) ? text : "\(text) (\(remedy))"
    }
}
