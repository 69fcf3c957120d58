/// The lists an exchange makes, kept empty from one to the next so that making them takes no memory.
struct ExchangeLists: Sendable {
    /// The cards that hear the command, indices into those of the world, in the order of the scenario.
    var hearing: [Int] = []
    /// What they answer.
    var answers: [CardAnswerInField] = []

    /// Hands the lists over, with their memory.
    mutating func take() -> ExchangeLists {
        var taken = ExchangeLists()
        swap(&taken, &self)
        return taken
    }

    /// Takes lists back and empties them; their memory stays.
    ///
    /// - Parameter lists: The lists; afterwards what was here meanwhile, empty lists without memory.
    mutating func putBack(_ lists: inout ExchangeLists) {
        swap(&lists, &self)
        // One by one: of the one or two that there are, that costs a third of what `removeAll(keepingCapacity:)` does.
        while !hearing.isEmpty { hearing.removeLast() }
        while !answers.isEmpty { answers.removeLast() }
    }
}
