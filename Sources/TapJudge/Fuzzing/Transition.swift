import TapField
import TapScenario
import TapWire

/// A step of a client: what it did, what it met there, and what it did next; or an edge of its code that it took.
///
/// A run with a step that no run had before has brought the client somewhere new.
public struct Transition: Hashable, Sendable {
    /// A command, or a function of PC/SC.
    let act: String
    /// The kind of answer, without its data, or what a function returned.
    var reply = ""
    /// The state of the card behind it, in the words of its manual.
    var state = ""
    /// The fault injected there; empty for none.
    var fault = ""
    /// The next act, or the outcome of the run.
    var next = ""

}

extension RunRecord {
    /// The steps of its client, the last one to its outcome.
    ///
    /// - Parameter outcome: `nil` where its fault was not injected.
    package func transitions(to outcome: Outcome?) -> Set<Transition> {
        let exchanges = world.trace.exchanges
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
                    let name = CommandName(of: exchanges[index].command)?.rawValue ?? "frame"
                    begin(Transition(act: name, reply: ReceivedAnswer(exchanges[index]).words))
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
        return steps.union(edges.map { Transition(act: "edge", state: "\($0)") })
    }
}
