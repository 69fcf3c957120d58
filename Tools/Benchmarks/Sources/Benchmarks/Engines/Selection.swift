import TapWire

/// A frame with what its receiver finds.
struct HeardFrame {
    let bytes: [UInt8]
    let bitCount: Int
    let integrity: FrameIntegrity

    init(_ bytes: [UInt8], bitCount: Int? = nil, integrity: FrameIntegrity = .good) {
        self.bytes = bytes
        self.bitCount = bitCount ?? bytes.count * 8
        self.integrity = integrity
    }

    init(_ frame: ShortFrame) {
        self.init(frame.bytes, bitCount: TypeAFraming.shortFrameBits)
    }
}

/// From power-on to ACTIVE.
enum Selection {
    /// REQA and a SELECT for each cascade level.
    static func frames(uid: UID) -> [HeardFrame] {
        [HeardFrame(ShortFrame.reqa)] + selects(uid: uid)
    }

    static func selects(uid: UID) -> [HeardFrame] {
        zip([CascadeLevel.first, .second], uid.cascadeParts).map { HeardFrame(Select.Request($0, $1).bytes) }
    }
}
