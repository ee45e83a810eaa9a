// For test_images.py: makes still images of a film with the library, and prints for each the requested time and the
// result or the reason of failure.
//
//   Images FILM FOLDER BEFORE AFTER WIDTH [cancel|memory] TIME...     times in ms; images become FOLDER/TIME.png
//
// With "memory" no file is written: the line ends with the process's anonymous memory in KB, while it has the image.
import Glibc
import PlayerCore
import Vitrine

let words = Array(CommandLine.arguments.dropFirst())
let (film, folder) = (words[0], words[1])
var options = ImageGenerator.Options()
options.toleranceBefore = .milliseconds(Int64(words[2]) ?? 0)
options.toleranceAfter = .milliseconds(Int64(words[3]) ?? 0)
options.maximumWidth = Int(words[4]) ?? 640
let (cancels, writes) = (words.contains("cancel"), !words.contains("memory"))
let times = words.dropFirst(5).compactMap { Int64($0) }.map { MediaTime.milliseconds($0) }

let generator = ImageGenerator(Asset(film), options)
for await outcome in generator.images(at: times) {
    let asked = outcome.requestedTime.nanoseconds / 1_000_000
    do {
        let image = try outcome.result.get()
        let line = "\(asked) \(image.actualTime.nanoseconds / 1_000_000) \(image.picture.width)x\(image.picture.height)"
        if writes { try await image.write(to: "\(folder)/\(asked).png") }
        print(writes ? line : "\(line) \(anonymousMemory())")
    } catch {
        print(asked, Mirror(reflecting: error).children.first?.label ?? "", error)
    }
    if cancels { generator.cancel() }
}
// Later requests are done, and a cancelled one does not end others.
if cancels {
    let given = Task { try await generator.image(at: times[1]) }
    given.cancel()
    let image = try await generator.image(at: times[2])
    print("after", image.actualTime.nanoseconds / 1_000_000)
    do { _ = try await given.value } catch { print("given", Mirror(reflecting: error).children.first?.label ?? "") }
}

func anonymousMemory() -> String {
    guard let file = fopen("/proc/self/status", "r") else { return "" }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 200)
    while fgets(&line, 200, file) != nil {
        let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split {
            $0 == "\t" || $0 == " "
        }
        if words.first == "RssAnon:" { return String(words[1]) }
    }
    return ""
}
