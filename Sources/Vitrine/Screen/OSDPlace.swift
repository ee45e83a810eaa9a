internal import KMS
internal import Media
internal import PlayerCore

extension Controls.Screen {
    /// In the viewer's space.
    init(_ display: Display) {
        let size = display.transform.size(width: display.width, height: display.height)
        self.init(
            width: size.width, height: size.height,
            millimetres: display.millimetres.map {
                let (width, height) = display.transform.size(width: $0.width, height: $0.height)
                return (width, height)
            })
    }

    /// In the viewer's space; a desktop's millimetres are no use for a window.
    init(_ window: PlayerWindow) {
        let size = window.transform.size(width: window.width, height: window.height)
        self.init(width: size.width, height: size.height)
    }
}

extension OverlayPlace {
    /// The place of the OSD surface on an open display.
    init(_ layout: OSDLayout, on display: Display) {
        // In the film's frames the surface is turned with them.
        if display.choice.step == .composited, display.filmPlane.turns {
            self.init(rectangle: layout.surface)
            return
        }
        let isPlanes = display.osdPlane?.turns == true
        self.init(
            rectangle: display.transform.place(
                layout.surface, displayWidth: display.width, displayHeight: display.height),
            turn: isPlanes ? .identity : display.transform, planeTurn: isPlanes ? display.transform : .identity)
    }

    init(_ layout: OSDLayout, in window: PlayerWindow) {
        self.init(
            rectangle: window.transform.place(layout.surface, displayWidth: window.width, displayHeight: window.height),
            turn: window.transform)
    }
}

extension OverlayPlane {
    /// The OSD's side of an open display; `nil` if it has no plane for it.
    init?(_ display: Display, _ layout: OSDLayout) {
        guard let plane = display.osdPlane else { return nil }
        self.init(
            fileDescriptor: display.fileDescriptor, connectorID: display.connectorID, planeID: plane.id,
            properties: plane.planeProperties, place: OverlayPlace(layout, on: display))
    }
}
