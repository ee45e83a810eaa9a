// Bug: stopped, PipeWire's device provider for GStreamer brings the program down now and then, in malloc a moment later: one of ten
// `vitrine sounds` in a row. Its own thread seems to use what was freed; that was not traced to its line. And all providers of a
// program share one connection, by the descriptor that they were given (none is one, too): a later one finds the connection of an
// earlier one that was never stopped, though its server has ended, and waits for devices in vain. Neither is reported.
// Versions: the former PipeWire 0.3.65 (Debian 12), 1.4 was not looked at; the latter both.
// May go when `vitrine sounds`, run 100 times beside a PipeWire, never crashes with `gst_device_provider_stop` in place of `abandon`.

extension DeviceProvider {
    /// It goes on for as long as the program does, heard by nobody. Its server has ended, or the program is about to. A thread and two
    /// descriptors stay behind for each server that ends.
    func abandon() {
        bus?.flush()
        _ = Unmanaged.passRetained(self)
    }

    /// Before `start`. The descriptor is the connection's name, and never another one's: it stays open.
    /// - Parameter descriptor: connected to the server; `nil`: there was none.
    func connect(by descriptor: Int32?) -> Bool {
        guard let descriptor else { return false }
        set("fd", to: descriptor)
        return true
    }
}
