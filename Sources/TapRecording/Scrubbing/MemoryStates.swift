/// What the units of a memory held in the course of a session, pages or blocks, as far as it shows.
///
/// A text can lie in many units, and a unit is read and written many times: what stands for it follows from the memory
/// as a whole, and is the same whenever the unit holds the same.
struct MemoryStates {
    private struct Cell: Hashable {
        let address: Int
        let content: [UInt8]
    }

    /// The memory by its addresses; a new one begins where a unit changes.
    private var states: [[Int: [UInt8]]] = [[:]]
    private var placeholders: [Cell: [UInt8]] = [:]

    /// The last of them.
    var now: [Int: [UInt8]] { states[states.count - 1] }

    /// Takes down what a unit was seen to hold, or was made to.
    mutating func saw(_ content: [UInt8], at address: Int) {
        if let known = now[address], known != content, states.count < Self.mostStates { states.append(now) }
        states[states.count - 1][address] = content
    }

    /// Later changes are all one.
    private static let mostStates = 1_000

    /// Finds what stands for each unit.
    ///
    /// - Parameter scrub: What stands for the units of a memory that it understands; `nil` for any other memory. The last
    ///   and the first memory count before those in between, in which a message may be half written.
    mutating func settle(_ scrub: ([Int: [UInt8]]) -> [Int: [UInt8]]?) {
        for state in [now, states[0]] + states.dropFirst().dropLast().reversed() {
            for (address, placeholder) in scrub(state) ?? [:] {
                guard let content = state[address] else { continue }
                let cell = Cell(address: address, content: content)
                if placeholders[cell] == nil { placeholders[cell] = placeholder }
            }
        }
    }

    /// What stands for a unit; `nil` where no memory with it was understood.
    func placeholder(for content: [UInt8], at address: Int) -> [UInt8]? {
        placeholders[Cell(address: address, content: content)]
    }
}
