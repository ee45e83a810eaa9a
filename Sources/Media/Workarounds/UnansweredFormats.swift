// Bug: `alsasink` answers a caps query with NULL if the card accepts nothing at all. GStreamer reads that as
// "everything", queries further, and logs CRITICAL. Not reported.
// Versions: 1.22.0 and 1.26.2; GStreamer's main branch of August 2026 still has it (gst_alsasink_getcaps).
// May go when a refused card's `possibleCaps` are empty: test_a_card_that_refuses_every_sound of
// Tests/Rig/test_sounds.py.

extension Element {
    /// Whether an open card accepts no sound of any kind. If it seems to accept everything that `alsasink` knows, it
    /// has not answered: no card does.
    var refusesAllSound: Bool {
        guard let pad = pad("sink"), let caps = pad.possibleCaps, !caps.isEmpty else { return true }
        return pad.templateCaps.map(caps.isEqual) ?? false
    }
}
