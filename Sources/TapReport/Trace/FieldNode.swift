import TapDescribe
import TapDocument

extension FrameDescription {
    /// The fields in order, as a trace and `decode --json` have them.
    public var fieldsNode: Node { .list(fields.map(\.node)) }
}

extension FrameDescription.Field {
    /// Where the field lies in bytes, its value, what it means and what lies inside it.
    fileprivate var node: Node {
        var entries: [(key: String, value: Node)] = [("at", .number(bytes.lowerBound)), ("size", .number(bytes.count))]
        if bits.lowerBound % 8 != 0 || bits.count % 8 != 0 {
            entries += [("first_bit", .number(bits.lowerBound)), ("bits", .number(bits.count))]
        }
        entries += [("name", .text(name)), ("value", .text(hex))]
        if !meaning.isEmpty { entries.append(("note", .text(meaning))) }
        if !details.isEmpty {
            let parts = details.map { detail -> Node in
                ["name": .text(detail.name), "value": .text(detail.meaning)]
            }
            entries.append(("parts", .list(parts)))
        }
        return .map(entries)
    }
}
