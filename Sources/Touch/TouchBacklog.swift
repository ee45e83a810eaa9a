import PlayerCore

/// Events that wait for a busy reader.
///
/// The start or end of a touch is never dropped. Among a finger's motions since the last such event only the newest
/// waits, and among a panel's frames too. So a late reader finds the finger where it is now, and the backlog stays
/// small (touches start and end at a hand's speed).
struct TouchBacklog {
    private var waiting: [TouchNews] = []

    var count: Int { waiting.count }

    mutating func append(_ news: TouchNews) {
        let replaceable = waiting.reversed().prefix { $0.isContinuous }.count
        let tail = waiting.count - replaceable
        if let old = waiting[tail...].firstIndex(where: { $0.isReplaced(by: news) }) { waiting.remove(at: old) }
        waiting.append(news)
    }

    mutating func takeFirst() -> TouchNews? {
        waiting.isEmpty ? nil : waiting.removeFirst()
    }
}

extension TouchNews {
    fileprivate var isContinuous: Bool {
        switch self {
        case .event(.motion), .event(.frame): true
        default: false
        }
    }

    fileprivate func isReplaced(by newer: TouchNews) -> Bool {
        switch (self, newer) {
        case (.event(.motion(let old)), .event(.motion(let new))): old.panel == new.panel && old.slot == new.slot
        case (.event(.frame(let old, _)), .event(.frame(let new, _))): old == new
        default: false
        }
    }
}
