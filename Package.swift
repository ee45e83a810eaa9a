// swift-tools-version: 6.2
import PackageDescription

// Arrows point down and inward; each C library is imported by exactly one Swift target.
// `tools/check` enforces both: docs/architecture.md, "Rooms".
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "vitrine",
    products: [
        // With the rooms whose values its interface speaks of.
        .library(
            name: "Vitrine",
            targets: ["Vitrine", "KMS", "Media", "PlayerCore", "Playlists", "ScrubSheet", "Sound", "Touch"]),
        .executable(name: "vitrine", targets: ["VitrineProgram"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.27.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.5.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
        // Without Foundation.
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.0", traits: []),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    ],
    targets: [
        // C rooms: a module map, a shim header, nothing else. CVideoSink has the C sources: a subclass of kmssink, pad probes.
        .systemLibrary(
            name: "CDRM", pkgConfig: "libdrm", providers: [.apt(["libdrm-dev"])]),
        .systemLibrary(
            name: "CInput", pkgConfig: "libinput", providers: [.apt(["libinput-dev", "libudev-dev"])]),
        .systemLibrary(
            name: "CGStreamer", pkgConfig: "gstreamer-app-1.0",
            providers: [.apt(["libgstreamer1.0-dev", "libgstreamer-plugins-base1.0-dev"])]),
        // XML of others: fontconfig's parser, so that it is there already wherever the bar's text is drawn.
        .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        // JPEG of the scrub sheets, in planes of YCbCr as films have them.
        .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
        .target(name: "CVideoSink", dependencies: ["CGStreamer"]),

        // The mind: state machines as values. The standard library only: no C, no OS, no clock.
        .target(name: "PlayerCore", swiftSettings: strict),

        // The kernel's messages about devices that come and go: no C library.
        .target(name: "UEvents", swiftSettings: strict),

        // The rooms that touch the machine, one C library each.
        .target(name: "KMS", dependencies: ["CDRM", "PlayerCore", "UEvents"], swiftSettings: strict),
        .target(name: "Touch", dependencies: ["CInput", "PlayerCore"], swiftSettings: strict),
        .target(
            name: "Media", dependencies: ["CGStreamer", "CVideoSink", "PlayerCore", "TextFiles"],
            swiftSettings: strict),

        // Sound cards, and where their sound comes out: no C library, Media opens them.
        .target(name: "Sound", dependencies: ["PlayerCore", "TextFiles", "UEvents"], swiftSettings: strict),

        // The virtual terminal that the program runs on, and its guard: no C library.
        .target(name: "Console", swiftSettings: strict),

        // Pixels of the bar, and mpv's JSON IPC: neither knows the player.
        .target(name: "OSDDrawing", dependencies: ["PlayerCore"], swiftSettings: strict),
        .target(
            name: "Control",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOExtras", package: "swift-nio-extras"),
            ],
            swiftSettings: strict),

        // Files that are read as a whole, and text as editors save it.
        .target(name: "TextFiles", swiftSettings: strict),

        // Lists of films, and folders of them.
        .target(name: "Playlists", dependencies: ["CExpat", "PlayerCore", "TextFiles"], swiftSettings: strict),

        // Scrub sheets: their files, their folder, JPEG. Knows neither GStreamer nor a display.
        .target(name: "ScrubSheet", dependencies: ["CTurboJPEG", "PlayerCore", "TextFiles"], swiftSettings: strict),

        // The settings file: neither knows the player nor is known by it.
        .target(
            name: "Settings",
            dependencies: ["PlayerCore", "Playlists", "TextFiles", .product(name: "TOMLKit", package: "TOMLKit")],
            swiftSettings: strict),

        // The one place that knows all sides.
        .target(
            name: "Vitrine",
            dependencies: [
                "PlayerCore", "KMS", "Touch", "Media", "OSDDrawing", "Playlists", "ScrubSheet", "Sound",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),

        // Clients of the library's public interface, as anybody's program could be: mpv's IPC, and the program.
        .target(
            name: "MPVAdapter",
            dependencies: [
                "Vitrine", "Control", "Media", "PlayerCore", "Playlists",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "VitrineProgram",
            dependencies: [
                "Vitrine", "MPVAdapter", "Console", "Control", "KMS", "Media", "PlayerCore", "Playlists",
                "ScrubSheet", "Settings", "Sound", "TextFiles", "Touch",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict),

        // A part of tools/bench, which people do not get.
        .executableTarget(
            name: "ScrubBench", dependencies: ["Media", "PlayerCore"], path: "tools/bench.d/scrub",
            swiftSettings: strict),

        .testTarget(name: "PlayerCoreTests", dependencies: ["PlayerCore"], swiftSettings: strict),
        .testTarget(name: "UEventsTests", dependencies: ["UEvents"], swiftSettings: strict),
        .testTarget(name: "KMSTests", dependencies: ["KMS", "PlayerCore"], swiftSettings: strict),
        .testTarget(name: "SoundTests", dependencies: ["Sound", "PlayerCore"], swiftSettings: strict),
        .testTarget(name: "TouchTests", dependencies: ["Touch", "PlayerCore"], swiftSettings: strict),
        .testTarget(name: "MediaTests", dependencies: ["Media", "PlayerCore"], swiftSettings: strict),
        .testTarget(name: "OSDDrawingTests", dependencies: ["OSDDrawing", "PlayerCore"], swiftSettings: strict),
        .testTarget(name: "ConsoleTests", dependencies: ["Console"], swiftSettings: strict),
        .testTarget(name: "ControlTests", dependencies: ["Control"], swiftSettings: strict),
        .testTarget(name: "TextFilesTests", dependencies: ["TextFiles"], swiftSettings: strict),
        .testTarget(name: "ScrubSheetTests", dependencies: ["ScrubSheet", "PlayerCore"], swiftSettings: strict),
        .testTarget(name: "PlaylistsTests", dependencies: ["Playlists"], swiftSettings: strict),
        .testTarget(
            name: "SettingsTests", dependencies: ["Settings", "PlayerCore", "Playlists", "TextFiles"],
            swiftSettings: strict),
        .testTarget(
            name: "VitrineTests", dependencies: ["Vitrine", "KMS", "Media", "PlayerCore", "Touch"],
            swiftSettings: strict),
        .testTarget(
            name: "MPVAdapterTests",
            dependencies: [
                "MPVAdapter", "Vitrine", "Control", "Media", "PlayerCore",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "VitrineProgramTests",
            dependencies: ["VitrineProgram", "KMS", "Media", "PlayerCore", "Settings", "TextFiles", "Vitrine"],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
