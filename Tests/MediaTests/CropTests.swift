import Testing

@testable import Media

/// The margins that are cropped from a film that fills a display of another shape (S4).
struct CropTests {
    private func sides(
        _ width: Int, _ height: Int, _ across: Int, _ down: Int, filling displayWidth: Int, _ displayHeight: Int
    ) -> [Int] {
        let crop = Crop(
            width: width, height: height, pixelAspect: (across, down), filling: (displayWidth, displayHeight))
        return [crop.left, crop.right, crop.top, crop.bottom]
    }

    @Test func `a wide film loses its sides, a high one what is above and below`() {
        #expect(sides(640, 360, 1, 1, filling: 1024, 768) == [80, 80, 0, 0])
        #expect(sides(640, 480, 1, 1, filling: 1280, 720) == [0, 0, 60, 60])
        #expect(sides(1280, 720, 1, 1, filling: 720, 1280) == [436, 438, 0, 0])
    }

    @Test func `of its own shape it loses nothing`() {
        #expect(sides(1920, 1080, 1, 1, filling: 1280, 720) == [0, 0, 0, 0])
        #expect(sides(720, 576, 64, 45, filling: 1920, 1080) == [0, 0, 0, 0])
        #expect(sides(1920, 1088, 1, 1, filling: 1920, 1080).allSatisfy { $0 <= 4 })
    }

    @Test func `pixels that are not square count`() {
        #expect(sides(720, 576, 64, 45, filling: 1024, 768) == [90, 90, 0, 0])
        #expect(sides(720, 576, 16, 15, filling: 1920, 1080) == [0, 0, 72, 72])
    }

    @Test func `of pixels of an absurd shape, two are left`() {
        #expect(sides(640, 480, 1000, 1, filling: 1024, 768) == [318, 320, 0, 0])
        #expect(sides(640, 480, 1, 1000, filling: 1024, 768) == [0, 0, 238, 240])
    }

    @Test(arguments: [(1, 1), (2, 2), (0, 0), (16384, 2), (2, 16384)])
    func `something is always left`(_ width: Int, _ height: Int) {
        let sides = sides(width, height, 1, 1, filling: 1024, 768)
        #expect(sides.allSatisfy { $0 >= 0 })
        #expect(sides[0] + sides[1] < max(width, 1) && sides[2] + sides[3] < max(height, 1))
    }
}
