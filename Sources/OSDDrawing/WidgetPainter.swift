public import PlayerCore

/// Provides the parts of widgets that are no shapes. Called while painting.
public protocol WidgetMaterial: Sendable {
    /// The mask of a line, as high as its font's line; `nil` if it has no letters.
    func letters(of text: String, fontSize: Int, isBold: Bool) -> TextMask?
    /// A picture in this size; `nil` if it is not available.
    func picture(_ id: PictureID, width: Int, height: Int) -> PicturePixels?
}

/// Paints widgets over the existing pixels.
struct WidgetPainter {
    let canvas: PixelCanvas
    /// The surface's upper edge on the display.
    let top: Int
    let material: (any WidgetMaterial)?

    func paint(_ widget: Widget) {
        guard widget.state != .hidden else { return }
        let frame = widget.frame
        switch widget.face {
        case .empty: break
        case .panel: fill(box(frame, radius: corner(of: frame)), frame, with: OSDPalette.panel)
        case .icon(let icon, let hasDisc): paint(icon, hasDisc: hasDisc, widget)
        case .tag(let text, let fontSize): paint(tag: text, fontSize: fontSize, widget)
        case .label(let text, let fontSize): paint(label: text, fontSize: fontSize, widget)
        case .level(let value): paint(level: value, widget)
        case .backdrop:
            for row in 0..<canvas.height { canvas.fillRow(row, with: OSDPalette.backdrop.pixel) }
        case .text(let text, let fontSize, let isCentred):
            paint(lines: text, fontSize: fontSize, isCentred: isCentred, widget)
        case .chip(let text, let fontSize): paint(chip: text, fontSize: fontSize, widget)
        case .dots(let count, let chosen): paint(dots: count, chosen: chosen, widget)
        case .picture(let id, let caption, let fontSize, let isMarked):
            paint(id, caption, fontSize, isMarked: isMarked, widget)
        case .preview(let id, let time, let fontSize): paint(id, time, fontSize, widget.frame)
        }
    }

    private func paint(_ icon: ControlIcon, hasDisc: Bool, _ widget: Widget) {
        let frame = widget.frame
        // In a list it is centred in its row.
        let side = min(frame.width, frame.height, hasDisc ? .max : widget.target.height * 5 / 8)
        let square = Widget.Rectangle(
            x: frame.x + (frame.width - side) / 2, y: frame.y + (frame.height - side) / 2, width: side, height: side)
        paintGround(widget, hasDisc: hasDisc)
        let inset = hasDisc ? side / 6 : side / 12
        for shape in icon.shapes(
            x: Double(square.x + inset), y: Double(square.y + inset - top), side: Double(side - 2 * inset))
        {
            fill(shape, square, with: OSDPalette.sign)
        }
    }

    /// Paints a disc, or a background that shows that a finger presses the widget, or that its panel is open.
    private func paintGround(_ widget: Widget, hasDisc: Bool) {
        let frame = widget.frame
        if hasDisc {
            let radius = Double(min(frame.width, frame.height)) / 2
            let (x, y) = (Double(frame.x) + Double(frame.width) / 2, Double(frame.y - top) + Double(frame.height) / 2)
            fill(
                .disc(x: x, y: y, radius: radius - 0.5), frame,
                with: widget.state == .pressed ? OSDPalette.pressed : OSDPalette.disc)
            return
        }
        guard widget.state == .pressed || widget.state == .chosen else { return }
        // Visible beside the finger: as large as its target, which may reach to the display's edge.
        let reach = frame == widget.target ? -max(frame.height / 16, 1) : frame.height / 4
        let sheet = Widget.Rectangle(
            x: frame.x - reach, y: max(frame.y - reach, top), width: frame.width + 2 * reach,
            height: frame.height + 2 * reach)
        fill(
            box(sheet, radius: corner(of: sheet)), sheet,
            with: widget.state == .pressed ? OSDPalette.pressed : OSDPalette.disc)
    }

    private func paint(tag text: String, fontSize: Int, _ widget: Widget) {
        paintGround(widget, hasDisc: false)
        let frame = widget.frame
        let height = frame.height * 3 / 4
        let plate = Widget.Rectangle(
            x: frame.x, y: frame.y + (frame.height - height) / 2, width: frame.width, height: height)
        let stroke = max(Double(frame.height) / 16, 1.5)
        var inner = box(plate, radius: Double(height) / 5)
        if case .box(let x, let y, let width, let height, let radius) = inner {
            inner = .box(
                x: x + stroke / 2, y: y + stroke / 2, width: width - stroke, height: height - stroke, radius: radius)
        }
        fill(.outline(inner, width: stroke), plate, with: OSDPalette.sign)
        write(text, fontSize, isBold: true, in: plate, isCentred: true)
    }

