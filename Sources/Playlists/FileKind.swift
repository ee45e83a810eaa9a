/// The kind of a file in a folder, by its extension. A file that is no film shows the public an error on the screen,
/// and cameras, downloads, offices and DVDs leave more kinds of other files than anybody can list: so the kinds of
/// films are listed.
enum FileKind {
    case film, picture
    /// A companion of films or settings, which is not expected on the screen.
    case companion
    case other

    /// A name without an extension may be a film.
    init(_ name: String) {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else {
            self = .film
            return
        }
        let end = name[name.index(after: dot)...].filter { !$0.isWhitespace }.lowercased()
        self =
            Self.films.contains(end)
            ? .film : Self.pictures.contains(end) ? .picture : Self.companions.contains(end) ? .companion : .other
    }

    private static let films = Set(
        (
            // MPEG-4 and QuickTime, Matroska, AVI, Windows Media, Ogg, Flash, RealMedia, and others' containers.
            "mp4 m4v mov qt 3gp 3gpp 3g2 f4v mj2 ismv mkv mk3d webm avi divx asf wmv ogg ogv ogm ogx flv rm rmvb "
            + "mxf gxf nut nuv wtv ivf y4m amv "
            // MPEG: files, transport streams (cameras, receivers), program streams (DVDs, cameras), elementary streams.
            + "mpg mpeg mpe mpv m1v m2v m4e mp2v ts tsv tts m2ts m2t mts trp tp ps m2p vob evo vro mod tod "
            + "h264 264 avc h265 265 hevc obu dv dif mjpg mjpeg mpd "
            // Sound.
            + "mp3 mp2 mpa m4a m4b aac ac3 eac3 dts flac wav wave w64 rf64 aif aiff aifc au snd caf oga opus spx wma mka weba "
            + "ra amr awb ape wv mpc tta").split(separator: " ").map(String.init))

    /// The images that a playlist shows.
    private static let pictures: Set = [
        "jpg", "jpeg", "jpe", "jfif", "png", "apng", "gif", "bmp", "tif", "tiff", "webp", "svg",
    ]

    private static let companions: Set = [
        "bif", "sheet", "srt", "vtt", "ass", "ssa", "sub", "idx", "m3u", "m3u8", "xspf", "pls", "toml", "txt",
    ]
}
