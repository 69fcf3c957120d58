/// Columns that text takes in a terminal.
///
/// Source: Unicode Standard Annex #11, "East Asian Width", wide and fullwidth characters by block; marks that combine
/// take none.
enum DisplayWidth {
    static func of(_ text: String) -> Int {
        text.reduce(0) { $0 + width(of: $1) }
    }

    private static func width(of character: Character) -> Int {
        character.unicodeScalars.reduce(0) { max($0, width(of: $1)) }
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        guard scalar.value >= 0x300 else { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return wideBlocks.contains { $0.contains(scalar.value) } ? 2 : 1
        }
    }

    private static let wideBlocks: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F1E6...0x1F1FF, 0x1F300...0x1F64F,
        0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD,
    ]
}
