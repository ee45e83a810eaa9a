import ArgumentParser
import KMS
import PlayerCore

/// The program's exit status, one number for each kind of trouble.
enum ExitStatus: Int32, CaseIterable {
    case success = 0
    case failure = 1
    case noSuchFile = 2
    case notMedia = 3
    case missingPlugin = 4
    case noDisplay = 5
    case noPermission = 6
    case displayHeld = 7
    case badDisplayRequest = 8
    case network = 9
    case noRoom = 10
    case usage = 64
    case badSettings = 65

    var meaning: String {
        switch self {
        case .success: "played to the end, or was asked to stop"
        case .failure: "anything not listed here; the message says what"
        case .noSuchFile: "no such file"
        case .notMedia: "the file is neither film nor sound, or is damaged"
        case .missingPlugin: "a GStreamer plugin is missing; the message names its Debian package"
        case .noDisplay: "no display hardware (a cable is waited for), or no desktop for a window"
        case .noPermission: "no permission for file, display or panel; the message names the group"
        case .displayHeld: "another program holds the display; the message names it"
        case .badDisplayRequest: "no such connector or mode; the message lists those there are"
        case .network: "a network address cannot be reached"
        case .noRoom: "no room on the disk for a scrub sheet"
        case .usage: "an unknown option or a missing argument"
        case .badSettings: "the settings file has mistakes; the messages list them"
        }
    }

    static var table: String {
        allCases.map { "  \(String($0.rawValue).padding(to: 4))\($0.meaning)" }.joined(separator: "\n")
    }

    var code: ExitCode { ExitCode(rawValue) }

    init(_ failure: MediaFailure) {
        self =
            switch failure.reason {
            case .noSuchFile: .noSuchFile
            case .noPermission: .noPermission
            case .notMedia, .broken, .remoteList: .notMedia
            case .missingPlugin: .missingPlugin
            case .network: .network
            case .noDesktop: .noDisplay
            case .cannotBuild, .audioLost, .stuck, .cancelled, .needsRanges, .other: .failure
            }
    }

    init(_ error: KMSError) {
        self =
            switch error {
            case .noCard, .noConnectedDisplay, .connectorNotConnected: .noDisplay
            case .noPermission: .noPermission
            case .displayHeld, .notMaster: .displayHeld
            case .noSuchConnector, .noSuchMode, .noCRTC, .noFilmPlane, .noOSDPlane, .notACard: .badDisplayRequest
            case .displayRestored, .unreadableFramebuffer, .unsupported, .timedOut, .systemCall: .failure
            }
    }
}

extension String {
    func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(width - count, 0))
    }
}
