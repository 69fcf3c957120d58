/// The station names of the transit system, from a list that the user provides.
public struct StationNames: Hashable, Sendable {
    package struct Place: Hashable, Sendable {
        /// The area of the station database, 0 to 3: the two highest bits of a record's region byte.
        package let area: UInt8
        package let code: StationCode

        package init(area: UInt8, code: StationCode) {
            self.area = area
            self.code = code
        }
    }

    private var names: [Place: String] = [:]
    private var places: [String: Place] = [:]

    /// Creates an empty list, with which codes are shown unchanged.
    public init() {}

    package var isEmpty: Bool { names.isEmpty }

    /// Adds a station; if several have the same name or code, the first is kept.
    ///
    /// - Parameter longNames: More names for lookup, such as the station's name prefixed with its line.
    package mutating func add(_ name: String, at place: Place, longNames: [String] = []) {
        if names[place] == nil { names[place] = name }
        for name in [name] + longNames where places[name] == nil { places[name] = place }
    }

    package func place(named name: String) -> Place? { places[name] }

    /// The name of a station; if the area is unknown, the name in the first area that has the code.
    package func name(of code: StationCode, area: UInt8?) -> String? {
        (area.map { [$0] } ?? Array(0...3)).lazy.compactMap { names[Place(area: $0, code: code)] }.first
    }

    /// The text with a name inserted after each code that has one: `001-204 Shibuya to 001-230`.
    package func named(_ text: String, area: UInt8? = nil) -> String {
        guard !isEmpty else { return text }
        let isPart = { (character: Character) in character.isNumber || character == "-" }
        var named = ""
        var rest = text[...]
        while let start = rest.firstIndex(where: isPart) {
            let word = rest[start...].prefix(while: isPart)
            named += rest[..<word.endIndex]
            if let name = StationCode(word).flatMap({ name(of: $0, area: area) }) { named += " \(name)" }
            rest = rest[word.endIndex...]
        }
        return named + rest
    }
}
