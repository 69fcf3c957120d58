import TapWire

extension CardDecoder {
    /// Refuses what a service says about itself and its code does not.
    mutating func checkAttribute(_ attribute: NodeAttribute, _ map: MapReader) {
        let isFree = attribute.isAuthenticationFree
        let facts: [(key: String, isTrue: Bool?, word: String)] = [
            (
                "kind", map["kind"].map { $0.word(as: FeliCaTables.Kind.self).kind == attribute.kind },
                attribute.kind.word
            ),
            (
                "access", map["access"].map { $0.word(as: FeliCaTables.Access.self).access == attribute.access },
                attribute.access.word
            ),
            ("authentication", map["authentication"].map { $0.boolean != isFree }, "\(!isFree)"),
        ]
        for (key, isTrue, word) in facts where isTrue == false {
            report(
                .contradiction, "`\(key)` is not what the service code says", at: map.node[key] ?? .map(map.node),
                hint: "attribute \(attribute) of the code says \(word); change one of them")
        }
    }
}

extension FeliCaTables.Kind {
    /// The kind as an attribute has it.
    fileprivate var kind: NodeAttribute.Kind {
        switch self {
        case .random: .random
        case .cyclic: .cyclic
        case .purse: .purse
        }
    }
}

extension FeliCaTables.Access {
    /// The access as an attribute has it.
    fileprivate var access: NodeAttribute.Access {
        switch self {
        case .readWrite: .readWrite
        case .readOnly: .readOnly
        case .cashbackDecrement: .cashbackDecrement
        case .decrement: .decrement
        }
    }
}

extension NodeAttribute.Kind {
    /// The word of files for the kind.
    fileprivate var word: String {
        switch self {
        case .area: "area"
        case .random: FeliCaTables.Kind.random.rawValue
        case .cyclic: FeliCaTables.Kind.cyclic.rawValue
        case .purse: FeliCaTables.Kind.purse.rawValue
        case .undefined: "nothing that is known"
        }
    }
}

extension NodeAttribute.Access {
    /// The word of files for the access.
    fileprivate var word: String {
        FeliCaTables.Access.allCases.first { $0.access == self }?.rawValue ?? ""
    }
}
