/// A display plane's capabilities, for a trial of a film's decoder. Plain values, from the display's side.
public struct PlaneOffer: Hashable, Sendable {
    /// The screen, whose plane is named but not open.
    public var screen: FilmOutput.Screen
    /// DRM's names of the device memory formats that the plane accepts: "NV12", and with a modifier
    /// "NV12:0x0700000000000004".
    public var deviceFormats: [String]
    /// `false` if the driver could not be asked whether the plane scales: `screen` then says that it does.
    public var knowsScaling: Bool

    public init(screen: FilmOutput.Screen, deviceFormats: [String], knowsScaling: Bool = true) {
        self.screen = screen
        self.deviceFormats = deviceFormats
        self.knowsScaling = knowsScaling
    }
}
