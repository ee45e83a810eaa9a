import Foundation
import Playlists
import Vitrine

do {
    // The films of a folder, one after another, over and over. A touch shows the bar, a finger on the bar seeks.
    let films = try Playlist.contents(of: CommandLine.arguments.dropFirst().first ?? "films").entries
    let player = QueuePlayer([])
    player.loop = .all
    let layer = try await PlayerLayer.open(player: player)
    let cables = Task.detached { await layer.followCables() }
    // A film that cannot be played says so here and on the screen. The next one follows by itself.
    let failures = Task.detached { [news = player.itemFailures] in
        for await failure in news { FileHandle.standardError.write(Data("\(failure.error)\n".utf8)) }
    }
    for film in films { player.insert(PlayerItem(Asset(film.location))) }

    // SIGTERM is how a service is stopped.
    let (stops, stop) = AsyncStream.makeStream(of: Void.self)
    signal(SIGTERM, SIG_IGN)
    let termination = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .main)
    termination.setEventHandler { stop.yield() }
    termination.resume()

    player.play()
    _ = await stops.first { true }
    termination.cancel()
    cables.cancel()
    await player.close()
    await failures.value
    try await layer.restoreDisplay()
} catch {
    print(error)
    exit(1)
}
