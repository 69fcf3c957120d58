import TapField
import TapWire

extension ScenarioCase {
    /// Where the client leaves its result.
    var resultSpec: ResultSpec {
        if case .program(let client)? = client { client.result } else { .usual }
    }

    /// How the client tells of an error, if the case states it.
    var clearErrorSpec: ClearErrorSpec? {
        guard case .program(let client)? = client, client.clearError != .usual else { return nil }
        return client.clearError
    }

    /// The rules of safety.
    var safetyPolicy: SafetyPolicy { .usual }
}

extension Expectation {
    /// Keys of the writes without which the demand cannot be met.
    var writesAskedFor: [String] {
        switch demand {
        case .card(_, .page(let page, _)): ["write \(WriteTarget(place: .page(page)).text)"]
        case .card(_, .block(let service, let number, _)):
            ["write \(WriteTarget(place: .block(service, number)).text)"]
        case .exchanges(let list): list.patterns.flatMap(\.pattern.writesAskedFor)
        default: []
        }
    }
}

extension ExchangePattern {
    /// Keys of the pages that the pattern has written.
    fileprivate var writesAskedFor: [String] {
        guard command.opcode == .write || command.opcode == .compatibilityWrite else { return [] }
        return arguments.flatMap { argument -> [String] in
            guard case .pages(let range) = argument else { return [] }
            let last = min(range.upper ?? range.lower, Int(UInt8.max))
            guard range.lower <= last else { return [] }
            return (range.lower...last).map { "write \(WriteTarget(place: .page($0)).text)" }
        }
    }
}
