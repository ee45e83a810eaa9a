import Testing

@testable import Media

@Suite("What a plane that scales is given (S3, S4)")
struct SquareSizeTests {
    private func fit(_ width: Int, _ height: Int, _ across: Int, _ down: Int, _ area: (Int, Int)) -> [Int] {
        let size = SquareSize(width: width, height: height, pixelAspect: (across, down), within: area)
        return [size.width, size.height]
    }

    private func fill(_ width: Int, _ height: Int, _ area: (Int, Int)) -> [Int] {
        let size = SquareSize(width: width, height: height, filling: area)
        return [size.width, size.height]
    }

    @Test func `the film's own lines, in square pixels`() {
        #expect(fit(1920, 1080, 1, 1, (1280, 720)) == [1920, 1080])
        #expect(fit(720, 576, 64, 45, (1920, 1080)) == [1024, 576])
        // Wider than the display, and wider than the film is stored.
        #expect(fit(720, 576, 64, 45, (800, 480)) == [1024, 576])
        #expect(fit(1440, 1080, 4, 3, (1280, 720)) == [1920, 1080])
        #expect(fit(3840, 2160, 1, 1, (800, 480)) == [3840, 2160])
        #expect(fill(640, 360, (1024, 768)) == [480, 360])
    }

    @Test func `of pixels of an absurd shape, what is seen of them`() {
        #expect(fit(640, 480, 100, 1, (1280, 720)) == [1280, 10])
        #expect(fit(640, 480, 1, 1000, (1280, 720)) == [2, 720])
        #expect(fit(640, 480, 0, 0, (1280, 720)) == [640, 480])
        #expect(fit(640, 480, -1, 1, (1280, 720)) == [640, 480])
        #expect(fill(640, 480, (4000, 2)) == [4000, 2])
    }

    @Test(arguments: [(Int(Int32.max), 1), (1, Int(Int32.max)), (Int(Int32.max), Int(Int32.max))])
    func `whatever a file says, it is a size, and even`(_ across: Int, _ down: Int) {
        for size in [fit(16384, 16384, across, down, (1280, 720)), fit(1, 1, across, down, (1280, 720))] {
            #expect((2...16384).contains(size[0]) && size[0] % 2 == 0 && (1...16384).contains(size[1]), "\(size)")
        }
    }
}
