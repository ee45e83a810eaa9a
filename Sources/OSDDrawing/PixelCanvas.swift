/// The caller's pixels during a drawing: rows of premultiplied ARGB8888 words.
struct PixelCanvas {
    let base: UnsafeMutableRawPointer
    let width: Int
    let height: Int
    /// Bytes from one row to the next.
    let stride: Int

    func row(_ y: Int) -> UnsafeMutablePointer<UInt32> {
        (base + y * stride).assumingMemoryBound(to: UInt32.self)
    }

    func fillRow(_ y: Int, with pixel: UInt32) {
        row(y).update(repeating: pixel, count: width)
    }

    /// Blends a colour over the pixels of columns `left..<right` (fractions cover a pixel in part) in `rows`.
    ///
    /// Within a row the pixels below must be equal: the colour is mixed once and repeated.
    func fill(from left: Double, to right: Double, rows: Range<Int>, with color: PremultipliedColor) {
        let left = max(left, 0)
        let right = min(right, Double(width))
        guard left < right else { return }
        let first = Int(left)
        let last = Int(right)
        for y in rows.clamped(to: 0..<height) {
            let row = row(y)
            let below = PremultipliedColor(pixel: row[first])
            if first == last {
                row[first] = color.over(below, coverage: Self.coverage(right - left)).pixel
                continue
            }
            row[first] = color.over(below, coverage: Self.coverage(Double(first + 1) - left)).pixel
            if last > first + 1 {
                let mixed = color.over(PremultipliedColor(pixel: row[first + 1])).pixel
                (row + first + 1).update(repeating: mixed, count: last - first - 1)
            }
            if last < width {
                let below = PremultipliedColor(pixel: row[last])
                row[last] = color.over(below, coverage: Self.coverage(right - Double(last))).pixel
            }
        }
    }

    /// Blends a disc over the pixels, its edge antialiased over one pixel. Pixels outside `columns` stay unchanged.
    func fillDisc(
        x centreX: Double, y centreY: Double, radius: Double, with color: PremultipliedColor,
        columns: Range<Int>? = nil
    ) {
        let reach = radius + 0.5
        let columns = (columns ?? 0..<width).clamped(
            to: max(Int(centreX - reach), 0)..<max(min(Int(centreX + reach) + 1, width), max(Int(centreX - reach), 0)))
        let top = max(Int(centreY - reach), 0)
        let bottom = min(Int(centreY + reach) + 1, height)
        guard top < bottom else { return }
        let inner = max(radius - 0.5, 0)
        for y in top..<bottom {
            let row = row(y)
            let dy = Double(y) + 0.5 - centreY
            for x in columns {
                let dx = Double(x) + 0.5 - centreX
                let square = dx * dx + dy * dy
                if square <= inner * inner {
                    row[x] = color.over(PremultipliedColor(pixel: row[x])).pixel
                } else if square < reach * reach {
                    let coverage = Self.coverage(reach - square.squareRoot())
                    row[x] = color.over(PremultipliedColor(pixel: row[x]), coverage: coverage).pixel
                }
            }
        }
    }

    private static func coverage(_ part: Double) -> UInt32 {
        UInt32((min(max(part, 0), 1) * 255).rounded())
    }
}
