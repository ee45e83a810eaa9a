internal import Media
internal import OSDDrawing
internal import PlayerCore
internal import ScrubSheet

/// The film's pictures above the bar, of its scrub sheet. They are in memory while they are shown. The loop's own.
final class Filmstrip {
    /// So many from the film's start to its end.
    static let count = 20

    private enum State {
        case empty
        /// In this size. `task` fills it.
        case filling(Size, Task<Void, Never>)
    }

    struct Size: Hashable, Sendable {
        var width: Int
        var height: Int
    }

    private let sheet: ScrubSheet
    private let duration: MediaTime
    private var state = State.empty
    private var ids = [PictureID?](repeating: nil, count: count)
    /// Of the sheet's pictures, where they are there: a touch leads to the very frame.
    private var times: [MediaTime]

    init(_ sheet: ScrubSheet, of duration: MediaTime) {
        self.sheet = sheet
        self.duration = duration
        times = (0..<Self.count).map { duration.scaled(by: Double($0) / Double(Self.count)) }
    }

    func pictures(_ chapters: ChapterList) -> [ControlsFacts.Picture] {
        let starts = chapters.chapters.map { $0.start.fraction(of: duration) }
        return (0..<Self.count).map { place in
            let part = Double(place) / Double(Self.count)
            let next = Double(place + 1) / Double(Self.count)
            return ControlsFacts.Picture(
                id: ids[place], place: times[place].fraction(of: duration), caption: times[place].description,
                isChapter: starts.contains { $0 >= part && $0 < next && $0 > 0 })
        }
    }

    /// Fills it with pictures of this size, from the middle of what is seen on.
    /// - Parameter changed: called on the loop each time that there is another picture.
    func fill(
        _ size: Size, around middle: Int, _ material: OSDMaterial,
        isolation: isolated PlayerLoop, changed: @escaping (isolated PlayerLoop) -> Void
    ) {
        if case .filling(size, _) = state { return }
        empty(material)
        let places = (0..<Self.count).sorted { abs($0 - middle) < abs($1 - middle) }
        let reader = SheetReader(sheet)
        // Farther away it would be another place's.
        let tolerance = duration.scaled(by: 0.5 / Double(Self.count))
        let wanted = times
        let task = Task { [weak self] in
            await offLoop { _ = try? reader.sheet.refresh() }
            for place in places {
                // What cannot be read is left out, picture by picture.
                guard let entry = reader.sheet.nearest(to: wanted[place]),
                    entry.time.distance(to: wanted[place]) <= tolerance,
                    let pixels = await offLoop({
                        reader.pixels(entry, SheetThumbnail(of: reader.sheet, width: size.width, height: size.height))
                    })
                else { continue }
                guard let self, !Task.isCancelled else { return }
                ids[place] = material.add(pixels)
                times[place] = entry.time
                changed(isolation)
            }
        }
        state = .filling(size, task)
    }

    /// Gives the memory back.
    func empty(_ material: OSDMaterial) {
        guard case .filling(_, let task) = state else { return }
        task.cancel()
        state = .empty
        for id in ids { if let id { material.remove(id) } }
        ids = [PictureID?](repeating: nil, count: Self.count)
    }
}
