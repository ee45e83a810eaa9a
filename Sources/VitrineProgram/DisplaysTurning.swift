import KMS
import PlayerCore

/// Which turns of the film its plane would do, and which the pipeline, for each `--rotate` with and without `--reflect`.
struct DisplaysTurning: Encodable {
    struct Way: Encodable {
        /// Degrees, clockwise.
        var rotate: Int
        var reflect: Bool
        /// `nothing`: the frame stands upright as it is; `plane`; `pipeline`.
        var film: String
        /// `nil` where the OSD has no plane of its own: it is turned with the film.
        var osd: String?
    }

    let ways: [Way]

    /// Asks the driver as often as there are ways. Those that it cannot be asked are left to the pipeline.
    init(_ inventory: DisplayInventory, _ request: DisplayRequest) {
        ways = DisplayTransform.all.compactMap { transform in
            var request = request
            request.transform = transform
            let choice = try? DisplayChoice.choose(from: inventory, request: request).tested()
            return choice.map { choice in
                func who(_ plane: PlaneChoice) -> String {
                    choice.transform == .identity ? "nothing" : plane.rotation != nil ? "plane" : "pipeline"
                }
                return Way(
                    rotate: transform.rotation.rawValue, reflect: transform.isReflected, film: who(choice.filmPlane),
                    osd: choice.osdPlane.map(who))
            }
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(ways)
    }

    /// For people; none if there is nothing to tell.
    var lines: [String] {
        func names(_ film: String) -> String? {
            let names = ways.filter { $0.film == film }.map { "\($0.rotate)\($0.reflect ? " reflected" : "")" }
            return names.isEmpty ? nil : names.joined(separator: ", ")
        }
        return [
            names("plane").map { "turned by the film's plane, which costs nothing: \($0)" },
            names("pipeline").map { "turned in the pipeline, one more pass over each frame: \($0)" },
        ].compactMap { $0 }
    }
}
