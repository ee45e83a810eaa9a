// Bug: all device providers of PipeWire's in a program share one connection, by the descriptor that they were given (none is one, too):
// a later one finds the connection of an earlier one that was never stopped, though its server has ended, and waits for devices in vain.
// Not reported.
// Versions: PipeWire 0.3.65 (Debian 12) and 1.4 (Debian 13).
// May go when `test_a_loudspeaker_on_the_network_is_chosen_while_a_film_plays` of Tests/Rig/test_pipewire.py passes without it; it is not
// needed where `UnstoppableDevices` is not.

extension DeviceProvider {
    /// Before `start`. The descriptor is the connection's name, and never another one's: it stays open.
    /// - Parameter descriptor: connected to the server; `nil`: there was none.
    func connect(by descriptor: Int32?) -> Bool {
        guard let descriptor else { return false }
        set("fd", to: descriptor)
        return true
    }
}
