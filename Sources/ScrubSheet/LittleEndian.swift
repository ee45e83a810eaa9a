/// Little-endian numbers at any place, as in both formats.
extension UnsafeRawBufferPointer {
    func number<Value: FixedWidthInteger>(at place: Int, _ type: Value.Type = Value.self) -> Value {
        Value(littleEndian: loadUnaligned(fromByteOffset: place, as: Value.self))
    }
}

extension [UInt8] {
    mutating func append<Value: FixedWidthInteger>(number: Value) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    mutating func set<Value: FixedWidthInteger>(_ number: Value, at place: Int) {
        Swift.withUnsafeBytes(of: number.littleEndian) { bytes in
            replaceSubrange(place..<place + bytes.count, with: bytes)
        }
    }
}
