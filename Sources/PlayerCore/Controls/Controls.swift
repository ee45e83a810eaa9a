/// The controls over a film: the buttons, the panel above the bar, and the actions that fingers ask for.
///
/// Drawing and hit-testing use the same `layout` and `scene`. Nothing moves under a finger: while one is down `layout`
/// stays, and changes are laid out after the last finger is lifted.
///
/// A value without a clock: events carry their time, and `wake` is due at `deadline`.
public struct Controls: Hashable, Sendable {
    /// The display as its viewer sees it.
    public struct Screen: Hashable, Sendable {
        public var width: Int
        public var height: Int
        /// `nil` if unknown.
        public var millimetres: Millimetres?
        public var hasSubtitles = false

        public struct Millimetres: Hashable, Sendable {
            public var width: Int
            public var height: Int
        }

        public init(width: Int, height: Int, millimetres: (width: Int, height: Int)? = nil) {
            self.width = width
            self.height = height
            self.millimetres = millimetres.map { Millimetres(width: $0.width, height: $0.height) }
        }

        func layout(_ buttons: [ControlButton], panelHeight: Int = 0) -> OSDLayout {
            OSDLayout(
                displayWidth: width, displayHeight: height, millimetres: millimetres.map { ($0.width, $0.height) },
                hasSubtitles: hasSubtitles, buttons: buttons, panelHeight: panelHeight)
        }
    }

    public enum Output: Hashable, Sendable {
        /// The result of a finger on the bar or on the film.
        case slider(SliderOutput)
        /// A finger asked for an action.
        case act(ControlsAction)
        /// A panel opened or closed.
        case panelChanged(isOpen: Bool)
    }

    /// The panel that is open above the bar.
    private enum Sheet: Hashable, Sendable {
        case closed
        /// - Parameters:
        ///   - page: the page of a list that has several.
        ///   - scroll: the filmstrip's offset, in pixels to the left.
        ///   - until: when the panel closes by itself; `nil` while a finger is down.
        case open(ControlsPanel, page: Int, scroll: Int, until: MonotonicTime?)
    }

    /// The last action of a finger, so that it can be undone when the panel takes its lift back.
    private struct Deed: Hashable, Sendable {
        var finger: Finger.Key
        var sheet: Sheet
        var inverse: [Output]
    }

    /// How long a panel stays open without a touch.
    public static let panelStay = Duration.seconds(8)

    public private(set) var slider = Slider()
    private var touch = WidgetTouch()
    private var sheet = Sheet.closed
    public private(set) var screen: Screen
    /// The current content, and the content that `layout` was made for.
    private var content: ControlsContent
    private var arranged: ControlsContent
    public private(set) var layout: OSDLayout
    /// What the surface has room for above the bar.
    private var room = Room.nothing

    private enum Room: Hashable, Sendable {
        case nothing
        /// The picture above the thumb, unless the display has no room for it.
        case preview
        case panel(ControlsPanel)
    }
    /// The fingers that are down and that touched outside the open panel.
    private var beside: Set<Finger.Key> = []
    /// The fingers that are down on widgets and no longer hold one.
    private var loose: Set<Finger.Key> = []
    private var deed: Deed?
    /// The state before the finger that slides or scrolls touched.
    private var before: Before?

    private struct Before: Hashable, Sendable {
        var loudness: Loudness?
        var scroll: Int
    }

    public init(screen: Screen, content: ControlsContent = ControlsContent()) {
        self.screen = screen
        self.content = content
        arranged = content
        layout = screen.layout(content.buttons)
    }

    // MARK: State

    /// Whether a finger is down and counts as one.
    public var isTouched: Bool { slider.isTouched || !touch.isFree || !loose.isEmpty }

    /// The panel that is open above the bar.
    public var panel: ControlsPanel? {
        if case .open(let panel, _, _, _) = sheet { panel } else { nil }
    }

    /// When `wake` is due; `nil` if time alone changes nothing.
    public var deadline: MonotonicTime? {
        var until: MonotonicTime?
        if case .open(_, _, _, let time) = sheet { until = time }
        return [slider.deadline, touch.deadline, until].compactMap { $0 }.min()
    }

    /// Takes new content. Widgets are laid out anew at once, or when the last finger is lifted.
    /// - Returns: whether the open panel has closed because it offers nothing to choose any more.
    @discardableResult
    public mutating func take(_ content: ControlsContent) -> Bool {
        self.content = content
        return arrange()
    }

    /// Takes a display that has changed: another one, another mode, or room for subtitles, which moves no control.
    public mutating func take(_ screen: Screen) {
        self.screen = screen
        layOut()
        arrange()
    }

