import Foundation
import Vitrine

// The films of a folder, one after another, over and over. A touch shows the bar, a finger on the bar seeks.
let folder = CommandLine.arguments.dropFirst().first ?? "films"
let films = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    .filter { name in ["avi", "mkv", "mov", "mp4", "webm"].contains { name.lowercased().hasSuffix(".\($0)") } }
guard !films.isEmpty else {
    print("\(folder): there is no film")
    exit(1)
}

let player = QueuePlayer(films.map { PlayerItem(Asset("\(folder)/\($0)")) })
player.loop = .all
let layer: PlayerLayer
do {
    layer = try await PlayerLayer.open(player: player)
} catch {
    print(error)
    exit(1)
}
let cables = Task.detached { await layer.followCables() }

// A film that cannot be played says so here and on the screen. The next one follows by itself.
let failures = Task.detached {
    for await failure in player.itemFailures { print(failure.error) }
}

// SIGTERM is how a service is stopped.
let (stops, stop) = AsyncStream.makeStream(of: Void.self)
signal(SIGTERM, SIG_IGN)
let terminated = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .main)
terminated.setEventHandler { stop.yield() }
terminated.resume()

player.play()
_ = await stops.first { true }
cables.cancel()
await player.close()
try await layer.restoreDisplay()
