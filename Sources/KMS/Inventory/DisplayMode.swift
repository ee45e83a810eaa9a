/// A size and refresh rate that a display offers.
public struct DisplayMode: Codable, Hashable, Sendable {
    /// Pixels.
    public var width: Int
    /// Lines.
    public var height: Int
    /// Frames in 1000 seconds; fields, for an interlaced mode.
    public var refreshMillihertz: Int
    /// Whether the display prefers the mode (usually its own number of pixels).
    public var isPreferred: Bool
    /// Whether each frame is sent as two fields, every other line each.
    public var isInterlaced: Bool

    public init(
        width: Int, height: Int, refreshMillihertz: Int, isPreferred: Bool = false, isInterlaced: Bool = false
    ) {
        self.width = width
        self.height = height
        self.refreshMillihertz = refreshMillihertz
        self.isPreferred = isPreferred
        self.isInterlaced = isInterlaced
    }
}

extension DisplayMode: CustomStringConvertible {
    /// The format of `--mode`: `1920x1080@60`, `1920x1080@59.94`; an interlaced mode has an `i` at its end.
    public var description: String {
        "\(width)x\(height)@\(Hertz.text(ofMillihertz: refreshMillihertz))" + (isInterlaced ? "i" : "")
    }
}

enum Hertz {
    /// `60000` as "60", `59940` as "59.94"; two decimals distinguish all rates in use.
    static func text(ofMillihertz millihertz: Int) -> String {
        let hundredths = (millihertz + 5) / 10
        let fraction = hundredths % 100
        let whole = "\(hundredths / 100)"
        if fraction == 0 { return whole }
        if fraction % 10 == 0 { return "\(whole).\(fraction / 10)" }
        return "\(whole).\(fraction < 10 ? "0" : "")\(fraction)"
    }
}
