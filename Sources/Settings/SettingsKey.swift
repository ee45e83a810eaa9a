/// The names in the file, in the order of their documentation.
public enum SettingsKey: String, Hashable, Sendable, CaseIterable {
    case films
    case order
    case atEnd = "at-end"
    case resume
    case attract
    case menu
    case idleSeconds = "idle-seconds"
    case filmIdleSeconds = "film-idle-seconds"
    case countdownSeconds = "countdown-seconds"
    case statistics
    case volume
    case volumeLimit = "volume-limit"
    case mute
    case sound
    case connector
    case mode
    case rotate
    case reflect
    case gravity
    case osd
    case controls
    case time
    case chooseOutput = "choose-output"
    case matchRefresh = "match-refresh"
    case whenUnplugged = "when-unplugged"
    case touch
    case languages
    case subtitles
    case timeZone = "time-zone"
    case hostName = "host-name"
    case wifi
    case wifiPassword = "wifi-password"
    case wifiCountry = "wifi-country"
    case networkAddress = "network-address"
    case networkGateway = "network-gateway"
    case nameServers = "name-servers"
    case remotePassword = "remote-password"
    case sshKeys = "ssh-keys"

    /// Whether the value must not be shown, logged or reported.
    public var isSecret: Bool { self == .wifiPassword || self == .remotePassword }

    /// Common names from other programs and in other languages.
    private static let otherNames: [String: SettingsKey] = [
        "film": .films, "video": .films, "videos": .films, "folder": .films, "playlist": .films, "path": .films,
        "screensaver": .attract, "attractor": .attract, "idle": .idleSeconds, "timeout": .idleSeconds,
        "film-timeout": .filmIdleSeconds, "countdown": .countdownSeconds, "start-menu": .menu, "posters": .menu,
        "max-volume": .volumeLimit, "volume-max": .volumeLimit, "visits": .statistics,
        "shuffle": .order, "random": .order, "loop": .atEnd, "repeat": .atEnd, "end": .atEnd,
        "audio": .sound, "audio-device": .sound, "audio-output": .sound, "speaker": .sound, "speakers": .sound,
        "loudspeaker": .sound, "silent": .mute, "loudness": .volume,
        "display": .connector, "output": .connector, "resolution": .mode, "size": .mode,
        "rotation": .rotate, "orientation": .rotate, "display_rotate": .rotate, "mirror": .reflect, "flip": .reflect,
        "aspect": .gravity, "scale": .gravity, "fit": .gravity, "zoom": .gravity, "panscan": .gravity,
        "bar": .controls, "seek-bar": .controls, "control": .controls, "buttons": .controls, "remaining": .time,
        "panel": .touch, "touchscreen": .touch,
        "subtitle": .subtitles, "sub": .subtitles, "subs": .subtitles, "captions": .subtitles,
        "lang": .languages, "locale": .languages, "timezone": .timeZone, "tz": .timeZone, "hostname": .hostName,
        "ssid": .wifi, "wlan": .wifi, "wifi-name": .wifi, "wifi-ssid": .wifi, "psk": .wifiPassword,
        "wifi-key": .wifiPassword, "country": .wifiCountry, "ip": .networkAddress, "address": .networkAddress,
        "static-ip": .networkAddress, "router": .networkGateway, "gateway": .networkGateway, "dns": .nameServers,
        "nameserver": .nameServers, "password": .remotePassword, "ssh": .sshKeys, "ssh-key": .sshKeys,
        "authorized-keys": .sshKeys,
        // German
        "filme": .films, "ordner": .films, "reihenfolge": .order, "ende": .atEnd, "statistik": .statistics,
        "lautstärke": .volume, "lautstaerke": .volume, "stumm": .mute, "ton": .sound, "bildschirm": .connector,
        "auflösung": .mode, "drehung": .rotate, "drehen": .rotate, "spiegeln": .reflect, "sprache": .languages,
        "sprachen": .languages, "untertitel": .subtitles, "zeitzone": .timeZone, "wlan-name": .wifi,
        "wlan-passwort": .wifiPassword, "wlan-schlüssel": .wifiPassword, "passwort": .remotePassword,
    ]

    /// The key that was probably meant.
    static func nearest(to name: String) -> SettingsKey? {
        let name = String(name.lowercased().map { $0 == "_" || $0 == " " ? "-" : $0 })
        // The last part of a name that was written as if the file had sections.
        let last = name.split(separator: ".").last.map(String.init) ?? name
        for candidate in [name, last] {
            if let key = SettingsKey(rawValue: candidate) ?? otherNames[candidate] { return key }
        }
        let near = allCases.map { (key: $0, distance: EditDistance.between($0.rawValue, last)) }
            .min { $0.distance < $1.distance }
        guard let near, near.distance <= max(1, last.count / 3) else { return nil }
        return near.key
    }
}

extension SettingsKey {
    /// The current value in the file's notation; for a secret, only whether it is set.
    public func shown(in settings: Settings) -> String {
        let value = rule.show(settings)
        return "\(rawValue) = " + (isSecret && value != "\"\"" ? "\"...\"" : value)
    }
}
