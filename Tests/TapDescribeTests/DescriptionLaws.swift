import TapDescribe
import TapWire
import TestSupport
import Testing

/// Invariants of every frame description.
enum DescriptionLaws {
    /// Checks that the fields cover every bit once and in order, with the bits' hexadecimal digits.
    static func expectWhole(
        _ description: FrameDescription, of frame: RFFrame, at location: SourceLocation = #_sourceLocation
    ) {
        var end = 0
        for field in description.fields {
            guard field.bits.lowerBound == end, !field.bits.isEmpty, !field.name.isEmpty, !field.hex.isEmpty else {
                return report("a field does not begin where the last one ends", description, frame, location)
            }
            end = field.bits.upperBound
        }
        if end != frame.bitCount { report("bits are left out", description, frame, location) }
        if description.line.isEmpty || description.title.isEmpty { report("no words", description, frame, location) }
    }

    private static func report(
        _ text: String, _ description: FrameDescription, _ frame: RFFrame, _ location: SourceLocation
    ) {
        let fields = description.fields.map { "\($0.name) \($0.bits)" }.joined(separator: ", ")
        Issue.record(
            "seed \(TestSeed.value): \(text): \(Hex.text(frame.bytes)):\(frame.bitCount) as \(fields)",
            sourceLocation: location)
    }
}
