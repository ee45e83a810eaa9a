/// One way to use the planes of a CRTC.
public struct PlaneLayout: Codable, Hashable, Sendable {
    public var step: DisplayStep
    public var film: PlaneChoice
    /// `nil` if the OSD has no plane.
    public var osd: PlaneChoice?
    /// One sentence for each plane.
    public var reasons: [String]

    /// The planes in words: `film on plane 40, OSD on plane 45`.
    var summary: String {
        "film on plane \(film.id)" + (osd.map { ", OSD on plane \($0.id)" } ?? "")
    }
}
