/// A reader of a world: its name, and the field it makes.
public struct ReaderField: Hashable, Sendable {
    /// The name of a reader that nobody named.
    public static let usualName = "reader"

    /// The name by which a scenario speaks of it.
    public let name: String
    /// The card it takes where several lie before it, or nothing for the first it finds.
    public let pick: String?
    /// Whether it is plugged in; without that it makes no field and hears nothing.
    public internal(set) var isPlugged = true
    /// Whether its field is on.
    public internal(set) var isFieldOn = false

    /// Creates a reader that is plugged in, its field off.
    public init(_ name: String = usualName, pick: String? = nil) {
        self.name = name
        self.pick = pick
    }
}