    @discardableResult
    private mutating func arrange() -> Bool {
        guard !isTouched else { return false }
        arranged = content
        let isGone = panel.map { !arranged.buttons.contains($0.button) } ?? false
        if isGone { sheet = .closed }
        layOut()
        return isGone
    }

    private mutating func layOut() {
        let buttons = arranged.buttons
        layout = screen.layout(buttons)
        room = wantedRoom
        switch room {
        case .nothing: break
        case .preview:
            guard let frame = panelLayout(.filmstrip).previewFrame(at: 0) else { break }
            layout = screen.layout(buttons, panelHeight: frame.height)
        case .panel(let panel): layout = screen.layout(buttons, panelHeight: panelLayout(panel).frame.height)
        }
    }

    /// The open panel's, or a picture's if a finger holds the bar of a film whose frame does not follow it.
    private var wantedRoom: Room {
        if let panel { return .panel(panel) }
        return slider.heldValue != nil && !arranged.isFollowing && !arranged.pictures.isEmpty ? .preview : .nothing
    }

    /// Gives the open panel, or the picture above the thumb, its room in the surface, or takes it back, also while
    /// another finger is down. No widget moves.
    private mutating func layOutRoom() {
        if room != wantedRoom { layOut() }
    }

    private func panelLayout(_ panel: ControlsPanel) -> PanelLayout {
        let texts =
            panel == .filmstrip ? arranged.pictures.map(\.caption) : arranged.choices(in: panel).map(\.text)
        return PanelLayout(panel, texts: texts, layout: layout)
    }

    // MARK: The scene

    /// The widgets to draw and to hit-test: places as they were laid out, values as they are now.
    public var scene: WidgetScene {
        let content = content.keeping(arranged)
        var widgets = layout.buttons.map { button in
            Widget(
                .button(button.button), frame: button.frame, target: button.target,
                face: Self.face(of: button.button, content, layout),
                state: panel.map { $0.button == button.button } == true ? .chosen : .normal)
        }
        widgets.append(Widget(.bar, frame: layout.track, target: layout.touchTarget, gesture: .other, face: .empty))
        if case .open(let panel, let page, let scroll, _) = sheet {
            widgets += self.widgets(of: panel, page: page, scroll: scroll, content)
        }
        return WidgetScene(widgets).pressing(touch.pressed)
    }

    /// The picture above the bar's thumb; `nil` if there is none. It takes no touches.
    /// - Parameter time: the time under the finger.
    public func preview(at time: MediaTime) -> Widget? {
        guard room == .preview, let value = slider.heldValue,
            let frame = panelLayout(.filmstrip).previewFrame(at: value),
            let picture = content.keeping(arranged).nearestPicture(to: value)
        else { return nil }
        return Widget(
            .preview, frame: frame, gesture: .other,
            face: .preview(picture, time: time.description, fontSize: max(layout.fontSize * 3 / 4, 12)))
    }

    /// The size of the filmstrip's pictures, and of the one above the thumb.
    public var pictureSize: (width: Int, height: Int) { panelLayout(.filmstrip).pictureSize }

    private static func face(of button: ControlButton, _ content: ControlsContent, _ layout: OSDLayout) -> WidgetFace {
        switch button {
        case .play: return .icon(content.isPlaying ? .pause : .play, hasDisc: true)
        case .subtitles: return .icon(.subtitles, hasDisc: false)
        case .languages:
            // Two letters say more than any icon.
            let chosen = content.languages.first { $0.number == content.language }
            guard let language = chosen?.language?.language, language.count <= 3 else {
                return .icon(.languages, hasDisc: false)
            }
            return .tag(language.uppercased(), fontSize: layout.fontSize * 3 / 4)
        case .volume:
            let isSilent = content.loudness.map { $0.isMuted || $0.rounded == 0 } ?? true
            return .icon(isSilent ? .speakerMuted : .speaker, hasDisc: false)
        case .outputs: return .icon(.outputs, hasDisc: false)
        case .filmstrip: return .icon(.filmstrip, hasDisc: false)
        case .menu: return .icon(.menu, hasDisc: false)
        }
    }

