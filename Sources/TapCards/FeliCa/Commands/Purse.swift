import TapWire

/// The block of a purse and the effect of writes on it.
///
/// ```
/// stored   value (4, LE) | cashback (4, LE) | user data (4) | execution ID (4)
/// written  amount (4, LE) | ignored (8)                     | execution ID (4)    decrement, cashback
/// written  the whole block                                                        direct access
/// ```
/// Source: FeliCa Card User's Manual, excerpted edition, "purse service".
struct FeliCaPurse {
    enum Operation {
        /// Subtracts the amount from the value.
        case decrement
        /// Refunds the amount, at most that of the last decrement.
        case cashback
        case direct

        init(_ element: BlockListElement, _ attribute: NodeAttribute) {
            if element.accessMode == BlockListElement.AccessMode.cashback {
                self = .cashback
            } else {
                self = attribute.access == .readWrite ? .direct : .decrement
            }
        }
    }

    private static let valueOffset = 0
    private static let cashbackOffset = 4
    private static let executionIDOffset = 12

    private let block: BlockData
    private let limits: PurseLimits

    init(_ block: BlockData, limits: PurseLimits) {
        self.block = block
        self.limits = limits
    }

    /// Returns the block after a write.
    ///
    /// A decrement or cashback with the stored execution ID changes nothing, so a repeated command does not count twice.
    func applying(
        _ operation: Operation, _ command: BlockData, _ profile: FeliCaProfile
    ) throws(FeliCaRefusal) -> BlockData {
        if operation == .direct { return try replaced(by: command, profile) }
        let executionID = command.number(at: Self.executionIDOffset)
        guard executionID != block.number(at: Self.executionIDOffset) else { return block }
        let stated = command.number(at: Self.valueOffset)
        /// Returns an amount as the card interprets it.
        func amount(_ number: UInt32) -> Int64 {
            profile.limitedPurseAmount == .signed ? signed(number) : Int64(number)
        }
        let value = signed(block.number(at: Self.valueOffset))
        let result: Int64
        if operation == .cashback {
            guard amount(stated) <= amount(block.number(at: Self.cashbackOffset)) else {
                throw FeliCaRefusal(.cashbackTooLarge)
            }
            result = value + amount(stated)
        } else {
            result = value - amount(stated)
        }
        try checkRange(result)
        var changed = block
        changed.store(UInt32(truncatingIfNeeded: result), at: Self.valueOffset)
        changed.store(operation == .cashback ? 0 : stated, at: Self.cashbackOffset)
        changed.store(executionID, at: Self.executionIDOffset)
        return changed
    }

    /// Returns the block replaced by direct access, which by most readings of the manual must not raise value or cashback.
    private func replaced(by command: BlockData, _ profile: FeliCaProfile) throws(FeliCaRefusal) -> BlockData {
        let value = signed(command.number(at: Self.valueOffset))
        let cashback = command.number(at: Self.cashbackOffset)
        let raises =
            value > signed(block.number(at: Self.valueOffset)) || cashback > block.number(at: Self.cashbackOffset)
        guard profile.purseDirectSum == .unchecked || value + Int64(cashback) <= Int64(UInt32.max) else {
            throw FeliCaRefusal(.accessDenied)
        }
        guard profile.purseDirectRaise || !raises else {
            throw FeliCaRefusal(.accessDenied, leaningOn: [.purseDirectRaise])
        }
        try checkRange(value)
        return command
    }

    /// The facts the result of a write relies on.
    static func facts(of operation: Operation, _ command: BlockData, _ limits: PurseLimits) -> CardFacts {
        let number = command.number(at: valueOffset)
        if operation == .direct {
            let isOver = Int64(number) + Int64(command.number(at: cashbackOffset)) > Int64(UInt32.max)
            return isOver ? [.purseDirectSum] : []
        }
        return limits.isEnabled && number > UInt32(Int32.max) ? [.limitedPurseAmount] : []
    }

    /// Interprets a purse value, which is signed only if the purse is limited.
    private func signed(_ value: UInt32) -> Int64 {
        limits.isEnabled ? Int64(Int32(bitPattern: value)) : Int64(value)
    }

    private func checkRange(_ value: Int64) throws(FeliCaRefusal) {
        if limits.isEnabled {
            guard value >= Int64(limits.lower), value <= Int64(limits.upper) else {
                throw FeliCaRefusal(.purseOutOfLimits)
            }
        } else {
            guard (0...Int64(UInt32.max)).contains(value) else { throw FeliCaRefusal(.purseOutOfRange) }
        }
    }
}

extension BlockData {
    fileprivate func number(at offset: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(self[offset + $1]) << (8 * UInt32($1)) }
    }

    fileprivate mutating func store(_ number: UInt32, at offset: Int) {
        for index in 0..<4 { self[offset + index] = UInt8(truncatingIfNeeded: number >> (8 * UInt32(index))) }
    }
}
