internal import Media
internal import PlayerCore
internal import ScrubSheet

/// Makes a film's scrub sheet while the film plays, as a kiosk's films repeat anyway. It belongs to the film's session,
/// and lives as long.
///
/// All waiting is done on the harvest's own thread. A storage error (a full card, a read-only one) ends the harvest,
/// and nothing else: a later session, or another process, continues its file. While another process has the file, the
/// harvest waits.
final class SheetHarvester {
    private let harvest: FrameHarvest

    /// `nil` for media without a bar to scrub on: live media, sounds, stills, and media that are not on a disk.
    /// - Parameter report: receives the error that ended the harvest, on another thread.
    init?(
        _ location: MediaLocation, _ mediaInfo: MediaInfo, _ options: SheetMaker.Options,
        report: @escaping @Sendable (SheetError) -> Void
    ) {
        guard let path = location.path, mediaInfo.isLocal, mediaInfo.hasVideo, mediaInfo.isSeekable, !mediaInfo.isLive,
            !mediaInfo.isPicture,
            let duration = mediaInfo.duration,
            let plan = SheetPlan(duration: duration, frame: mediaInfo.frameDuration, trackPixels: options.trackPixels),
            plan.count > 1
        else { return nil }
        let most = SheetPlan.mostPlaces(trackPixels: options.trackPixels)
        let keeper = Keeper(path, plan, most, mediaInfo.frameDuration, options.cache, report)
        harvest = FrameHarvest(keeper: keeper, limit: options.size)
    }

    deinit { harvest.end() }

    /// Continues with the film's next pipeline.
    func follow(_ pipeline: any MediaPipeline) { pipeline.harvest(harvest) }

    /// `@unchecked Sendable` because only the harvest's thread uses it.
    private final class Keeper: FrameHarvest.Keeper, @unchecked Sendable {
        private let path: String
        private let plan: SheetPlan
        private let most: Int
        private let frame: MediaTime?
        private let cache: SheetCache?
        private let report: @Sendable (SheetError) -> Void
        /// `nil` once the harvest is over: it locks the file.
        private var writer: SheetWriter?
        private var kept = 0

        /// The number of pictures between two checks whether the film is still the same, and two syncs to the card.
        private static let step = 256

        init(
            _ path: String, _ plan: SheetPlan, _ most: Int, _ frame: MediaTime?, _ cache: SheetCache?,
            _ report: @escaping @Sendable (SheetError) -> Void
        ) {
            (self.path, self.plan, self.most) = (path, plan, most)
            (self.frame, self.cache, self.report) = (frame, cache, report)
        }

        func open(_ size: SheetSize) -> FrameHarvest.OpenResult {
            guard let film = try? FilmIdentity.of(path) else { return .never }
            if ScrubSheet.find(for: path, identity: film, in: cache)?.isComplete == true { return .never }
            let media = SheetWriter.Media(film: film, plan: plan, frame: frame, size: size, most: most)
            do throws(SheetError) {
                let writer = try SheetWriter(media, in: cache.map { .cache($0) } ?? .beside(film: path))
                self.writer = writer
                return .harvest(writer.coverage)
            } catch {
                if error.reason == .isBeingMade { return .later }
                report(error)
                return .never
            }
        }

        func keep(_ frame: FilmFrames.Frame) -> Bool? {
            guard let writer, let start = frame.planes.baseAddress else { return nil }
            do throws(SheetError) {
                try writer.append(SheetPlanes(size: frame.size, packedIn: start), at: frame.time, frame.color)
                kept += 1
                guard kept % Self.step == 0 else { return true }
                try writer.sync()
                if try FilmIdentity.of(path) == writer.media.film { return true }
            } catch {
                report(error)
            }
            self.writer = nil
            return nil
        }

        func complete() -> Bool {
            defer { self.writer = nil }
            // The film's name may belong to another film by now.
            guard let writer, (try? FilmIdentity.of(path)) == writer.media.film else { return true }
            let bytes = writer.byteCount
            do throws(SheetError) { try writer.complete() } catch { report(error) }
            return writer.byteCount == bytes
        }
    }
}