    private func paint(label text: String, fontSize: Int, _ widget: Widget) {
        let frame = widget.frame
        if widget.state == .pressed { paintGround(widget, hasDisc: false) }
        if widget.state == .chosen {
            let side = Double(fontSize)
            let (x, y) = (
                Double(frame.x) + side / 2, Double(frame.y - top) + (Double(frame.height) - side) / 2
            )
            let corners = ControlIcon.checkMark.map { (x: x + $0.0 * side / 24, y: y + $0.1 * side / 24) }
            for (from, to) in zip(corners, corners.dropFirst()) {
                fill(
                    .line(x0: from.x, y0: from.y, x1: to.x, y1: to.y, width: max(side / 9, 2)), frame,
                    with: OSDPalette.played)
            }
        }
        let inset = fontSize * 7 / 4
        write(
            text, fontSize, isBold: widget.state == .chosen,
            in: .init(x: frame.x + inset, y: frame.y, width: frame.width - inset - fontSize / 2, height: frame.height),
            isCentred: false)
    }

    /// Paints lines below each other, centred in the frame's height.
    private func paint(lines text: String, fontSize: Int, isCentred: Bool, _ widget: Widget) {
        let (frame, lines) = (widget.frame, text.split(separator: "\n"))
        let height = lines.count > 1 ? fontSize * 5 / 4 : frame.height
        let top = frame.y + (frame.height - height * lines.count) / 2
        for (place, line) in lines.enumerated() {
            write(
                String(line), fontSize, isBold: true,
                in: .init(x: frame.x, y: top + place * height, width: frame.width, height: height),
                isCentred: isCentred)
        }
    }

    private func paint(chip text: String, fontSize: Int, _ widget: Widget) {
        let frame = widget.frame
        let height = min(frame.height, fontSize * 2)
        let plate = Widget.Rectangle(
            x: frame.x, y: frame.y + (frame.height - height) / 2, width: frame.width, height: height)
        let color =
            switch widget.state {
            case .pressed: OSDPalette.pressed
            case .chosen: OSDPalette.thumb
            case .normal, .hidden: OSDPalette.disc
            }
        fill(box(plate, radius: Double(height) / 5), plate, with: color)
        write(
            text, fontSize, isBold: widget.state == .chosen, in: plate, isCentred: true,
            color: widget.state == .chosen ? OSDPalette.ink : OSDPalette.sign)
    }

    private func paint(dots count: Int, chosen: Int, _ widget: Widget) {
        let frame = widget.frame
        let radius = Double(frame.height) / 4
        let left = Double(frame.x) + Double(frame.width) / 2 - Double(count - 1) * radius * 2
        for place in 0..<count {
            fill(
                .disc(
                    x: left + Double(place) * radius * 4, y: Double(frame.y - top) + Double(frame.height) / 2,
                    radius: radius), frame,
                with: place == chosen ? OSDPalette.sign : OSDPalette.unplayed)
        }
    }

    private func paint(level value: Double, _ widget: Widget) {
        let frame = widget.frame
        let (x, width) = (Double(frame.x) + Double(frame.width) / 2, max(Double(frame.width) / 10, 4))
        let (upper, lower) = (Double(frame.y - top), Double(frame.y + frame.height - top))
        let knob = lower - value * (lower - upper)
        let box = widget.target
        fill(.line(x0: x, y0: upper, x1: x, y1: knob, width: width), box, with: OSDPalette.unplayed)
        fill(.line(x0: x, y0: knob, x1: x, y1: lower, width: width), box, with: OSDPalette.played)
        let radius = Double(frame.width) / (widget.state == .pressed ? 4.2 : 5.2)
        fill(.disc(x: x, y: knob, radius: radius + 1.25), box, with: OSDPalette.thumbOutline)
        fill(.disc(x: x, y: knob, radius: radius), box, with: OSDPalette.thumb)
    }

