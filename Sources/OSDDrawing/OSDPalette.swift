/// The OSD's colours: white on a dark strip, and one accent.
enum OSDPalette {
    /// Opacity of the black below text and bar. White text on it over white film keeps a contrast of 7 : 1 (0.35 to the
    /// power of 2.2 is 0.10 of white's luminance), which is WCAG's AAA for text.
    static let stripOpacity = 0.66
    static let unplayed = PremultipliedColor(rgb: 0xFFFFFF, opacity: 0.28)
    static let buffered = PremultipliedColor(rgb: 0xFFFFFF, opacity: 0.36)
    static let played = PremultipliedColor(rgb: 0x5AB4FF)
    static let thumb = PremultipliedColor(rgb: 0xFFFFFF)
    static let thumbOutline = PremultipliedColor(rgb: 0x000000, opacity: 0.45)
    static let live = PremultipliedColor(rgb: 0xFF5A4F)
}