    private func widgets(of panel: ControlsPanel, page: Int, scroll: Int, _ content: ControlsContent) -> [Widget] {
        let places = panelLayout(panel)
        let fontSize = layout.fontSize
        // Fingers can scroll from the gap between two pictures, too.
        let gesture = panel == .filmstrip ? Widget.Gesture.scroll(.horizontal) : .swallow
        var widgets = [Widget(.panel, frame: places.frame, gesture: gesture, face: .panel)]
        switch panel {
        case .languages, .subtitles, .outputs:
            let choices = content.choices(in: panel)
            let shown = places.choices(onPage: page)
            for (place, choice) in zip(shown, choices[shown]) {
                widgets.append(
                    Widget(
                        .option(place), frame: places.frame(ofChoice: place - shown.lowerBound),
                        face: .label(choice.text, fontSize: fontSize), state: choice.isChosen ? .chosen : .normal))
            }
            if places.pageCount > 1 {
                widgets.append(
                    Widget(
                        .more, frame: places.frame(ofChoice: shown.count),
                        face: .icon(.more, hasDisc: false)))
            }
        case .volume:
            guard let loudness = content.loudness else { break }
            let value = touch.value(of: .level) ?? Self.level(of: loudness, limit: content.volumeLimit)
            let icon = loudness.isMuted && touch.value(of: .level) == nil ? ControlIcon.speakerMuted : .speaker
            widgets += [
                Widget(
                    .level, frame: places.level.frame, target: places.level.target, gesture: .slide(.vertical),
                    face: .level(value)),
                Widget(
                    .mute, frame: places.muteFrame, face: .icon(icon, hasDisc: false),
                    state: loudness.isMuted ? .chosen : .normal),
            ]
        case .filmstrip:
            for (place, picture) in content.pictures.enumerated() {
                let frame = places.frame(ofPicture: place, scroll: scroll)
                guard frame.x + frame.width > 0, frame.x < layout.displayWidth else { continue }
                widgets.append(
                    Widget(
                        .picture(place), frame: frame, gesture: .scroll(.horizontal),
                        face: .picture(
                            picture.id, caption: picture.caption, fontSize: max(fontSize * 5 / 8, 12),
                            isMarked: picture.isChapter),
                        state: place == content.currentPicture ? .chosen : .normal))
            }
        }
        return widgets
    }

    private static func level(of loudness: Loudness, limit: Double) -> Double {
        loudness.isMuted || limit <= 0 ? 0 : min(loudness.percent / limit, 1)
    }

    // MARK: Fingers

    /// - Parameters:
    ///   - event: as for `Slider.handle`.
    ///   - isVisible: whether the controls were shown before this event.
    ///   - hasBar: as for `Slider.handle`.
    /// - Returns: the outputs, in order.
    public mutating func handle(_ event: TouchEvent, isVisible: Bool, hasBar: Bool) -> [Output] {
        var outputs: [Output] = []
        switch event {
        case .down(let finger): outputs = press(finger, isVisible: isVisible, hasBar: hasBar)
        case .motion(let finger) where touch.isHeld(by: finger):
            outputs = follow(touch.move(finger, layout: layout), of: finger)
            outputs += pass(event, hasBar: hasBar)
        case .up(let finger): outputs = lift(finger, hasBar: hasBar)
        case .cancel(let finger): outputs = cancel(finger, hasBar: hasBar)
        case .panelRemoved(let panel):
            outputs = follow(touch.cancel(on: panel.id), of: nil)
            beside = beside.filter { $0.panel != panel.id }
            loose = loose.filter { $0.panel != panel.id }
            outputs += slide(event, hasBar: hasBar)
        case .motion, .frame, .panelAdded: outputs = slide(event, hasBar: hasBar)
        }
        settle(at: event.time)
        return outputs
    }

    /// Handles the passing of time. The caller has handled all earlier events.
    public mutating func wake(at time: MonotonicTime) -> [Output] {
        var outputs = follow(touch.wake(at: time, layout: layout), of: nil)
        outputs += slider.wake(at: time, layout: layout).map { .slider($0) }
        for case .slider(.void(let finger)) in outputs { beside.remove(Finger.Key(finger)) }
        if case .open(_, _, _, let until?) = sheet, until <= time { outputs += close() }
        settle(at: time)
        return outputs
    }

    /// Cancels a drag because its film is gone.
    public mutating func cancelDrag(at time: MonotonicTime) -> [Output] {
        let outputs = slider.cancelDrag(at: time)
        layOutRoom()
        return outputs.map { .slider($0) }
    }

    /// Closes the panel, because the controls are hidden.
    public mutating func closePanel() {
        guard !isTouched else { return }
        sheet = .closed
        arrange()
    }

