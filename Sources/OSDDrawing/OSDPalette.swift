/// The OSD's colours: white on a dark surface, and one accent.
enum OSDPalette {
    /// Opacity of the black at the text's middle and at the surface's lower edge. White text over white film keeps a
    /// contrast of 6.5 : 1 there: 0.37 to the power of 2.2 is 0.11 of white's luminance, (1 + 0.05) / (0.11 + 0.05).
    /// WCAG asks for 4.5.
    static let textOpacity = 0.63
    static let lowestOpacity = 0.74
    static let unplayed = PremultipliedColor(rgb: 0xFFFFFF, opacity: 0.28)
    static let buffered = PremultipliedColor(rgb: 0xFFFFFF, opacity: 0.5)
    static let played = PremultipliedColor(rgb: 0x5AB4FF)
    static let thumb = PremultipliedColor(rgb: 0xFFFFFF)
    static let thumbOutline = PremultipliedColor(rgb: 0x000000, opacity: 0.45)
    static let live = PremultipliedColor(rgb: 0xFF5A4F)
    /// For icons and the letters in panels.
    static let sign = PremultipliedColor(rgb: 0xFFFFFF)
    /// Below a panel's letters: a contrast of 12 : 1 over white film.
    static let panel = PremultipliedColor(rgb: 0x10121A, opacity: 0.86)
    /// Behind an icon, and behind a chosen item.
    static let disc = PremultipliedColor(rgb: 0xFFFFFF, opacity: 0.2)
    /// Behind a pressed item. White icons on it have a contrast of 3.4 : 1 over black film, and WCAG requires 3.
    static let pressed = PremultipliedColor(rgb: 0x5AB4FF, opacity: 0.55)
    /// Over the film below a menu: white letters have a contrast of 9 : 1 over white film.
    static let backdrop = PremultipliedColor(rgb: 0x0C0E18, opacity: 0.8)
    /// For letters on a light plate.
    static let ink = PremultipliedColor(rgb: 0x10121A)
    static let caption = PremultipliedColor(rgb: 0x000000, opacity: 0.6)
}
