import ArgumentParser
import Glibc
import KMS
import Media
import PlayerCore
import Settings
import TextFiles
import Touch
import Vitrine

struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Collects what to send with a question: machine, displays, panels, decoders, settings, log.",
        discussion: """
            Plain text, to be read before it is sent: passwords and keys are left out, names of films, of the machine and of \
            its networks, and addresses, are not. Run it with sudo for the log and for all devices.
            """)

    @Option(help: ArgumentHelp("Write into this file.", valueName: "file"), completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp(
            "The settings file. By default /boot/firmware/vitrine.toml or /etc/vitrine.toml, whichever there is.",
            valueName: "file"), completion: .file(extensions: ["toml"]))
    var settings: String?

    func run() throws {
        let text = Report(settings: settings).text
        guard let output else { return say(text) }
        do throws(FileError) {
            try AtomicFile.write(Array((text + "\n").utf8), to: output)
        } catch {
            printError("\(error)")
            throw ExitStatus.failure.code
        }
    }
}

/// The report that a board's owner sends back.
private struct Report {
    private var parts: [String] = []
    private var secrets: [String] = []

    init(settings path: String?) {
        add("vitrine", VitrineVersion.current)
        add("machine", Self.file("/proc/device-tree/model") ?? Self.file("/sys/class/dmi/id/product_name"))
        add("system", Self.file("/etc/os-release")?.split(separator: "\n").first.map(String.init))
        add("kernel", Self.file("/proc/version"))
        add("kernel's command line", Self.file("/proc/cmdline"))
        add("uptime, seconds", Self.file("/proc/uptime"))
        add("processors", Self.file("/sys/devices/system/cpu/online"))
        add(
            "memory", Self.lines("/proc/meminfo", of: ["MemTotal", "MemAvailable", "CmaTotal", "CmaFree", "SwapTotal"]))
        add("load", Self.file("/proc/loadavg"))
        add("temperature, thousandths of a degree", Self.file("/sys/class/thermal/thermal_zone0/temp"))
        // Raspberry Pi's kernel exports what its program vcgencmd reads from the firmware; a PC has neither.
        add("throttling (0: never)", Self.output(of: "cat /sys/devices/platform/soc*/soc*:firmware/get_throttled"))
        add("firmware", Self.output(of: "grep -aHs . /proc/device-tree/chosen/bootloader/version"))
        add("firmware, by the kernel's log", Self.output(of: "dmesg | grep raspberrypi-firmware"))
        add(
            "config.txt, tryboot.txt",
            Self.output(of: "grep -v '^ *\\(#\\|$\\)' /boot/firmware/config.txt /boot/firmware/tryboot.txt"))
        add("cmdline.txt", Self.output(of: "grep -s . /boot/firmware/cmdline.txt /boot/firmware/?/cmdline.txt"))
        add("slots", Self.output(of: "/usr/lib/vitrine/slot status"))
        add("modules", Self.output(of: "lsmod"))
        add("displays", DisplaysCommand.Report.all(DisplayRequest()).json)
        add("sounds", SoundsCommand.Report.all(SettingsFile(at: path)?.settings).json)
        add("touch panels", Self.panels())
        add("sound cards", Self.file("/proc/asound/cards"))
        add("GStreamer", Self.decoders())
        add("decoders by stream", Self.decodersByStream())
        add("video devices", Self.output(of: "grep -H . /sys/class/video4linux/*/name"))
        addSettings(path)
        add("devices", Self.output(of: "ls -l /dev/dri /dev/video* /dev/media* /dev/snd /dev/dma_heap"))
        add("watchdog", Self.output(of: "grep -Hs . /sys/class/watchdog/watchdog0/*"))
        add("mounted", Self.file("/proc/mounts"))
        add("space", Self.output(of: "df -h"))
        add("start", Self.output(of: "systemd-analyze"))
        add(
            "start, the player's part",
            Self.output(of: "systemd-analyze --no-pager critical-chain vitrine.service"))
        add("service", Self.output(of: "systemctl --no-pager --lines=0 status vitrine"))
        let others = "-u vitrine-settings -u vitrine-slot -u vitrine-grow"
        add("log of this start", Self.output(of: "journalctl --no-pager -b -u vitrine -n 400"))
        add("log of this start, settings and slots", Self.output(of: "journalctl --no-pager -b \(others) -n 200"))
        // The services of the image, and those of a Debian with the package.
        let network = "-u wpa_supplicant@wlan0 -u systemd-networkd -u dropbear -u NetworkManager -u ssh"
        add(
            "log of this start, network and ssh",
            Self.output(of: "journalctl --no-pager -b \(network) -n 200").map(Self.withoutPasswords))
        add("kernel's warnings", Self.output(of: "journalctl --no-pager -b -k -p warning -n 200"))
        add("log of the start before", Self.output(of: "journalctl --no-pager -b -1 -u vitrine \(others) -n 200"))
        add(
            "kernel's warnings of the start before",
            Self.output(of: "journalctl --no-pager -b -1 -k -p warning -n 200"))
    }

