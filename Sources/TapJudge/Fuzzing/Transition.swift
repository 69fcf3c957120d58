import TapField
import TapScenario
import TapWire

/// A step of a client: what it did, what it met there, and what it did next.
///
/// A run with a step that no run had before has brought the client somewhere new.
public struct Transition: Hashable, Sendable {
    /// A command, or a function of PC/SC.
    let act: String
    /// The kind of answer, without its data.
    var reply = ""
    /// The state of the card behind it, in the words of its manual.
    var state = ""
    /// The fault injected there; empty for none.
    var fault = ""
    /// The next act, or the outcome of the run.
    var next = ""

}

extension RunRecord {
    /// The steps of its client, the last one to its outcome; nil where its fault was not injected.
    package func transitions(to outcome: Outcome?) -> Set<Transition> {
        let exchanges = world.trace.exchanges.map(SeenExchange.init)
        var steps: Set<Transition> = []
        var step = Transition(act: "start")
        var index = 0
        let begin = { (next: Transition) in
            step.next = next.act
            steps.insert(step)
            step = next
        }
        for event in world.trace.events {
            switch event.kind {
            case .command:
                if exchanges.indices.contains(index) {
                    begin(Transition(act: exchanges[index].name, reply: exchanges[index].reply.kind))
                }
                index += 1
            case .call(let call):
                if case .pcsc(let function) = call.layer {
                    begin(Transition(act: function.rawValue, reply: "\(call.outcome)"))
                }
            case .answer(_, _, let state, _): step.state = state
            case .silence(let states): step.state = states.map(\.state).joined(separator: ", ")
            case .fault(let fault): step.fault = fault.kind.name
            case .field, .card, .slot, .opened, .collision, .note: break
            }
        }
        begin(Transition(act: outcome?.rawValue ?? "not reached"))
        return steps
    }
}

extension ReplyFacts {
    /// What kind of answer it is, a word for all that differ only in their data.
    fileprivate var kind: String {
        switch self {
        case .data: "data"
        case .status(let flags, _, _): "status \(flags)"
        default: "\(self)"
        }
    }
}
