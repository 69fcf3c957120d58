/// A protocol that a transparent session switches to.
///
/// ```
/// standard | layer
/// ```
/// Source: PC/SC part 3, supplement for contactless cards, "switch protocol".
public struct SessionProtocol: Hashable, Sendable {
    public struct Standard: Hashable, Sendable {
        public let rawValue: UInt8

        public init(_ rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// ISO/IEC 14443 type A.
        public static let typeA = Standard(0x00)
        /// ISO/IEC 14443 type B.
        public static let typeB = Standard(0x01)
        /// ISO/IEC 15693.
        public static let vicinity = Standard(0x02)
        public static let felica = Standard(0x03)
    }

    /// Layers, as far as they are separate.
    public enum Layer {
        /// The highest there is.
        public static let highest: UInt8 = 0x00
        /// Frames: no card is selected.
        public static let frames: UInt8 = 0x02
        /// Selection.
        public static let selection: UInt8 = 0x03
        /// Blocks of ISO/IEC 14443-4.
        public static let blocks: UInt8 = 0x04
    }

    public var standard: Standard
    /// The layer, one of ``Layer``; an upper nibble asks for a bit rate.
    public var layer: UInt8

    public init(_ standard: Standard, layer: UInt8 = Layer.highest) {
        self.standard = standard
        self.layer = layer
    }

    /// The layer without the bit rate.
    public var layerNumber: UInt8 { layer & 0x0F }
    /// Twice as many steps from 106 kbit/s: 0 is 106, 1 is 212, 2 is 424 kbit/s, as the upper nibble asks.
    public var rateNumber: UInt8 { layer >> 4 }
}