    var text: String {
        var text = parts.joined(separator: "\n\n")
        for secret in secrets where secret.count >= 4 { text = text.replacing(secret, with: "...") }
        // The user and password of addresses.
        text = text.replacing(#/:\/\/[^\/\s"@]+@/#, with: "://...@")
        return text
    }

    private mutating func add(_ title: String, _ text: String?) {
        let text = text.map { String($0.filter { $0 != "\0" }) }.flatMap { $0.isEmpty ? nil : $0 }
        parts.append("== \(title)\n" + (text ?? "--"))
    }

    /// The log without passwords: wpa_supplicant quotes one that it cannot use.
    private static func withoutPasswords(_ log: String) -> String {
        log.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            let line = line.lowercased()
            return !["psk", "passphrase", "password"].contains { line.contains($0) }
        }.joined(separator: "\n")
    }

    private mutating func addSettings(_ path: String?) {
        guard let file = SettingsFile(at: path) else {
            return add("settings", "there is no \(SettingsFile.usualPaths.joined(separator: " nor "))")
        }
        secrets = [file.settings.network.wifiPassword, file.settings.remotePassword].compactMap { $0 }
        secrets += file.settings.sshKeys
        let list = FilmList(of: file)
        let shown = SettingsKey.allCases.filter { $0 != .sshKeys }.map { $0.shown(in: file.settings) }
        add("settings", ([file.path] + shown + ["# SSH keys: \(file.settings.sshKeys.count)"]).joined(separator: "\n"))
        add("settings' problems", (file.problems + list.problems).map { "\($0)" }.joined(separator: "\n"))
        add("vitrine-errors.txt", Self.file(ErrorsFile(beside: file).path)?.replacing("\r\n", with: "\n"))
        add("films", list.films.map { AddressPassword.hidden(in: $0) }.joined(separator: "\n"))
        add("films' decoders", Self.decoders(of: list.films, path: path))
    }

    private static func panels() -> String {
        do throws(TouchError) {
            return try TouchPanels.list().map { panel in
                "\(panel.node)  \(panel.name)" + (panel.failure.map { ": \($0)" } ?? "")
            }.joined(separator: "\n")
        } catch {
            return "\(error)"
        }
    }

    private static func decoders() -> String {
        do throws(MediaFailure) {
            try GStreamer.start()
            return ([GStreamer.version] + GStreamer.videoDecoders).joined(separator: "\n")
        } catch {
            return "\(error)"
        }
    }

    private static func decodersByStream() -> String {
        GStreamer.decodersByCodec.map { codec, decoders in
            "\(codec): " + (decoders.isEmpty ? "none" : decoders.joined(separator: ", then "))
        }.joined(separator: "\n")
    }

    /// Inspects each film in a process of its own, because a driver may crash it. Only the first films that are files,
    /// for a minute at most.
    private static func decoders(of films: [String], path: String?) -> String {
        let start = MonotonicTime.now
        var lines: [String] = []
        for film in films.prefix(20) where MonotonicTime.now - start < .seconds(60) {
            guard let location = try? MediaLocation(film), location.isLocal, location.path != nil else { continue }
            let settings = path.map { "--settings \(quoted($0)) " } ?? ""
            let command = "\(quoted("/proc/\(getpid())/exe")) inspect --decoder \(settings)-- \(quoted(film))"
            lines.append(output(of: command) ?? "\(film): not tried")
        }
        return lines.joined(separator: "\n")
    }

    /// A text quoted for a shell.
    private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }

    private static func file(_ path: String) -> String? {
        (try? WholeFile.bytes(of: path)).map { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            return text.hasSuffix("\n") ? String(text.dropLast()) : text
        }
    }

    private static func lines(_ path: String, of names: [String]) -> String? {
        file(path)?.split(separator: "\n").filter { line in names.contains { line.hasPrefix("\($0):") } }
            .joined(separator: "\n")
    }

    /// A command's output, including errors; `nil` if there is no such command.
    private static func output(of command: String) -> String? {
        guard let name = command.split(separator: " ").first,
            let stream = popen("command -v \(name) > /dev/null && LC_ALL=C timeout 20 \(command) 2>&1", "r")
        else { return nil }
        defer { pclose(stream) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 16 << 10)
        while bytes.count < 1 << 20 {
            let count = fread(&part, 1, part.count, stream)
            guard count > 0 else { break }
            bytes += part[..<count]
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}