    private mutating func press(_ finger: Finger, isVisible: Bool, hasBar: Bool) -> [Output] {
        // A panel that lost an `up` starts the same slot again.
        var outputs = touch.isHeld(by: finger) ? follow(touch.cancel(), of: finger) : []
        loose.remove(Finger.Key(finger))
        deed = nil
        let place = layout.place(of: finger)
        let widget = isVisible ? scene.widget(atX: place.x, y: place.y) : nil
        if panel != nil, widget.map({ !$0.id.isInPanel }) ?? true { beside.insert(Finger.Key(finger)) }
        guard let widget, widget.id != .bar else {
            return outputs + slide(.down(finger), hasBar: hasBar, isVisible: isVisible)
        }
        outputs.append(.slider(.touched(at: finger.time)))
        outputs += pass(.down(finger), hasBar: hasBar)
        guard touch.isFree, slider.heldValue == nil else {
            loose.insert(Finger.Key(finger))
            return outputs
        }
        before = Before(loudness: content.loudness, scroll: scroll)
        return outputs + follow(touch.press(finger, on: widget, layout: layout), of: finger)
    }

    private mutating func lift(_ finger: Finger, hasBar: Bool) -> [Output] {
        let key = Finger.Key(finger)
        let sheetBefore = sheet
        let wasBeside = beside.remove(key) != nil
        var outputs: [Output]
        if touch.isHeld(by: finger) {
            outputs = follow(touch.lift(finger, layout: layout), of: finger)
            outputs += [.slider(.touched(at: finger.time))] + pass(.up(finger), hasBar: hasBar)
        } else if loose.remove(key) != nil {
            outputs = [.slider(.touched(at: finger.time))] + pass(.up(finger), hasBar: hasBar)
        } else {
            outputs = slide(.up(finger), hasBar: hasBar)
        }
        // A touch beside a panel closes it and does not reach the film.
        guard wasBeside, panel != nil, isSame(sheet, sheetBefore) else { return outputs }
        outputs.removeAll { if case .slider(.tap) = $0 { true } else { false } }
        if deed == nil { deed = Deed(finger: key, sheet: sheetBefore, inverse: []) }
        return outputs + close()
    }

    private mutating func cancel(_ finger: Finger, hasBar: Bool) -> [Output] {
        let key = Finger.Key(finger)
        beside.remove(key)
        if touch.isHeld(by: finger) {
            return follow(touch.cancel(), of: finger) + [.slider(.touched(at: finger.time))]
                + pass(.cancel(finger), hasBar: hasBar)
        }
        if loose.remove(key) != nil {
            return [.slider(.touched(at: finger.time))] + pass(.cancel(finger), hasBar: hasBar)
        }
        // A cancel right after the lift voids that lift.
        if let deed, deed.finger == key {
            self.deed = nil
            let wasOpen = panel != nil
            sheet = deed.sheet
            var outputs = deed.inverse
            if (panel != nil) != wasOpen { outputs.append(.panelChanged(isOpen: panel != nil)) }
            return outputs + slide(.cancel(finger), hasBar: hasBar)
        }
        return slide(.cancel(finger), hasBar: hasBar)
    }

    private mutating func slide(_ event: TouchEvent, hasBar: Bool, isVisible: Bool = true) -> [Output] {
        slider.handle(
            event, layout: layout, isBarVisible: isVisible, hasBar: hasBar, isFree: touch.isFree && loose.isEmpty
        ).map { .slider($0) }
    }

    /// Passes the event to the slider. An event that does not belong to it still gives it the time.
    private mutating func pass(_ event: TouchEvent, hasBar: Bool) -> [Output] {
        guard let finger = event.finger else { return [] }
        return slide(.frame(finger.panel, finger.time), hasBar: hasBar)
    }

    // MARK: Outputs

    private var scroll: Int { if case .open(_, _, let scroll, _) = sheet { scroll } else { 0 } }

    private mutating func follow(_ outputs: [WidgetTouch.Output], of finger: Finger?) -> [Output] {
        var result: [Output] = []
        for output in outputs {
            switch output {
            case .pressed, .released: break
            case .activated(let id): result += activate(id, by: finger)
            case .slid(.level, let value): result += [.act(.setLoudness(loudness(at: value)))]
            case .slideEnded(.level, let value):
                remember(finger, before?.loudness.map { .setLoudness($0) })
                result += [.act(.setLoudness(loudness(at: value)))]
            case .slideCancelled(.level):
                if let loudness = before?.loudness { result += [.act(.setLoudness(loudness))] }
            case .scrolled(_, let distance): setScroll((before?.scroll ?? 0) - Int(distance.rounded()))
            case .scrollEnded(_, let distance):
                remember(finger)
                if case .open(let panel, let page, _, let until) = sheet, let before {
                    deed?.sheet = .open(panel, page: page, scroll: before.scroll, until: until)
                }
                setScroll((before?.scroll ?? 0) - Int(distance.rounded()))
            case .scrollCancelled: if let before { setScroll(before.scroll) }
            case .slid, .slideEnded, .slideCancelled: break
            }
        }
        if touch.isFree { before = nil }
        return result
    }

