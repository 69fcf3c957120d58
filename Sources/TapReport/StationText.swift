import TapDescribe
import TapDocument
import TapWire

extension StationNames {
    /// The key of the byte that contains the area of a record.
    private static let region = "region"

    /// Returns parts of a record with names after codes.
    package func named(_ details: [FrameDescription.Detail]) -> [FrameDescription.Detail] {
        let area = area(details.first { $0.name == Self.region }?.meaning)
        return details.map { FrameDescription.Detail(name: $0.name, meaning: named($0.meaning, area: area)) }
    }

    /// Returns the contents of a page with names after codes in the values of records: in lists of `name` and `value`.
    func named(_ node: Node) -> Node {
        guard !isEmpty else { return node }
        switch node {
        case .scalar: return node
        case .map(let map): return .map(map.entries.map { ($0.key.text, named($0.value)) })
        case .list(let list):
            let area = area(list.items.first { $0["name"]?.text == Self.region }?["value"]?.text)
            return .list(
                list.items.map { item in
                    guard let name = item["name"], let value = item["value"]?.text, item.entries.count == 2 else {
                        return named(item)
                    }
                    return ["name": name, "value": .text(named(value, area: area))]
                })
        }
    }

    /// Returns the area in the two highest bits of a region byte, given as two hexadecimal digits.
    private func area(_ region: String?) -> UInt8? { region.flatMap { UInt8($0, radix: 16) }.map { $0 >> 6 } }
}
