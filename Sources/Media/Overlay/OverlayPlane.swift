public import PlayerCore

/// The surface's place on the display, and the turn that the pipeline must do.
public struct OverlayPlace: Hashable, Sendable {
    /// Pixels of the display.
    public var rectangle: OSDLayout.Rectangle
    /// The identity if the plane turns the surface, or nothing is turned.
    public var turn: DisplayTransform
    /// The turn that the plane does after that.
    public var planeTurn: DisplayTransform

    public init(
        rectangle: OSDLayout.Rectangle, turn: DisplayTransform = .identity, planeTurn: DisplayTransform = .identity
    ) {
        self.rectangle = rectangle
        self.turn = turn
        self.planeTurn = planeTurn
    }
}

/// The plane that the on-screen display is shown on: plain values from the display's side.
public struct OverlayPlane: Hashable, Sendable {
    /// The one DRM fd that all sinks share. Borrowed: it must outlive the pipeline.
    public var fileDescriptor: Int32
    /// The kernel's ids: they select the display and the plane.
    public var connectorID: UInt32
    public var planeID: UInt32
    /// A serialized GstStructure for kmssink's `plane-properties`: `s,zpos=(int)2`. The plane must blend pre-multiplied
    /// alpha, which planes without a "pixel blend mode" do, and others by default.
    public var properties: String?
    /// The surface's place on the display, and its turn.
    public var place: OverlayPlace

    public init(
        fileDescriptor: Int32, connectorID: UInt32, planeID: UInt32, properties: String? = nil, place: OverlayPlace
    ) {
        self.place = place
        self.fileDescriptor = fileDescriptor
        self.connectorID = connectorID
        self.planeID = planeID
        self.properties = properties
    }
}
