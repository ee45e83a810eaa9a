public import KMS
internal import Media
public import PlayerCore

/// Why something of the library's did not work: all that there is.
///
/// Each case tells what was tried, on what, what GStreamer says to it, and what would help.
public enum PlayerError: Error, Hashable, Sendable {
    /// There is no file of this name.
    case noSuchFile(Circumstances)
    /// The file may not be read.
    case noPermission(Circumstances)
    /// There is neither film nor sound in it.
    case notMedia(Circumstances)
    /// With Debian's package that has the plugin, where that is known.
    case missingPlugin(Circumstances, package: String?)
    /// GStreamer, or its pipeline, could not be set up.
    case cannotBuild(Circumstances)
    /// The sound card went away or refuses the film's sound, and the film did not go on without it.
    case soundLost(Circumstances)
    /// There is no way to the server, or it refuses; what a reconnection would mend is tried again before.
    case network(Circumstances)
    /// There is no desktop for a window, or somebody closed it.
    case noDesktop(Circumstances)
    /// The film is damaged.
    case damaged(Circumstances)
    /// GStreamer did not answer in time.
    case stuck(Circumstances)
    /// GStreamer stopped for a reason that has no case of its own: its code says more.
    case stopped(Circumstances)
    /// The display cannot be had, or does not do it: the error says which of the kernel's calls refused, and what would help.
    case display(Circumstances, KMSError)
    /// There is no picture to write to a file.
    case noPicture(Circumstances)
    /// A picture cannot be written to its file.
    case cannotWrite(Circumstances)
    /// Whoever waited was cancelled.
    case cancelled(Circumstances)

    /// What was tried, on what, and what GStreamer says to it.
    public struct Circumstances: Hashable, Sendable {
        /// What can be tried.
        public enum Attempt: String, Hashable, Sendable {
            /// To look what is in an asset.
            case load
            /// To play an item.
            case play
            /// To open a display.
            case openDisplay
            /// To give a display back, as it was.
            case restoreDisplay
            /// To switch a display on or off.
            case setPower
            /// To write what is seen to a file.
            case takeScreenshot
            /// To make a still image of a film.
            case makeImage
        }

        /// What was tried.
        public var attempt: Attempt
        /// The asset's address as it was given, except for a password in it: errors are written into logs. Of a display its
        /// connector, "any display" where none was named; of a screenshot its file.
        public var address: String
        /// What is wrong, in one line; without the address's password, as `details`.
        public var text: String
        /// What is wrong, in words for a viewer: without names of GStreamer's, folders or servers.
        public var userMessage: String
        /// GStreamer's domain and number for it; `nil` where it is not GStreamer's matter, as a file that is not there.
        public var code: GStreamerCode?
        /// GStreamer's debug text, for a log.
        public var details: String?

        /// One of somebody's own, as for an engine in a test; passwords in texts are left out.
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

    /// Those of whichever case it is.
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

    /// What would help.
    public var remedy: String {
        switch self {
        case .noSuchFile: "check the path; copy the film there"
        case .noPermission: "make it readable: chmod a+r"
        case .notMedia: "look at it with \"vitrine inspect\"; copy the film again"
        case .missingPlugin(_, let package):
            package.map { "sudo apt install \($0)" } ?? "find GStreamer's plugin for it: gst-inspect-1.0"
        case .cannotBuild: "install GStreamer's plugins: tools/packages run"
        case .soundLost: "plug the card in again; aplay -l lists the cards"
        case .network: "check the network and the server; play it again"
        case .noDesktop: "start it on a desktop, or play on a display"
        case .damaged: "copy the film again, or convert it: vitrine inspect tells how"
        case .stuck: "start the program again; if it stays, another file or decoder"
        case .stopped: "the log has GStreamer's details"
        case .display(_, let error): error.remedy
        case .noPicture: "play a film first"
        case .cannotWrite: "check that the folder is there and may be written to, and that the disk has room"
        case .cancelled: "ask again"
        }
    }
}

extension PlayerError: CustomStringConvertible {
    /// One line: what is wrong, and what would help where the text does not say so itself.
    public var description: String {
        let text = circumstances.text
        // Whose remedy is a sentence.
        if case .display = self { return "\(text). \(remedy)" }
        return text.contains(remedy) ? text : "\(text) (\(remedy))"
    }
}
