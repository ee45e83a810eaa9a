public import PlayerCore

/// The mounting of a panel in its casing: the connector's `panel orientation` property, by the kernel's names.
public enum PanelOrientation: String, Codable, Sendable, CaseIterable {
    case normal = "Normal"
    case upsideDown = "Upside Down"
    case leftSideUp = "Left Side Up"
    case rightSideUp = "Right Side Up"

    /// The transform that makes a picture upright in the casing. With the panel's left side up, the casing's top left
    /// corner is the panel's bottom left one (drm_connector.h, `enum drm_panel_orientation`).
    public var transform: DisplayTransform {
        switch self {
        case .normal: .identity
        case .upsideDown: DisplayTransform(rotation: .half)
        case .leftSideUp: DisplayTransform(rotation: .threeQuarters)
        case .rightSideUp: DisplayTransform(rotation: .quarter)
        }
    }
}
