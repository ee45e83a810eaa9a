public import PlayerCore

/// Where the surface lies on the display, and what of its turning is left to the pipeline.
public struct OverlayPlace: Hashable, Sendable {
    /// Pixels of the display.
    public var rectangle: OSDLayout.Rectangle
    /// The identity where the plane turns the surface, or nothing is turned.
    public var turn: DisplayTransform
    /// What the plane turns after that.
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
    /// alpha, which is what planes without a "pixel blend mode" do and what others do unless told otherwise.
    public var properties: String?
    /// Where on the display the surface lies, and who turns it.
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
