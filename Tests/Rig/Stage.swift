// For test_embed.py: a program with the library that performs the lines of its standard input, one after another, and
// answers each with the layer's rectangle, after the requested output. The last line is "close". Started as "Stage
// composited" it uses one plane only, as "Stage looping" its films repeat, as "Stage queue" all of them repeat, one
// after another.
import KMS
import Media
import PlayerCore
import Vitrine

var display = try Display.open(
    DisplayRequest(osd: CommandLine.arguments.last.flatMap(OSDRequest.init(rawValue:)) ?? .automatic))
let loop: [String: QueueLoop] = ["looping": .one, "queue": .all]
let queue = CommandLine.arguments.last.flatMap { loop[$0] }.map { loop in
    let queue = QueuePlayer()
    queue.loop = loop
    return queue
}
let player = queue ?? Player()
var layer = PlayerLayer(display, player: player)
// Not on the main actor, which waits for lines.
let ends = Task.detached { [player] in
    for await item in player.didPlayToEnd { print("end of \(item.asset.address)") }
}

var reportsSizes = false

func described(isLive: Bool, isSeekable: Bool, _ duration: MediaTime?) -> String {
    "live \(isLive), seekable \(isSeekable), \(duration?.description ?? "no") end"
}

while let words = readLine()?.split(separator: " ", maxSplits: 1).map(String.init) {
    switch words[0] {
    case "play":
        let item = PlayerItem(Asset(words[1]))
        if reportsSizes {
            Task.detached {
                for await size in item.presentationSizeUpdates {
                    print("size: \(size.map { "\($0.width)x\($0.height)" } ?? "none")")
                }
            }
        }
        player.replaceCurrentItem(with: item)
        player.play()
        _ = await item.presentationSizeUpdates.first { $0 != nil }
    case "queue":
        for name in words[1].split(separator: " ") { queue?.insert(PlayerItem(Asset(String(name)))) }
        player.play()
    case "begin":
        player.replaceCurrentItem(with: PlayerItem(Asset(words[1])))
        player.play()
    case "sizes": reportsSizes = true
    case "rate": player.rate = PlaybackRate(thousandths: Int32((Double(words[1]) ?? 0) * 1000))
    case "actual": print("rate:", player.actualRate.factor)
    case "watch":
        Task.detached { [player] in
            for await percent in player.bufferingUpdates { print("buffering: \(percent.map(String.init) ?? "done")") }
        }
    case "states":
        Task.detached { [player] in
            for await state in player.pipelineStateUpdates { print("state: \(state.rawValue)") }
        }
        Task.detached { [player] in
            for await warning in player.itemWarnings { print("warning: \(warning.text)") }
        }
    case "words":
        // Prints the viewer's messages, and the program's reports.
        Task.detached { [player] in
            for await words in player.messages { print("words: \(words ?? "none")") }
        }
        Task.detached { [player] in
            for await failure in player.itemFailures { print("failed: \(failure.error.circumstances.userMessage)") }
        }
    case "at-end": player.actionAtItemEnd = words[1] == "pause" ? .pause : .rewind
    case "frame":
        let numbers = words[1].split(separator: " ").compactMap { Int($0) }
        layer.frame = PlayerLayer.Rectangle(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    case "whole": layer.frame = nil
    case "look":
        let asset = try await Asset(words[1]).load()
        print("asset:", described(isLive: asset.isLive, isSeekable: asset.isSeekable, asset.duration))
        if let mediaInfo = await player.currentItem?.mediaInfoUpdates.first(where: { $0 != nil }) ?? nil {
            print("item:", described(isLive: mediaInfo.isLive, isSeekable: mediaInfo.isSeekable, mediaInfo.duration))
        }
    case "loaded":
        guard let item = player.currentItem,
            let part = await item.bufferedRangeUpdates.first(where: { !$0.isEmpty })?.last
        else { break }
        let times = [part.lowerBound, item.currentTime, part.upperBound].map { $0.text(.milliseconds) }
        print("loaded:", times.joined(separator: " "))
    case "gravity": layer.gravity = VideoGravity(rawValue: words[1]) ?? .resizeAspect
    case "seek":
        // Without a waiting caller.
        guard let item = player.currentItem, let seconds = Int64(words[1]) else { break }
        Task.detached { print("sought:", await item.seek(to: .seconds(seconds))) }
    case "seek-near":
        // To a time, and the tolerances before and behind it, in milliseconds.
        let times = words[1].split(separator: " ").compactMap { Int64($0) }.map { MediaTime.milliseconds($0) }
        guard let item = player.currentItem, times.count == 3 else { break }
        print("there:", await item.seek(to: times[0], toleranceBefore: times[1], toleranceAfter: times[2]))
        print("time:", item.currentTime.text(.milliseconds))
    case "step":
        guard let item = player.currentItem, let count = Int(words[1]) else { break }
        print("stepped:", await item.step(byCount: count))
        print("time:", item.currentTime.text(.milliseconds))
    case "seek-anew":
        // The film is reopened before the seek's frame is there.
        guard let item = player.currentItem, let seconds = Int64(words[1]) else { break }
        let answer = Task { await item.seek(to: .seconds(seconds)) }
        while item.currentTime != .seconds(seconds) { await Task.yield() }
        layer.gravity = .resizeAspectFill
        print("sought:", await answer.value)
    case "choose":
        // "audible 1", "legible off"
        let words = words[1].split(separator: " ").map(String.init)
        guard let item = player.currentItem, words.count == 2 else { break }
        item.choose(Int(words[1]).map { .track($0) } ?? .off, of: words[0] == "audible" ? .audible : .legible)
    case "volume": player.volume = Int(words[1]) ?? 100
    case "external": player.allowsExternalPlayback = words[1] == "on"
    case "route": print("route:", player.currentRoute?.id ?? "none")
    case "another-layer": layer = PlayerLayer(display, player: player, gravity: layer.gravity)
    case "mode":
        // Nothing is shown on it any more.
        try display.restore()
        display = try Display.open(DisplayRequest(mode: ModeRequest(words[1])))
        layer = PlayerLayer(display, player: player)
    case "hide": layer.player = nil
    case "show": layer.player = player
    case "close":
        await player.close()
        try display.restore()
    default: fatalError("no such order: \(words[0])")
    }
    print(layer.videoRect.map { "\($0.width)x\($0.height)+\($0.x)+\($0.y)" } ?? "nowhere")
}
await ends.value
// For a test that checks for leaks.
GStreamer.endForTracers()
