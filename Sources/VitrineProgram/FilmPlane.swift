import Glibc
import KMS
import Media
import PlayerCore
import Settings
import Vitrine

/// The plane of the kiosk's films on this machine, for a trial of their decoders.
enum FilmPlane {
    /// Reads the displays without opening one.
    static func offer(_ settings: Settings?) -> Result<PlaneOffer, DecoderTrial.PlaneProblem> {
        let settings = settings ?? Settings()
        var request = DisplayRequest(
            connector: settings.connector, mode: settings.mode.flatMap { ModeRequest($0) },
            osd: OSDRequest(rawValue: settings.osd.rawValue) ?? .automatic,
            transform: DisplayTransform(rotation: settings.rotate, isReflected: settings.reflect))
        while true {
            do throws(KMSError) {
                let inventory = try DisplayInventory.read(for: request)
                let choice = try DisplayChoice.choose(from: inventory, request: request).tested()
                var offer = PlaneOffer(choice, from: inventory)
                offer.screen.gravity = settings.gravity
                return .success(offer)
            } catch {
                // A kiosk plays without settings that the display does not support.
                guard let easier = request.easier(after: error) else {
                    return .failure(DecoderTrial.PlaneProblem("\(error)"))
                }
                request = easier
            }
        }
    }
}

extension SettingsFile {
    /// The settings file's path in an image and in a package.
    static let usualPaths = ["/boot/firmware/vitrine.toml", "/etc/vitrine.toml"]

    /// Reads the file at this path, else the first existing one of the usual ones.
    init?(at path: String?) {
        guard let path = path ?? Self.usualPaths.first(where: { access($0, F_OK) == 0 }) else { return nil }
        self.init(path: path)
    }
}
