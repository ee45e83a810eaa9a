public import Control
internal import KMS
internal import Logging
internal import Media
internal import PlayerCore

/// The player as mpv's clients see it.
public struct RemotePlayer: MPVPlayer {
    private let player: VitrinePlayer

    public init(_ player: VitrinePlayer) {
        self.player = player
    }

    public var propertyNames: [String] { RemoteProperty.allCases.map(\.rawValue) }

    public func changes() -> AsyncStream<Set<String>> { player.hub.changes() }

    public func events() -> AsyncStream<MPVEvent> { player.hub.events() }

    public func property(_ name: String) async throws(MPVError) -> JSONValue {
        guard let property = RemoteProperty(rawValue: name) else { throw .propertyNotFound }
        guard let value = await player.value(of: property) else { throw .propertyUnavailable }
        return value
    }

    public func setProperty(_ name: String, to value: JSONValue) async throws(MPVError) {
        guard let property = RemoteProperty(rawValue: name) else { throw .propertyNotFound }
        switch property {
        case .pause: await player.setPlaying(!(try value.flag()))
        case .timePos, .playbackTime: try await seek(MPVSeek(.absolute(try value.time())))
        case .percentPos: try await seek(MPVSeek(.absolutePercent(try value.number(in: 0...100))))
        case .playlistPos:
            guard await player.play(entry: Int(try value.number(in: 0...1e6))) else {
                throw .unsupportedPropertyFormat
            }
        case .displayPower:
            let isOn = try value.flag()
            do throws(KMSError) {
                try await player.setPower(isOn)
            } catch {
                player.log.error("\(error)")
                throw .errorAccessingProperty
            }
        default: throw .errorAccessingProperty
        }
    }

    public func run(_ command: MPVCommand) async throws(MPVError) -> JSONValue {
        switch command {
        case .ignore: break
        case .seek(let seek): try await self.seek(seek)
        case .loadFile(let url, let mode, let options): return try await load(url, mode, options)
        case .stop: await player.stop()
        case .quit(let code): await player.end(.ended(code: code))
        case .screenshotToFile(let path, _):
            do throws(ScreenshotFailure) {
                try await player.screenshot(to: path)
            } catch {
                throw .errorRunningCommand
            }
        case .cycle("pause", _): await player.setPlaying(!(await player.isPlaying))
        case .add(let name, let amount):
            guard name == "time-pos" || name == "percent-pos" else { throw .errorRunningCommand }
            try await seek(MPVSeek(name == "time-pos" ? .relative(amount) : .relativePercent(amount)))
        case .playlistNext: guard await player.advance(by: 1) else { throw .errorRunningCommand }
        case .playlistPrevious: guard await player.advance(by: -1) else { throw .errorRunningCommand }
        case .showText(let text, let milliseconds, _): await player.showText(text, milliseconds: milliseconds)
        case .playlistClear: await player.clearPlaylist()
        case .cycle, .frameStep, .frameBackStep: throw .errorRunningCommand
        }
        return .null
    }

    private func seek(_ seek: MPVSeek) async throws(MPVError) {
        // One that is still being opened remembers it (M6).
        guard await !player.isIdle else { throw .errorRunningCommand }
        let (now, duration) = (await player.currentTime, await player.duration)
        func part(_ percent: Double) throws(MPVError) -> MediaTime {
            guard let duration else { throw .errorRunningCommand }
            return duration.scaled(by: percent / 100)
        }
        func time(_ seconds: Double) throws(MPVError) -> MediaTime {
            guard let time = MediaTime(inSeconds: seconds) else { throw .errorRunningCommand }
            return time
        }
        let target: MediaTime
        switch seek.target {
        case .absolute(let seconds) where seconds < 0: target = try part(100) + time(seconds)
        case .absolute(let seconds): target = try time(seconds)
        case .relative(let seconds): target = now + (try time(seconds))
        case .absolutePercent(let percent): target = try part(percent)
        case .relativePercent(let percent): target = now + (try part(percent))
        }
        let isRelative =
            switch seek.target {
            case .relative, .relativePercent: true
            case .absolute, .absolutePercent: false
            }
        let exact = seek.precision == .exact || (seek.precision == .standard && !isRelative)
        await player.seek(to: max(target, .zero), exact: exact)
    }

    private func load(_ url: String, _ mode: MPVLoadMode, _ options: [String: String]) async throws(MPVError)
        -> JSONValue
    {
        let location: MediaLocation
        do throws(MediaFailure) {
            location = try await offLoop { () throws(MediaFailure) in try MediaLocation(url) }
        } catch {
            player.log.error("\(error.message)")
            throw .loadingFailed
        }
        switch mode {
        case .replace: await player.replacePlaylist([location], at: options["start"].flatMap { MediaTime($0) })
        case .append: await player.append(location, plays: false)
        case .appendPlay: await player.append(location)
        }
        return .object(["playlist_entry_id": .integer(Int64(await player.playlist.count))])
    }
}
