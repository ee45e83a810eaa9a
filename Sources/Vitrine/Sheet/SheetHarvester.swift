internal import Media
internal import PlayerCore
internal import ScrubSheet

/// Makes a film's scrub sheet while the film plays, as a kiosk's films repeat anyway. It belongs to the film's session,
/// and lives as long.
///
/// All waiting is done on the harvest's own thread. A storage error (a full card, a read-only one) ends the harvest,
/// and nothing else.
final class SheetHarvester {
    private let harvest: FrameHarvest

    /// `nil` for media without a bar to scrub on: live media, sounds, stills, and media that are not on a disk.
    init?(_ location: MediaLocation, _ mediaInfo: MediaInfo, _ options: SheetMaker.Options) {
        guard let path = location.path, mediaInfo.isLocal, mediaInfo.hasVideo, mediaInfo.isSeekable, !mediaInfo.isLive,
            !mediaInfo.isPicture,
            let duration = mediaInfo.duration,
            let plan = SheetPlan(duration: duration, frame: mediaInfo.frameDuration, trackPixels: options.trackPixels),
            plan.count > 1
        else { return nil }
        let keeper = Keeper(path, plan, mediaInfo.frameDuration, options.cache)
        harvest = FrameHarvest(keeper: keeper, limit: options.size)
    }

    deinit { harvest.end() }

    /// Continues with the film's next pipeline.
    func follow(_ pipeline: any MediaPipeline) { pipeline.harvest(harvest) }

    /// `@unchecked Sendable` because only the harvest's thread uses it.
    private final class Keeper: FrameHarvest.Keeper, @unchecked Sendable {
        private let path: String
        private let plan: SheetPlan
        private let frame: MediaTime?
        private let cache: SheetCache?
        private var writer: SheetWriter?
        private var kept = 0

        /// The number of pictures between two checks whether the film is still the same, and two syncs to the card.
        private static let step = 256

        init(_ path: String, _ plan: SheetPlan, _ frame: MediaTime?, _ cache: SheetCache?) {
            (self.path, self.plan, self.frame, self.cache) = (path, plan, frame, cache)
        }

        func open(_ size: SheetSize) -> SheetCoverage? {
            guard let film = try? FilmIdentity.of(path) else { return nil }
            if ScrubSheet.find(for: path, identity: film, in: cache)?.isComplete == true { return nil }
            let media = SheetWriter.Media(film: film, plan: plan, frame: frame, size: size)
            writer = try? SheetWriter(media, in: cache.map { .cache($0) } ?? .beside(film: path))
            return writer?.coverage
        }

        func keep(_ frame: FilmFrames.Frame) -> Bool? {
            guard let writer, let start = frame.planes.baseAddress else { return nil }
            do throws(SheetError) {
                try writer.append(SheetPlanes(size: frame.size, packedIn: start), at: frame.time, frame.color)
                kept += 1
                guard kept % Self.step == 0 else { return true }
                try writer.sync()
                return try FilmIdentity.of(path) == writer.media.film ? true : nil
            } catch {
                return nil
            }
        }

        func complete() {
            // The film's name may belong to another film by now.
            guard let writer, (try? FilmIdentity.of(path)) == writer.media.film else { return }
            try? writer.complete()
        }
    }
}
