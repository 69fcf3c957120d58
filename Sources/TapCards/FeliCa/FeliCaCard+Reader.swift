import TapWire

/// What a reader knows of the card without reading its memory: how long it may take, and its IDm.
extension FeliCaCard {
    /// The maximum response time that the PMm gives for a command and its number of nodes or blocks; for Polling the
    /// beginning of the last time slot the command offers.
    ///
    /// A command the card does not know is taken for one of fixed length.
    public func longestDelay(answering command: Span<UInt8>) -> Duration {
        guard command.count >= FeliCaPacket.minimumLength, let rule = template.rules[Int(command[1])] else {
            return FeliCaResponseTime(template.pmm, .fixed).maximum(count: 0)
        }
        if rule.command == .polling {
            let polling = try? Polling.Request(parsing: command)
            return FeliCaTimeSlot.delay(Int((polling?.timeSlot ?? 0) & 0x0F))
        }
        return rule.time.maximum(count: template.structure(of: command, rule)?.count ?? 0)
    }

    /// A card as this one was issued, with the last byte of each IDm inverted.
    public func withAnotherIdentifier() -> FeliCaCard {
        var definition = template.definition
        definition.idm = IDm(definition.idm.rawValue ^ 0xFF)
        for index in definition.systems.indices {
            definition.systems[index].idm = definition.systems[index].idm.map { IDm($0.rawValue ^ 0xFF) }
        }
        // IDms that were distinct stay so, and nothing else is checked that has changed.
        return (try? FeliCaCard(definition)) ?? FeliCaCard(template)
    }
}
