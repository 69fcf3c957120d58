/// Every fault there is, family by family.
public enum FaultCatalogue {
    /// The kinds in the order of lists and documents.
    public static let all: [FaultKind] = rf + a3 + felica + ntag + mem + reader + pcsc + phone + app

    /// The kind of a name.
    public static func named(_ name: String) -> FaultKind? {
        all.first { $0.name == name }
    }
}
