/// What a display's plane takes, for a trial of a film's decoder. Plain values, from the display's side.
public struct PlaneOffer: Hashable, Sendable {
    /// Its plane is named, and not open.
    public var screen: FilmOutput.Screen
    /// DRM's names of the formats that it takes of a device: "NV12", and with a modifier "NV12:0x0700000000000004".
    public var deviceFormats: [String]
    /// `false` where the driver could not be asked whether the plane scales: `screen` then says so.
    public var knowsScaling: Bool

    public init(screen: FilmOutput.Screen, deviceFormats: [String], knowsScaling: Bool = true) {
        self.screen = screen
        self.deviceFormats = deviceFormats
        self.knowsScaling = knowsScaling
    }
}
