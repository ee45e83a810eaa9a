/// The characters of CEA-608, then of CEA-708.
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

    /// CEA-708's character of a byte: Latin-1, except for the note.
    static func latin(_ byte: UInt8) -> Character {
        switch byte {
        case 0x7F: "♪"
        case 0xA0: " "
        default: Character(Unicode.Scalar(byte))
        }
    }

    /// CEA-708's character behind the byte of the extended sets. An unknown one is a low line, as the standard says.
    static func extended(_ byte: UInt8) -> Character {
        switch byte {
        case 0x20, 0x21: " "
        case 0x25: "…"
        case 0x2A: "Š"
        case 0x2C: "Œ"
        case 0x30: "█"
        case 0x31: "‘"
        case 0x32: "’"
        case 0x33: "“"
        case 0x34: "”"
        case 0x35: "•"
        case 0x39: "™"
        case 0x3A: "š"
        case 0x3C: "œ"
        case 0x3D: "℠"
        case 0x3F: "Ÿ"
        case 0x76: "⅛"
        case 0x77: "⅜"
        case 0x78: "⅝"
        case 0x79: "⅞"
        case 0x7A: "│"
        case 0x7B: "┐"
        case 0x7C: "└"
        case 0x7D: "─"
        case 0x7E: "┘"
        case 0x7F: "┌"
        default: "_"
        }
    }

    /// CEA-708's character of 16 bits; `nil` for what is no character by itself, and for control characters.
    static func wide(_ first: UInt8, _ second: UInt8) -> Character? {
        guard let scalar = Unicode.Scalar(UInt16(first) << 8 | UInt16(second)) else { return nil }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: return nil
        case .spaceSeparator: return " "
        default: return Character(scalar)
        }
    }
}
