import Glibc
import KMS
import Media
import PlayerCore
import Settings
import Vitrine

/// The plane that the kiosk's films have on this machine, for a trial of their decoders.
enum FilmPlane {
    /// Asks the displays, and opens none.
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
                // A kiosk plays without what the display has not.
                guard let easier = request.easier(after: error) else {
                    return .failure(DecoderTrial.PlaneProblem("\(error)"))
                }
                request = easier
            }
        }
    }
}

extension SettingsFile {
    /// Where an image and a package have it.
    static let usualPaths = ["/boot/firmware/vitrine.toml", "/etc/vitrine.toml"]

    /// The one at this path, else whichever there is of the usual ones.
    init?(at path: String?) {
        guard let path = path ?? Self.usualPaths.first(where: { access($0, F_OK) == 0 }) else { return nil }
        self.init(path: path)
    }
}
