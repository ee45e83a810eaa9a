/// The characters of CEA-608.
enum CaptionCharacters {
    /// The character of a byte: ASCII, except for these.
    static func basic(_ byte: UInt8) -> Character {
        switch byte {
        case 0x27: "’"
        case 0x2A: "á"
        case 0x5C: "é"
        case 0x5E: "í"
        case 0x5F: "ó"
        case 0x60: "ú"
        case 0x7B: "ç"
        case 0x7C: "÷"
        case 0x7D: "Ñ"
        case 0x7E: "ñ"
        case 0x7F: "█"
        default: Character(Unicode.Scalar(byte))
        }
    }

    /// The characters from 0x30 on. The tenth is a transparent blank.
    static let special = Array("®°½¿™¢£♪à èâêîôû")
    /// Spanish and French characters, from 0x20 on.
    static let firstExtended = Array("ÁÉÓÚÜü‘¡*’—©℠•“”ÀÂÇÈÊËëÎÏïÔÙùÛ«»")
    /// Portuguese, German and Danish characters, from 0x20 on.
    static let secondExtended = Array("ÃãÍÌìÒòÕõ{}\\^_|~ÄäÖöß¥¤¦ÅåØø┌┐└┘")
}
