/// The contents of a memory's units (pages or blocks) in the course of a session, as far as it reveals them.
///
/// A text can span several units, and a unit is read and written many times. Its placeholder is derived from the memory as a
/// whole, and is the same whenever the unit has the same content.
struct MemoryStates {
    private struct Cell: Hashable {
        let address: Int
        let content: [UInt8]
    }

    /// The memory by address; a changed unit starts a new state.
    private var states: [[Int: [UInt8]]] = [[:]]
    private var placeholders: [Cell: [UInt8]] = [:]

    var now: [Int: [UInt8]] { states[states.count - 1] }

    /// Records the content of a unit that was read or written.
    mutating func saw(_ content: [UInt8], at address: Int) {
        if let known = now[address], known != content, states.count < Self.mostStates { states.append(now) }
        states[states.count - 1][address] = content
    }

    /// Changes beyond this number share a state.
    private static let mostStates = 1_000

    /// Determines the placeholder of each unit.
    ///
    /// - Parameter scrub: Returns placeholders for the units of a memory that it understands, or `nil` for any other memory.
    ///   The last and the first state take precedence over those in between, which may have a half-written message.
    mutating func settle(_ scrub: ([Int: [UInt8]]) -> [Int: [UInt8]]?) {
        for state in [now, states[0]] + states.dropFirst().dropLast().reversed() {
            for (address, placeholder) in scrub(state) ?? [:] {
                guard let content = state[address] else { continue }
                let cell = Cell(address: address, content: content)
                if placeholders[cell] == nil { placeholders[cell] = placeholder }
            }
        }
    }

    /// The placeholder of a unit, or `nil` if no memory that contains it was understood.
    func placeholder(for content: [UInt8], at address: Int) -> [UInt8]? {
        placeholders[Cell(address: address, content: content)]
    }
}