    private func paint(
        _ id: PictureID?, _ caption: String, _ fontSize: Int, isMarked: Bool, _ widget: Widget
    ) {
        let frame = widget.frame
        let radius = Double(max(frame.height / 20, 2))
        if let id, let picture = material?.picture(id, width: frame.width, height: frame.height) {
            canvas.fill(picture, x: frame.x, y: frame.y - top, radius: radius)
        } else {
            fill(box(frame, radius: radius), frame, with: OSDPalette.disc)
        }
        if widget.state == .pressed || widget.state == .chosen {
            let width = Double(max(frame.height / 24, 2))
            fill(
                .outline(box(frame, radius: radius), width: width * 2), frame,
                with: widget.state == .pressed ? OSDPalette.thumb : OSDPalette.played)
        }
        if isMarked {
            // The mark is a line from edge to edge, as in the bar's gaps.
            let edge = Widget.Rectangle(x: frame.x, y: frame.y, width: max(frame.height / 16, 3), height: frame.height)
            fill(box(edge, radius: 0), edge, with: OSDPalette.played)
        }
        guard !caption.isEmpty else { return }
        let line = Widget.Rectangle(
            x: frame.x, y: frame.y + frame.height - fontSize * 3 / 2, width: frame.width, height: fontSize * 3 / 2)
        let ground = Widget.Rectangle(x: line.x + 1, y: line.y, width: line.width - 2, height: line.height - 1)
        fill(box(ground, radius: 0), ground, with: OSDPalette.caption)
        write(
            caption, fontSize, isBold: false,
            in: .init(x: line.x + fontSize / 2, y: line.y, width: line.width - fontSize, height: line.height),
            isCentred: false)
    }

    /// Paints a picture that follows a finger: only its pixels and the time's plate are painted as areas.
    private func paint(_ id: PictureID, _ time: String, _ fontSize: Int, _ frame: Widget.Rectangle) {
        guard let picture = material?.picture(id, width: frame.width, height: frame.height) else { return }
        let radius = Double(max(frame.height / 20, 2))
        canvas.fill(picture, x: frame.x, y: frame.y - top, radius: radius)
        paint(time: time, fontSize, in: frame)
        let width = max(frame.height / 48, 2)
        let half = Double(width) / 2
        let outline = Shape.outline(
            .box(
                x: Double(frame.x) + half, y: Double(frame.y - top) + half, width: Double(frame.width) - 2 * half,
                height: Double(frame.height) - 2 * half, radius: radius), width: 2 * half)
        let reach = max(Int(radius), width) + width
        let (left, right, upper, lower) = (frame.x, frame.x + frame.width, frame.y - top, frame.y - top + frame.height)
        for (columns, rows) in [
            (left..<right, upper..<upper + reach), (left..<left + reach, upper + reach..<lower - reach),
            (right - reach..<right, upper + reach..<lower - reach), (left..<right, lower - reach..<lower),
        ] {
            canvas.fill(outline, within: .init(columns: columns, rows: rows), with: OSDPalette.thumb)
        }
    }

    /// Paints a time at a picture's lower edge, if there is room: sign by sign, so that digits stay in their places
    /// while it changes, and no line has to be rendered for each second.
    private func paint(time: String, _ fontSize: Int, in frame: Widget.Rectangle) {
        let widths = time.map { $0.isNumber ? fontSize * 5 / 8 + 1 : fontSize * 3 / 8 }
        let width = widths.reduce(0, +)
        guard width + fontSize <= frame.width else { return }
        let plate = Widget.Rectangle(
            x: frame.x + (frame.width - width - fontSize) / 2, y: frame.y + frame.height - fontSize * 7 / 4,
            width: width + fontSize, height: fontSize * 5 / 4)
        fill(box(plate, radius: Double(plate.height) / 4), plate, with: OSDPalette.caption)
        var x = plate.x + fontSize / 2
        for (sign, width) in zip(time, widths) {
            write(
                String(sign), fontSize, isBold: true,
                in: .init(x: x, y: plate.y, width: width, height: plate.height), isCentred: true)
            x += width
        }
    }

    // MARK: Parts

    private func corner(of frame: Widget.Rectangle) -> Double { min(Double(min(frame.width, frame.height)) / 8, 16) }

    private func box(_ frame: Widget.Rectangle, radius: Double) -> Shape {
        .box(
            x: Double(frame.x), y: Double(frame.y - top), width: Double(frame.width), height: Double(frame.height),
            radius: radius)
    }

    private func fill(_ shape: Shape, _ frame: Widget.Rectangle, with color: PremultipliedColor) {
        canvas.fill(
            shape,
            within: .init(
                columns: frame.x - 1..<frame.x + frame.width + 1,
                rows: frame.y - top - 1..<frame.y + frame.height - top + 1),
            with: color)
    }

    /// Paints one line, centred in the frame's height, and clips it.
    private func write(
        _ text: String, _ fontSize: Int, isBold: Bool, in frame: Widget.Rectangle, isCentred: Bool,
        color: PremultipliedColor = OSDPalette.sign
    ) {
        guard let mask = material?.letters(of: text, fontSize: fontSize, isBold: isBold), frame.width > 0 else {
            return
        }
        let x = isCentred ? frame.x + (frame.width - mask.width) / 2 : frame.x
        canvas.fill(
            mask, x: x, y: frame.y - top + (frame.height - mask.height) / 2,
            columns: max(frame.x, 0)..<max(frame.x + frame.width, max(frame.x, 0)), with: color)
    }
}
