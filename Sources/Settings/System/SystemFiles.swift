internal import Glibc
internal import TextFiles

/// The system files that follow from the settings: the machine's name, its clock, its network, its administrators.
///
/// `systemd-networkd`, `wpa_supplicant@wlan0` and sshd read these files. sshd must be configured to:
/// `AuthorizedKeysFile /etc/ssh/authorized_keys.d/%u`.
public struct SystemFiles: Hashable, Sendable {
    public enum Content: Hashable, Sendable {
        case text(String)
        /// A symbolic link to this target.
        case link(String)
        /// Removed if Vitrine created it.
        case none
    }

    public struct File: Hashable, Sendable {
        /// Relative to the root of the file system, without a leading slash.
        public var path: String
        public var content: Content
        public var mode: UInt32 = 0o644
    }

    public var files: [File] = []
    /// The host name, which is set in the kernel, too.
    public let hostName: String?

    static let zones = "/usr/share/zoneinfo"
    /// The user that `ssh-keys` gives access to.
    public static let administrator = "vitrine-admin"
    /// The first line of files that are removed together with their setting.
    static let mark = "# Written by `vitrine settings apply`; what is changed here is lost.\n"

    public init(_ settings: Settings) {
        hostName = settings.hostName
        // Without a setting, the system keeps its name and time zone.
        if let name = settings.hostName {
            files.append(File(path: "etc/hostname", content: .text("\(name)\n")))
            files.append(
                File(
                    path: "etc/hosts",
                    content: .text(
                        Self.mark + "127.0.0.1 localhost\n127.0.1.1 \(name)\n::1 localhost ip6-localhost ip6-loopback\n"
                            + "ff02::1 ip6-allnodes\nff02::2 ip6-allrouters\n")))
        }
        if let zone = settings.timeZone {
            files.append(File(path: "etc/localtime", content: .link("..\(Self.zones)/\(zone)")))
        }
        let network = settings.network
        let hasWireless = network.wifi != nil
        files.append(
            File(
                path: "run/systemd/network/50-vitrine-wired.network",
                content: .text(Self.link("Type=ether\nName=en* eth* end*", hasWireless ? nil : network))))
        files.append(
            File(
                path: "run/systemd/network/50-vitrine-wireless.network",
                content: hasWireless ? .text(Self.link("Type=wlan", network)) : .none))
        files.append(
            File(
                path: "etc/wpa_supplicant/wpa_supplicant-wlan0.conf",
                content: hasWireless ? .text(Self.wireless(network)) : .none, mode: 0o600))
        files.append(
            File(
                path: "etc/ssh/authorized_keys.d/\(Self.administrator)",
                content: settings.sshKeys.isEmpty
                    ? .none : .text(Self.mark + settings.sshKeys.map { "\($0)\n" }.joined())))
    }

    /// systemd.network(5)
    private static func link(_ match: String, _ network: Settings.Network?) -> String {
        var lines = [mark + "[Match]", match, "", "[Network]"]
        if let address = network?.address {
            lines.append("Address=\(address)")
            if let gateway = network?.gateway { lines.append("Gateway=\(gateway)") }
        } else {
            lines.append("DHCP=yes")
        }
        lines += (network?.nameServers ?? []).map { "DNS=\($0)" }
        // Found by its name, vitrine.local, if no router has a name for it.
        lines.append("MulticastDNS=yes")
        // No start waits for the network: the film does not need it.
        lines += ["", "[Link]", "RequiredForOnline=no"]
        return lines.joined(separator: "\n") + "\n"
    }

    /// wpa_supplicant.conf(5)
    private static func wireless(_ network: Settings.Network) -> String {
        var lines = [mark + "ctrl_interface=DIR=/run/wpa_supplicant"]
        if let country = network.wifiCountry { lines.append("country=\(country)") }
        // In hexadecimal digits, no name can be misread.
        let name = (network.wifi ?? "").utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        lines += ["network={", "    ssid=\(name)", "    scan_ssid=1"]
        if let password = network.wifiPassword {
            let isKey = password.count == 64
            lines.append("    key_mgmt=WPA-PSK" + (isKey ? "" : " WPA-PSK-SHA256 SAE"))
            lines.append("    psk=" + (isKey ? password : "\"\(password)\""))
            lines.append("    ieee80211w=1")
        } else {
            lines.append("    key_mgmt=NONE")
        }
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }

    // MARK: Writing

    /// Writes changed files into the system below this folder.
    /// - Returns: the paths of the changed files.
    /// - Throws: the first failure; the other files are written nevertheless.
    public func write(root: String) throws(FileError) -> [String] {
        var changed: [String] = []
        var failure: FileError?
        for file in files {
            let path = root.hasSuffix("/") ? root + file.path : "\(root)/\(file.path)"
            do throws(FileError) {
                if try write(file, to: path) { changed.append(path) }
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return changed
    }

    private func write(_ file: File, to path: String) throws(FileError) -> Bool {
        switch file.content {
        case .none:
            guard let bytes = try? WholeFile.bytes(of: path), bytes.starts(with: Self.mark.utf8) else { return false }
            guard unlink(path) == 0 else { throw FileError(path: path, code: errno) }
        case .text(let text):
            var status = stat()
            let isSame = stat(path, &status) == 0 && status.st_mode & 0o777 == file.mode
            if isSame, (try? WholeFile.bytes(of: path)) == Array(text.utf8) { return false }
            try Self.makeFolder(of: path)
            try AtomicFile.write(Array(text.utf8), to: path, mode: file.mode)
        case .link(let target):
            var bytes = [CChar](repeating: 0, count: 4096)
            let count = readlink(path, &bytes, bytes.count)
            if count >= 0, bytes[..<count].map(UInt8.init(bitPattern:)) == Array(target.utf8) { return false }
            try Self.makeFolder(of: path)
            let beside = path + ".new"
            unlink(beside)
            guard symlink(target, beside) == 0, rename(beside, path) == 0 else {
                throw FileError(path: path, code: errno)
            }
        }
        return true
    }

    private static func makeFolder(of path: String) throws(FileError) {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
        let folder = String(path[..<slash])
        guard mkdir(folder, 0o755) != 0, errno != EEXIST else { return }
        guard errno == ENOENT else { throw FileError(path: folder, code: errno) }
        try makeFolder(of: folder)
        guard mkdir(folder, 0o755) == 0 || errno == EEXIST else { throw FileError(path: folder, code: errno) }
    }
}

extension SystemFiles {
    /// Sets the machine's name in the kernel, which got it before the settings were read.
    /// - Throws: errno's code with the name in place of a path.
    public static func setHostName(_ name: String) throws(FileError) {
        guard sethostname(name, name.utf8.count) == 0 else { throw FileError(path: "the host name", code: errno) }
    }
}
