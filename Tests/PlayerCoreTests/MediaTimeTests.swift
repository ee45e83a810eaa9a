import PlayerCore
import Testing

@Suite("Times of a film (A3, M5)")
struct MediaTimeTests {
    @Test(
        "times are read as hours, minutes and seconds",
        arguments: [
            ("0", 0), ("7", 7_000), ("90", 90_000), ("1:30", 90_000), ("01:02:03", 3_723_000),
            ("100:00:00", 360_000_000),
            ("1.5", 1_500), ("0:00.040", 40), ("2:0:1.25", 7_201_250),
        ] as [(String, Int64)])
    func read(text: String, milliseconds: Int64) {
        #expect(MediaTime(text) == .milliseconds(milliseconds))
    }

    @Test("a nanosecond is read as one")
    func readNanosecond() {
        #expect(MediaTime("0.000000001")?.nanoseconds == 1)
    }

    @Test(
        "what is no time is not read",
        arguments: [
            "", ":", "1:", ":1", "1:2:3:4", "-1", "+1", "1.", ".5", "1.1234567890", "1e3", "one", "1:2.5:3", " 1", "1 ",
            "٣", "99999999999", "9999999:00", "1..2", "0x10",
        ])
    func unread(text: String) {
        #expect(MediaTime(text) == nil)
    }

    @Test("the largest time that is read still fits")
    func largest() {
        #expect(MediaTime("999999:59:999999999.999999999") != nil)
    }

    @Test(
        "HH:mm:ss, cut to whole seconds (M5)",
        arguments: [
            (0, "00:00:00"), (999, "00:00:00"), (59_999, "00:00:59"), (3_723_500, "01:02:03"), (-5, "00:00:00"),
            (360_000_000, "100:00:00"),
        ] as [(Int64, String)])
    func description(milliseconds: Int64, text: String) {
        #expect("\(MediaTime.milliseconds(milliseconds))" == text)
    }

    @Test(
        "times are written as hours, minutes or seconds with milliseconds, cut and never rounded up (A3)",
        arguments: [
            (0, "00:00:00", "00:00", "00.000"), (59_999_600_000, "00:00:59", "00:59", "59.999"),
            (3_723_004_000_000, "01:02:03", "62:03", "3723.004"), (-1_500_000_000, "-00:00:01", "-00:01", "-01.500"),
            (-400_000, "00:00:00", "00:00", "00.000"),
        ] as [(Int64, String, String, String)])
    func written(nanoseconds: Int64, hours: String, minutes: String, milliseconds: String) {
        let time = MediaTime(nanoseconds: nanoseconds)
        #expect(time.text(.hours) == hours && time.text(.minutes) == minutes)
        #expect(time.text(.milliseconds) == milliseconds)
    }

    @Test("what is written is read as the same time, to the style's last digit (A3)")
    func writtenAndRead() {
        var random = ScrubRandom(seed: 5)
        for _ in 0..<2000 {
            let time = MediaTime(nanoseconds: random.below(400_000_000_000_000))
            #expect(MediaTime(time.text(.hours)) == .seconds(time.nanoseconds / 1_000_000_000))
            #expect(MediaTime(time.text(.minutes)) == .seconds(time.nanoseconds / 1_000_000_000))
            #expect(MediaTime(time.text(.milliseconds)) == .milliseconds(time.nanoseconds / 1_000_000))
        }
        #expect(MediaTime(nanoseconds: .min).text(.milliseconds) == "-9223372036.854")
    }

    @Test("per cent of a duration are read and written; of what is unknown there are none (A3)")
    func percent() {
        let hour = MediaTime.seconds(3600)
        #expect(MediaTime("50%", of: hour) == .seconds(1800) && MediaTime("100%", of: hour) == hour)
        #expect(MediaTime("12.5%", of: hour) == .seconds(450) && MediaTime("0.000000001%", of: hour)?.nanoseconds == 36)
        #expect(MediaTime("1:30", of: nil) == .seconds(90) && MediaTime("50%", of: nil) == nil)
        for text in ["%", "101%", "100.1%", "-1%", "5.%", ".5%", "1e1%", "٣%", "5 %", "1.0000000001%", "50%%"] {
            #expect(MediaTime(text, of: hour) == nil, "\(text)")
        }
        #expect(MediaTime.seconds(450).percent(of: hour) == "12%")
        #expect(MediaTime.seconds(450).percent(of: hour, decimals: 2) == "12.50%")
        #expect(MediaTime.seconds(450).percent(of: .zero) == nil)
    }

    @Test("fractions of a duration, and back, to the nanosecond in an hour")
    func fractions() {
        let hour = MediaTime.seconds(3600)
        #expect(hour.scaled(by: 0) == .zero && hour.scaled(by: 1) == hour && hour.scaled(by: 0.25) == .seconds(900))
        #expect(MediaTime(nanoseconds: 3).scaled(by: 0.5).nanoseconds == 2)
        var random = ScrubRandom(seed: 3)
        for _ in 0..<200 {
            let time = MediaTime(nanoseconds: random.below(hour.nanoseconds))
            #expect(hour.scaled(by: time.fraction(of: hour)).distance(to: time).nanoseconds <= 1)
        }
    }

    @Test("a fraction is never outside 0...1, whatever the duration")
    func fractionBounds() {
        #expect(MediaTime.seconds(5).fraction(of: .seconds(4)) == 1)
        #expect(MediaTime.seconds(-5).fraction(of: .seconds(4)) == 0)
        #expect(MediaTime.seconds(5).fraction(of: .zero) == 0)
        #expect(MediaTime.seconds(5).fraction(of: .seconds(-1)) == 0)
    }

    @Test("seconds, as other programs count them")
    func seconds() {
        #expect(MediaTime(inSeconds: 1.5) == .milliseconds(1500) && MediaTime.milliseconds(1500).inSeconds == 1.5)
        #expect(MediaTime(inSeconds: -0.04) == .milliseconds(-40))
        #expect(MediaTime(inSeconds: 0.1 + 0.2) == .milliseconds(300))
        for seconds in [.nan, .infinity, -.infinity, 1e10, -1e10] as [Double] {
            #expect(MediaTime(inSeconds: seconds) == nil, "\(seconds)")
        }
    }

    @Test("sums, distances and bounds")
    func sums() {
        let (one, three) = (MediaTime.seconds(1), MediaTime.seconds(3))
        #expect(one + three == .seconds(4) && one - three == .seconds(-2) && one < three)
        #expect(one.distance(to: three) == .seconds(2) && three.distance(to: one) == .seconds(2))
        #expect(one.clamped(to: .seconds(2)...three) == .seconds(2))
        #expect(MediaTime.seconds(9).clamped(to: .seconds(2)...three) == three)
    }

    @Test("the clock's times differ by durations")
    func clock() {
        let time = MonotonicTime.milliseconds(5)
        #expect(time + .milliseconds(3) == .milliseconds(8) && .milliseconds(8) - time == .milliseconds(3))
        #expect(Duration.seconds(-2).inNanoseconds == -2_000_000_000)
        #expect((Duration.seconds(3) + .nanoseconds(7)).inNanoseconds == 3_000_000_007)
    }
}
