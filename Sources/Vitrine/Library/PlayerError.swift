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
        }

        /// What was tried.
        public var attempt: Attempt
        /// The asset's address as it was given, but for a password in it: errors are written into logs.
        public var address: String
        /// What is wrong, in one line; without the address's password, as `details`.
        public var text: String
        /// What is wrong, in words for a viewer: without names of GStreamer's, folders or servers.
        public var words: String
        /// GStreamer's domain and number for it; `nil` where it is not GStreamer's matter, as a file that is not there.
        public var code: GStreamerCode?
        /// GStreamer's debug text, for a log.
        public var details: String?

        /// One of somebody's own, as for an engine in a test; passwords in texts are left out.
        public init(
            attempt: Attempt, address: String, text: String, words: String? = nil, code: GStreamerCode? = nil,
            details: String? = nil
        ) {
            self.attempt = attempt
            self.address = MediaLocation.withoutPassword(address)
            self.text = MediaLocation.withoutPassword(of: address, text)
            self.words = words.map { MediaLocation.withoutPassword(of: address, $0) } ?? self.text
            self.code = code
            self.details = details.map { MediaLocation.withoutPassword(of: address, $0) }
        }
    }

    init(_ failure: MediaFailure, address: String, attempt: Circumstances.Attempt = .play) {
        let circumstances = Circumstances(
            attempt: attempt, address: address, text: failure.message,
            words: failure.words(about: MediaLocation.title(of: address), isLocal: MediaLocation.isLocal(address)),
            code: failure.code, details: failure.details)
        self =
            switch failure.reason {
            case .noSuchFile: .noSuchFile(circumstances)
            case .noPermission: .noPermission(circumstances)
            case .notMedia: .notMedia(circumstances)
            case .missingPlugin(let package): .missingPlugin(circumstances, package: package)
            case .cannotBuild: .cannotBuild(circumstances)
            case .audioLost: .soundLost(circumstances)
            case .network: .network(circumstances)
            case .noDesktop: .noDesktop(circumstances)
            case .broken: .damaged(circumstances)
            case .stuck: .stuck(circumstances)
            case .cancelled: .cancelled(circumstances)
            case .other: .stopped(circumstances)
            }
    }

    /// Those of whichever case it is.
    public var circumstances: Circumstances {
        switch self {
        case .noSuchFile(let circumstances), .noPermission(let circumstances), .notMedia(let circumstances),
            .missingPlugin(let circumstances, _), .cannotBuild(let circumstances), .soundLost(let circumstances),
            .network(let circumstances), .noDesktop(let circumstances), .damaged(let circumstances),
            .stuck(let circumstances), .stopped(let circumstances), .cancelled(let circumstances):
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
        case .cancelled: "ask again"
        }
    }
}

extension PlayerError: CustomStringConvertible {
    /// One line: what is wrong, and what would help where the text does not say so itself.
    public var description: String {
        let text = circumstances.text
        return text.contains(remedy) ? text : "\(text) (\(remedy))"
    }
}
