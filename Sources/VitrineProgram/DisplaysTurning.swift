import KMS
import PlayerCore

/// The turns of the film that its plane does, and those that the pipeline does, for each `--rotate` with and without
/// `--reflect`.
struct DisplaysTurning: Encodable {
    struct Way: Encodable {
        /// Degrees, clockwise.
        var rotate: Int
        var reflect: Bool
        /// `nothing` if the frame is upright; `plane`; `pipeline`.
        var film: String
        /// `nil` if the OSD has no plane of its own: it is turned with the film.
        var osd: String?
    }

    let ways: [Way]

    /// Asks the driver about each turn. Turns that it cannot be asked about are left to the pipeline.
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

    /// Lines for people; none if there is nothing to report.
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
