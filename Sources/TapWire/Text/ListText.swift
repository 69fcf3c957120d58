/// Several things in words.
package enum ListText {
    /// The parts with commas and a last `or`: `a, b or c`.
    package static func choice(_ parts: [String]) -> String {
        guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
        return parts.dropLast().joined(separator: ", ") + " or " + last
    }
}
