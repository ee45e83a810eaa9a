// Bug: PipeWire's device provider for GStreamer frees what its own thread still uses when it is stopped: one program in ten crashes in
// malloc soon after (`vitrine sounds` in a row). Not reported.
// Versions: PipeWire 0.3.65 (Debian 12); 1.4 was not looked at.
// May go when `vitrine sounds`, run 100 times beside a PipeWire, never crashes with `gst_device_provider_stop` in place of this.

extension DeviceProvider {
    /// It goes on for as long as the program does, heard by nobody. Its server has ended, or the program is about to.
    func abandon() {
        bus?.flush()
        _ = Unmanaged.passRetained(self)
    }
}
