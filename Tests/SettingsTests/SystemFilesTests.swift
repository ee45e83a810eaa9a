import Glibc
import Testing

@testable import Settings

/// The system files that follow from the settings: `vitrine settings apply` (N8).
struct SystemFilesTests {
    private let folder = Temporary()

    private func apply(_ text: String) throws -> [String] {
        let files = SystemFiles(SettingsFile(path: "vitrine.toml", bytes: Array(text.utf8)).settings)
        return try files.write(root: folder.path).map { String($0.dropFirst(folder.path.count + 1)) }
    }

    private let wireless = "etc/wpa_supplicant/wpa_supplicant-wlan0.conf"
    private let keys = "etc/ssh/authorized_keys.d/vitrine-admin"
    private let key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAnfKqVmUMvsrnNXBpvqSKAiI1eAeUQGL9Wmb5IfsDHE me"

    @Test func `without settings there is an address from the network, and nothing else`() throws {
        #expect(try apply("") == ["run/systemd/network/50-vitrine-wired.network"])
        #expect(folder.read("run/systemd/network/50-vitrine-wired.network")?.contains("DHCP=yes") == true)
        #expect(folder.read("run/systemd/network/50-vitrine-wired.network")?.contains("\nMulticastDNS=yes\n") == true)
        #expect(try apply("") == [], "what is there already is not written")
    }

    @Test func `name, zone, wireless and keys`() throws {
        let changed = try apply(
            "host-name = 'm2'\ntime-zone = 'Europe/Berlin'\nwifi = 'Café \"1\"'\nwifi-password = 'a \"b\" c d'\n"
                + "wifi-country = 'DE'\nssh-keys = ['\(key)']")
        #expect(changed.count == 7)
        #expect(folder.read("etc/hostname") == "m2\n")
        #expect(folder.read("etc/hosts")?.contains("127.0.1.1 m2\n") == true)
        var link = [CChar](repeating: 0, count: 200)
        #expect(readlink("\(folder.path)/etc/localtime", &link, 199) > 0)
        #expect(
            String(decoding: link.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                == "../usr/share/zoneinfo/Europe/Berlin")
        let text = folder.read(wireless) ?? ""
        for line in [
            "country=DE", "    ssid=436166c3a9202231\u{22}".replacing("\"", with: "22"), "    psk=\"a \"b\" c d\"",
        ] {
            #expect(text.contains(line + "\n"), "\(text)")
        }
        #expect(folder.mode(wireless) == 0o600)
        #expect(folder.read(keys)?.hasSuffix("\n\(key)\n") == true)
    }

    @Test func `an address of one's own is the interface's that is used`() throws {
        let address =
            "network-address = '10.0.0.2/8'\nnetwork-gateway = '10.0.0.1'\nname-servers = ['9.9.9.9', '::1']\n"
        _ = try apply(address)
        let wired = folder.read("run/systemd/network/50-vitrine-wired.network") ?? ""
        #expect(wired.contains("Address=10.0.0.2/8\nGateway=10.0.0.1\nDNS=9.9.9.9\nDNS=::1\n"))
        #expect(!wired.contains("DHCP"))
        _ = try apply(address + "wifi = 'x'")
        #expect(folder.read("run/systemd/network/50-vitrine-wired.network")?.contains("DHCP=yes") == true)
        #expect(folder.read("run/systemd/network/50-vitrine-wireless.network")?.contains("Address=10.0.0.2/8") == true)
        #expect(folder.read(wireless)?.contains("key_mgmt=NONE") == true)
    }

    @Test func `what is no longer set is removed, if it was ours`() throws {
        _ = try apply("wifi = 'x'\nwifi-password = '12345678'\nssh-keys = '\(key)'")
        #expect(try Set(apply("")) == [wireless, keys, "run/systemd/network/50-vitrine-wireless.network"])
        #expect(folder.read(wireless) == nil && folder.read(keys) == nil)
        folder.write(wireless, "network={}\n")
        #expect(try apply("") == [])
        #expect(folder.read(wireless) == "network={}\n")
    }

    @Test func `a key is given as it is, and nothing can be smuggled in`() throws {
        let digits = String(repeating: "0123456789abcdef", count: 4)
        _ = try apply("wifi = \"x\\ny\"\nwifi-password = '\(digits)'")
        #expect(folder.read(wireless) == nil, "a name with a line's end is refused")
        _ = try apply("wifi = 'x'\nwifi-password = '\(digits)'")
        #expect(folder.read(wireless)?.contains("psk=\(digits)\n") == true)
    }

    @Test func `what cannot be written is said, and the rest is`() {
        folder.write("etc", "a file in the way")
        #expect(throws: FileError.self) { try apply("host-name = 'm2'") }
        #expect(folder.read("run/systemd/network/50-vitrine-wired.network") != nil)
    }
}
