internal import Media
internal import OSDDrawing
internal import PlayerCore
internal import ScrubSheet

/// The film's pictures above the bar, from its scrub sheet or a decoder of its own. Belongs to the loop.
///
/// They are read while they are shown and no finger holds the film. Those of a film from a server are read while the
/// bar is visible: one of them may stand above the thumb. Those of a complete sheet are in memory only while they are
/// shown; decoded ones are kept for as long as the film is open.
final class Filmstrip {
    private enum Work {
        case none
        case reading(FilmstripReader, Task<Void, Never>)
        /// The last reader is ending, and frees its decoder.
        case ending(Task<Void, Never>)
    }

    private let film: MediaLocation
    private let duration: MediaTime
    private let material: OSDMaterial
    /// Set once it is found.
    var sheet: ScrubSheet?
    /// The film's file as it was when it was opened. Set once it has been read.
    var identity: FilmIdentity?
    private var plan: FilmstripPlan
    private var ids = [PictureID?](repeating: nil, count: FilmstripPlan.count)
    /// The size of the pictures.
    private var size: FilmstripReader.Size?
    private var order = FilmstripPlan.Order.spread
    private var work = Work.none

    init(_ film: MediaLocation, of duration: MediaTime, _ material: OSDMaterial) {
        (self.film, self.duration, self.material) = (film, duration, material)
        plan = FilmstripPlan(duration, decodes: film.isLocal)
    }

    deinit {
        if case .reading(let reader, _) = work { reader.cancel() }
        for case let id? in ids { material.remove(id) }
    }

    func pictures(_ chapters: ChapterList) -> [ControlsContent.Picture] {
        let (count, times) = (FilmstripPlan.count, plan.times)
        let starts = chapters.chapters.map { $0.start.fraction(of: duration) }
        return (0..<count).map { place in
            let part = Double(place) / Double(count)
            let next = Double(place + 1) / Double(count)
            return ControlsContent.Picture(
                id: ids[place], place: times[place].fraction(of: duration), caption: times[place].description,
                isChapter: starts.contains { $0 >= part && $0 < next && $0 > 0 })
        }
    }

    /// Whether the pictures are in their places in a film of this duration: a server's film may be of a length that is
    /// only estimated.
    func fits(_ duration: MediaTime) -> Bool { duration.distance(to: self.duration) <= plan.tolerance }

    /// Reads missing pictures of this size.
    /// - Parameter changed: called on the loop for each new picture.
    func fill(
        _ size: FilmstripReader.Size, _ order: FilmstripPlan.Order,
        isolation: isolated PlayerLoop, changed: @escaping (isolated PlayerLoop) -> Void
    ) {
        self.order = order
        if self.size != size {
            rest()
            drop()
            self.size = size
        }
        if case .reading = work { return }
        guard next != nil else { return }
        let reader = FilmstripReader(film, identity, sheet, tolerance: plan.tolerance, size)
        var before: Task<Void, Never>?
        if case .ending(let task) = work { before = task }
        let task = Task { [weak self, before] in
            // One decoder at a time.
            await before?.value
            while !Task.isCancelled, let due = self?.plan.due {
                guard due <= .now else {
                    try? await Task.sleep(for: due - .now)
                    continue
                }
                guard let request = self?.next else { break }
                let result = await runBlocking { reader.read(request) }
                guard !Task.isCancelled else { break }
                self?.take(result, for: request)
                if result.pixels != nil { changed(isolation) }
            }
            await runBlocking { reader.close() }
        }
        work = .reading(reader, task)
    }

    private var next: FilmstripPlan.Request? { plan.next(order) }

    /// Begins no other picture for a while. Unlike `rest`, it keeps the connection to the film's server.
    func pause(for time: Duration) { plan.rest(until: .now + time) }

    private func take(_ result: FilmstripReader.Result, for request: FilmstripPlan.Request) {
        plan.take(result.answer, to: request, cost: result.cost, at: .now)
        if let pixels = result.pixels { ids[request.place] = material.add(pixels) }
    }

    /// Stops reading until `fill`.
    func rest() {
        guard case .reading(let reader, let task) = work else { return }
        reader.cancel()
        task.cancel()
        work = .ending(task)
    }

    /// Drops pictures because they are hidden. Those of a complete sheet are read again at once when needed.
    func hide() {
        rest()
        if sheet?.isComplete == true { drop() }
    }

    private func drop() {
        guard size != nil else { return }
        size = nil
        for case let id? in ids { material.remove(id) }
        ids = [PictureID?](repeating: nil, count: FilmstripPlan.count)
        plan.forget()
    }
}
