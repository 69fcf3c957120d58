import TapDescribe
import TapDocument

extension FrameDescription.Field: OutputModel {
    package static let output = OutputTable<Self>(
        "field", "A field",
        .always("at", "Its first byte, from 0", \.bytes.lowerBound),
        .always("size", "The number of bytes it touches", \.bytes.count),
        .maybe("first_bit", "Its first bit, unless it consists of whole bytes") {
            $0.isWhole ? nil : $0.bits.lowerBound
        },
        .maybe("bits", "The number of bits, unless it consists of whole bytes") { $0.isWhole ? nil : $0.bits.count },
        .always("name", "Its name", \.name), .always("value", "Its bytes", \.hex),
        .filled("note", "Its meaning", \.meaning),
        .filled("parts", "Its parts, such as the date of a history record", \.details))

    private var isWhole: Bool { bits.lowerBound % 8 == 0 && bits.count % 8 == 0 }
}

extension FrameDescription.Detail: OutputModel {
    package static let output = OutputTable<Self>(
        "part", "A part of a field",
        .always("name", "Its name", \.name), .always("value", "Its value", \.meaning))
}
