import TapWire

/// A walk over the bytes of a frame that turns them into fields, one after the other, none left out.
struct FrameWalk {
    /// The walk is over: bytes ran out inside a field.
    struct End: Error {}

    let frame: AirFrame
    /// The fields so far.
    private(set) var fields: [FrameDescription.Field] = []
    /// What is wrong with the frame, so far.
    private(set) var remarks: [String] = []
    /// The words of the one line, so far.
    var words: [String] = []
    /// The entries of the lists to come.
    var count = 0
    /// The blocks that the frame, or the command it answers, speaks of.
    var blocks: [BlockPlace] = []
    /// The service codes of the frame.
    var services: [NodeCode] = []
    /// Address of the first page of an answer; nothing where the command is not known.
    let firstPage: UInt8?
    /// Where the next field begins, in bits.
    var position = 0

    init(_ frame: AirFrame, blocks: [BlockPlace] = [], firstPage: UInt8? = 0) {
        self.frame = frame
        self.blocks = blocks
        self.firstPage = firstPage
        switch frame.integrity {
        case .good: break
        case .badCRC: remarks.append("its CRC is wrong")
        case .badParity: remarks.append("its parity is wrong")
        }
    }

    /// Bits that no field covers yet.
    var bitsLeft: Int { frame.bitCount - position }
    /// Whole bytes that no field covers yet.
    var bytesLeft: Int { bitsLeft / 8 }

    /// Notes that something is wrong.
    mutating func remark(_ text: String) { remarks.append(text) }

    /// Makes a field of the next bits.
    mutating func append(
        _ name: String, bitCount: Int, meaning: String = "", details: [FrameDescription.Detail] = []
    ) {
        guard bitCount > 0 else { return }
        let range = position..<position + bitCount
        let hex = FrameText.text(frame.bits(range), bitCount: bitCount)
        fields.append(.init(name: name, bits: range, hex: hex, meaning: meaning, details: details))
        position += bitCount
    }

    /// Makes a field of the next bytes.
    ///
    /// - Throws: ``End`` where the frame ends inside it; what there is of it is a field all the same.
    @discardableResult
    mutating func take(
        _ name: String, _ count: Int, meaning: ([UInt8]) -> String = { _ in "" },
        details: ([UInt8]) -> [FrameDescription.Detail] = { _ in [] }
    ) throws(End) -> [UInt8] {
        guard count <= bytesLeft else { throw endInside(name, count) }
        let bytes = Array(frame.bytes[position / 8..<position / 8 + count])
        append(name, bitCount: count * 8, meaning: meaning(bytes), details: details(bytes))
        return bytes
    }

    mutating func endInside(_ name: String, _ count: Int) -> End {
        let left = bytesLeft
        remarks.append(left == 0 ? "ends before its \(name)" : "ends inside its \(name), \(left) of \(count) bytes")
        append("\(name), cut off", bitCount: bitsLeft)
        return End()
    }

    /// Covers what is left.
    mutating func finish() {
        guard bitsLeft > 0 else { return }
        let bytes = (bitsLeft + 7) / 8
        remarks.append(bytes == 1 ? "a byte too many" : "\(bytes) bytes too many")
        append("bytes not understood", bitCount: bitsLeft)
    }
}

extension AirFrame {
    /// Some bits, packed from bit 0 on.
    fileprivate func bits(_ range: Range<Int>) -> [UInt8] {
        if range.lowerBound % 8 == 0, range.upperBound % 8 == 0 {
            return Array(bytes[range.lowerBound / 8..<range.upperBound / 8])
        }
        var packed = [UInt8](repeating: 0, count: (range.count + 7) / 8)
        for index in range where bit(index) {
            packed[(index - range.lowerBound) / 8] |= 1 << ((index - range.lowerBound) % 8)
        }
        return packed
    }
}