    private func loudness(at value: Double) -> Loudness { Loudness(percent: value * content.volumeLimit) }

    private mutating func setScroll(_ scroll: Int) {
        guard case .open(.filmstrip, let page, _, let until) = sheet else { return }
        let most = panelLayout(.filmstrip).mostScroll
        sheet = .open(.filmstrip, page: page, scroll: min(max(scroll, 0), most), until: until)
    }

    private mutating func remember(_ finger: Finger?, _ inverse: ControlsAction? = nil) {
        deed = finger.map {
            Deed(finger: Finger.Key($0), sheet: sheet, inverse: inverse.map { [.act($0)] } ?? [])
        }
    }

    private mutating func activate(_ id: WidgetID, by finger: Finger?) -> [Output] {
        switch id {
        case .button(.play):
            guard content.hasFilm else { return [] }
            remember(finger, .setPlaying(content.isPlaying))
            return [.act(.setPlaying(!content.isPlaying))]
        case .button(.menu): return content.hasMenu ? [.act(.openMenu)] : []
        case .button(let button):
            // The button may be one that the current film does not need.
            guard let panel = ControlsPanel(button), content.buttons.contains(button) else { return [] }
            remember(finger)
            return self.panel == panel ? close() : open(panel)
        case .option(let place):
            guard let panel, arranged.choices(in: panel).indices.contains(place) else { return [] }
            let choice = arranged.choices(in: panel)[place]
            // The choice may belong to an earlier film.
            guard content.choices(in: panel).contains(where: { $0.action == choice.action }) else { return [] }
            let chosen = content.choices(in: panel).first(where: \.isChosen)
            remember(finger, chosen?.action)
            return chosen?.action == choice.action ? [] : [.act(choice.action)]
        case .more:
            guard case .open(let panel, let page, let scroll, let until) = sheet else { return [] }
            remember(finger)
            sheet = .open(panel, page: (page + 1) % panelLayout(panel).pageCount, scroll: scroll, until: until)
            return []
        case .mute:
            guard let loudness = content.loudness else { return [] }
            remember(finger, .setLoudness(loudness))
            return [.act(.setLoudness(Loudness(percent: loudness.percent, isMuted: !loudness.isMuted)))]
        case .picture(let place):
            guard content.pictures.indices.contains(place), let finger else { return [] }
            // The same as a tap on the bar.
            let value = content.pictures[place].place
            remember(finger)
            deed?.inverse = [.slider(.slider(.cancel(at: finger.time)))]
            return [
                .slider(.slider(.touchDown(value, at: finger.time))),
                .slider(.slider(.touchUp(value, at: finger.time))),
            ]
        case .bar, .panel, .level, .preview, .heading, .secondsLeft, .title, .pages: return []
        }
    }

    private mutating func open(_ panel: ControlsPanel) -> [Output] {
        let wasOpen = self.panel != nil
        var scroll = 0
        if panel == .filmstrip, let current = content.currentPicture {
            scroll = panelLayout(.filmstrip).scroll(centring: current)
        }
        sheet = .open(panel, page: 0, scroll: scroll, until: nil)
        return wasOpen ? [] : [.panelChanged(isOpen: true)]
    }

    private mutating func close() -> [Output] {
        guard panel != nil else { return [] }
        sheet = .closed
        return [.panelChanged(isOpen: false)]
    }

    private func isSame(_ one: Sheet, _ other: Sheet) -> Bool {
        switch (one, other) {
        case (.closed, .closed): true
        case (.open(let a, _, _, _), .open(let b, _, _, _)): a == b
        case (.closed, .open), (.open, .closed): false
        }
    }

    /// Lays the content out if no finger is down. Called after everything that may have lifted the last finger.
    private mutating func settle(at time: MonotonicTime?) {
        layOutRoom()
        if isTouched {
            if case .open(let panel, let page, let scroll, .some) = sheet {
                sheet = .open(panel, page: page, scroll: scroll, until: nil)
            }
            return
        }
        if case .open(let panel, let page, let scroll, nil) = sheet, let time {
            sheet = .open(panel, page: page, scroll: scroll, until: time + Self.panelStay)
        }
        arrange()
    }
}

extension WidgetID {
    /// Whether a touch on the widget leaves the panel open.
    fileprivate var isInPanel: Bool {
        switch self {
        case .bar, .button, .preview, .heading, .secondsLeft, .title, .pages: false
        case .panel, .option, .more, .level, .mute, .picture: true
        }
    }
}
