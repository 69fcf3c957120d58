import TapField
import TapScenario
import TapWire

/// A step of a client: its action, the answer it received, and its next action; or an edge of its code.
///
/// A run with a new step has brought the client to a new state.
public struct Transition: Hashable, Sendable {
    let act: String
    /// The kind of answer without its data, or the return value of a function.
    var reply = ""
    /// The state of the card after the answer, as its manual names it.
    var state = ""
    /// The fault injected there; empty for none.
    var fault = ""
    var next = ""

}

extension RunRecord {
    /// Returns the steps of the client; the last one leads to the outcome.
    ///
    /// - Parameter outcome: `nil` if the fault was not injected.
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
