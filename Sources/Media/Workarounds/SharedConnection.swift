// Bug: all of PipeWire's device providers in a program with the same descriptor, or with none, share one connection. A
// later provider gets the connection of an earlier one that was never stopped, even if its server has ended, and waits
// for devices in vain. Not reported.
// Versions: PipeWire 0.3.65 (Debian 12) and 1.4 (Debian 13).
// May go when `test_a_loudspeaker_on_the_network_is_chosen_while_a_film_plays` of Tests/Rig/test_pipewire.py passes
// without it; it is not needed without `UnstoppableDevices`.

extension DeviceProvider {
    /// Gives the provider a connection of its own. Before `start`. The descriptor identifies the connection, and stays
    /// open, so that its number is never used again.
    /// - Parameter descriptor: a descriptor that is connected to the server; `nil` if there is none.
    func connect(by descriptor: Int32?) -> Bool {
        guard let descriptor else { return false }
        set("fd", to: descriptor)
        return true
    }
}
