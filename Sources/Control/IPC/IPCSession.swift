import NIOCore

/// One client's session: its observers, its enabled events, and the order of its output. Runs on the event loop.
actor IPCSession {
    /// mpv's client API 2.0, the version of mpv 0.35: `MAJOR << 16 | MINOR`.
    static let apiVersion: Int64 = 2 << 16
    /// The most `async` commands of a client that may run at once; more are refused as mpv refuses them.
    static let asyncCommandBound = 64
    /// The most properties that a client may observe, and the longest name: no property's is longer.
    static let observerBound = 1024
    static let nameBound = 1024
    /// The time that a client gets to read its last reply when the server stops.
    static let stopGrace = TimeAmount.milliseconds(250)

    private let name: String
    private let channel: any Channel
    private let player: any MPVPlayer
    private let messages: ClientMessages
    private let eventLoop: any EventLoop

    nonisolated var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }

    private var observers: [PropertyObserver] = []
    private var nextSerial = 0
    private let (staleness, stale) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    /// Like mpv, the server sends no `tick` unless it is enabled.
    private var disabledEvents: Set<String> = ["tick"]
    private var asyncCommands = 0

    init(name: String, channel: any Channel, player: any MPVPlayer, messages: ClientMessages) {
        self.name = name
        self.channel = channel
        self.player = player
        self.messages = messages
        eventLoop = channel.eventLoop
    }

    /// Serves the client until it leaves, or the task is cancelled: running requests are finished and answered.
    func serve(_ lines: NIOAsyncChannelInboundStream<ByteBuffer>) async {
        // Created before the first line is read, so that the client is notified of every change after its first
        // request.
        let changes = player.changes()
        let events = player.events()
        let received = messages.stream(to: name)
        defer { messages.remove(name) }
        await withDiscardingTaskGroup { pumps in
            pumps.addTask { await self.follow(changes) }
            pumps.addTask { await self.forward(events) }
            pumps.addTask { await self.forward(received) }
            pumps.addTask { await self.notifyStaleObservers() }
            await self.answer(lines)
            pumps.cancelAll()
        }
    }

    // MARK: Requests

    private func answer(_ lines: NIOAsyncChannelInboundStream<ByteBuffer>) async {
        await withDiscardingTaskGroup { commands in
            do {
                for try await line in lines {
                    switch IPCLine(line.readableBytesView) {
                    case .text(let requests):
                        for request in requests { _ = await self.run(request) }
                    case .request(let request):
                        guard request.isAsync, case .success(.command(let command)) = request.verb else {
                            await self.answer(request)
                            continue
                        }
                        guard self.asyncCommands < Self.asyncCommandBound else {
                            await self.reply(IPCReply(outcome: .failure(.eventQueueFull)), to: request)
                            continue
                        }
                        self.asyncCommands += 1
                        commands.addTask { await self.answerAsync(request, command) }
                    }
                }
            } catch {
                // The connection broke or the server stops: there is no reader.
            }
        }
    }

    private func answerAsync(_ request: IPCRequest, _ command: CommandRequest) async {
        await reply(run(command), to: request)
        asyncCommands -= 1
    }

    private func answer(_ request: IPCRequest) async {
        switch request.verb {
        case .failure(let error):
            await reply(IPCReply(outcome: .failure(error)), to: request)
        case .success(let verb):
            let reply = await perform(verb)
            await self.reply(reply, to: request)
            // After the reply: the first property-change follows it.
            if case .observeProperty(let id, let name, let asText) = verb, case .success = reply.outcome {
                observers.append(PropertyObserver(serial: nextSerial, id: id, name: name, asText: asText))
                nextSerial += 1
                stale.yield()
            }
        }
    }

    private func perform(_ verb: IPCVerb) async -> IPCReply {
        do throws(MPVError) {
            switch verb {
            case .getProperty(let name, asText: false):
                return IPCReply(outcome: .success(try await property(name)))
            case .getProperty(let name, asText: true):
                // mpv 0.35 has no error here, only null.
                let value = await value(of: name)
                return IPCReply(outcome: .success(value.map { .string($0.propertyText) } ?? .null))
            case .setProperty(let name, let value):
                try await setProperty(name, to: value)
            case .unobserveProperty(let id):
                observers.removeAll { $0.id == id }
            case .setEvents(let names, enabled: true):
                disabledEvents.subtract(names)
            case .setEvents(let names, enabled: false):
                disabledEvents.formUnion(names)
            case .observeProperty(_, let name, _):
                guard name.utf8.count <= Self.nameBound else { throw .invalidParameter }
                guard observers.count < Self.observerBound else { throw .eventQueueFull }
            case .endLogMessages:
                break
            case .clientName:
                return IPCReply(outcome: .success(.string(name)))
            case .version:
                return IPCReply(outcome: .success(.integer(Self.apiVersion)))
            case .time:
                let microseconds = NIODeadline.now().uptimeNanoseconds / 1000
                return IPCReply(outcome: .success(.integer(Int64(microseconds))))
            case .command(let command):
                return await run(command)
            }
            return IPCReply(outcome: .success(nil))
        } catch {
            return IPCReply(outcome: .failure(error))
        }
    }

    private func run(_ request: CommandRequest) async -> IPCReply {
        do throws(MPVError) {
            switch request {
            case .run(let command):
                return IPCReply(outcome: .success(try await player.run(command)))
            case .set(let property, let value):
                try await setProperty(property, to: .string(value))
            case .expandText(let text):
                return IPCReply(outcome: .success(.string(try await expanded(text))))
            case .scriptMessage(let words):
                messages.send(words)
            case .scriptMessageTo(let client, let words):
                guard messages.send(words, to: client) else { throw .errorRunningCommand }
            case .cycleValues(let words):
                try await cycleValues(words)
            case .changeList(let property, let operation, let value):
                let list = try await self.property(property).changed(by: operation, value)
                try await setProperty(property, to: list)
            case .unexpanded(let command):
                var texts: [String: String] = [:]
                for text in command.texts where texts[text] == nil { texts[text] = try await expanded(text) }
                return await run(try CommandTable.request(command, expanded: texts))
            }
            return IPCReply(outcome: .success(.null))
        } catch {
            switch error {
            case .propertyNotFound, .propertyUnavailable, .unsupportedPropertyFormat, .errorAccessingProperty:
                return IPCReply(outcome: .failure(.errorRunningCommand))
            default:
                return IPCReply(outcome: .failure(error))
            }
        }
    }

    /// The text with the properties that it names.
    private func expanded(_ text: String) async throws(MPVError) -> String {
        let expansion = PropertyExpansion(text)
        var readings: [String: PropertyExpansion.Reading] = [:]
        for name in expansion.names {
            do {
                readings[name] = .value(try await property(name))
            } catch {
                readings[name] = error == .propertyUnavailable ? .unavailable : .failed
            }
        }
        guard let text = expansion.text(readings) else { throw .errorRunningCommand }
        return text
    }

    /// Sets the value that follows, or precedes, the property's current one; the first or the last if it has none of
    /// them.
    private func cycleValues(_ words: [String]) async throws(MPVError) {
        let isReverse = words.first == "!reverse"
        let words = words.dropFirst(isReverse ? 1 : 0)
        let values = Array(words.dropFirst())
        guard let name = words.first, !values.isEmpty else { throw .errorRunningCommand }
        let now = try await property(name)
        let place = values.firstIndex { now.isWritten($0) }
        let next = place.map { $0 + (isReverse ? -1 : 1) } ?? (isReverse ? -1 : 0)
        try await setProperty(name, to: .string(values[(next + values.count) % values.count]))
    }

    // MARK: Properties

    private static let ownProperties = ["property-list", "command-list"]

    private func property(_ name: String) async throws(MPVError) -> JSONValue {
        switch name {
        case "property-list": return .array((player.propertyNames + Self.ownProperties).map { .string($0) })
        case "command-list": return .array(CommandTable.all.map(\.description))
        default: break
        }
        do {
            return try await player.property(name)
        } catch {
            let path = name.split(separator: "/", omittingEmptySubsequences: false)
            guard error == .propertyNotFound, path.count > 1 else { throw error }
            let value = try await player.property(String(path[0]))
            do {
                return try value.value(at: path.dropFirst())
            } catch {
                throw MPVMembers.contains(path, of: value) ? .propertyUnavailable : error
            }
        }
    }

    private func setProperty(_ name: String, to value: JSONValue) async throws(MPVError) {
        if Self.ownProperties.contains(name) { throw .errorAccessingProperty }
        try await player.setProperty(name, to: value)
    }

    private func value(of name: String) async -> JSONValue? {
        try? await property(name)
    }

    private func follow(_ changes: AsyncStream<Set<String>>) async {
        for await names in changes {
            var concerned = false
            for index in observers.indices where observers[index].concerns(names) {
                observers[index].isStale = true
                concerned = true
            }
            if concerned { stale.yield() }
        }
    }

    /// Reads stale properties one after another and sends those that differ. Only this method does so, because two
    /// concurrent reads of a property could overtake each other and leave the client with the older value.
    private func notifyStaleObservers() async {
        for await _ in staleness {
            while let index = observers.firstIndex(where: \.isStale), !Task.isCancelled {
                observers[index].isStale = false
                let (serial, name) = (observers[index].serial, observers[index].name)
                let value = await value(of: name)
                // The client may have removed the observer meanwhile.
                guard let index = observers.firstIndex(where: { $0.serial == serial }) else { continue }
                if let event = observers[index].event(for: value) { send(event) }
            }
        }
    }

    private func forward(_ events: AsyncStream<MPVEvent>) async {
        for await event in events {
            if event == .shutdown {
                // No more requests; the running ones are answered, then the connection ends.
                channel.close(mode: .input, promise: nil)
            } else if !disabledEvents.contains(event.name) {
                send(event.json)
            }
        }
    }

    // MARK: Output

    /// Sends without waiting: unread output counts towards ``IPCServer/outputBound``.
    private func send(_ object: JSONObject) {
        channel.writeAndFlush(ByteBuffer(line: object), promise: nil)
    }

    /// Waits until the reply is sent: a client that does not read its replies gets no further ones.
    private func reply(_ reply: IPCReply, to request: IPCRequest) async {
        let written: EventLoopFuture<Void> = channel.writeAndFlush(ByteBuffer(line: reply.json(to: request)))
        await withTaskCancellationHandler {
            try? await written.get()
        } onCancel: { [channel] in
            // Otherwise a client that does not read would block the server.
            channel.eventLoop.scheduleTask(in: Self.stopGrace) { channel.close(promise: nil) }
        }
    }
}
