import TapField
import TapReaders
import TapWire

/// Looks whether what a reader refused is what another model understands.
///
/// The models say it themselves: each is given the refused commands before the cards of the case, and its answers
/// tell.
struct ModelAdvice {
    /// Most commands that are tried; a client that sends the reader of another maker its commands shows it early.
    private static let maximumCommands = 16

    private let test: ScenarioCase

    init(_ test: ScenarioCase) {
        self.test = test
    }

    /// The model to try, a sentence: ``FF A4 is Sony's: try `--model rc-s380` ``; nothing if no other model fits better.
    func sentence(for record: RunRecord) -> String? {
        var commands: [HostCall] = []
        for case .call(let entry) in record.world.trace.entries where entry.call.isRefused {
            guard entry.call.layer != .pn532, !commands.contains(where: { $0.isAlike(entry.call) }) else { continue }
            commands.append(entry.call)
            if commands.count == Self.maximumCommands { break }
        }
        guard !commands.isEmpty else { return nil }
        let own = Set(test.readersOrUsual.map(\.spec.model))
        // What the model of the run does itself was refused for another reason.
        let foreign = commands.filter { command in !own.contains { understands($0, command) } }
        let others = ReaderModel.allCases.filter { !own.contains($0) }
        var best: (model: ReaderModel, understood: [Int])?
        for model in others {
            let understood = foreign.indices.filter { understands(model, foreign[$0]) }
            guard let first = understood.first else { continue }
            // Most commands count; of as many, what comes first: later a client may try what else there is.
            guard let found = best else {
                best = (model, understood)
                continue
            }
            let isBetter = (understood.count, -first) > (found.understood.count, -found.understood[0])
            if isBetter { best = (model, understood) }
        }
        return best.map { best in
            "\(foreign[best.understood[0]].head) is \(best.model.maker)'s: try `--model \(best.model.rawValue)`"
        }
    }

    /// Whether a model does what a command asks for, with the cards of the case before it and nothing going wrong.
    private func understands(_ model: ReaderModel, _ call: HostCall) -> Bool {
        var world = World(seed: test.seed)
        for card in test.cards {
            world.add(card.definition.makeEngine(), named: card.name)
            world.tap(card.name)
        }
        var reader = model.makeReader()
        _ = reader.look(in: &world)
        let answer =
            switch call.layer {
            case .control(let code): reader.control(code, call.command, in: &world)
            default: reader.transmit(call.command, in: &world)
            }
        guard case .answer(let bytes) = answer else { return false }
        return !HostCall(call.layer, call.command, .answer(bytes)).isRefused
    }
}

extension HostCall {
    /// Bytes that tell one command of a maker from another: class and instruction.
    private static let headLength = 2

    /// Class and instruction, as the first bytes of the command have them.
    fileprivate var head: String { Hex.text(command.prefix(Self.headLength), separator: " ") }

    fileprivate func isAlike(_ other: HostCall) -> Bool {
        layer == other.layer && command.prefix(Self.headLength) == other.command.prefix(Self.headLength)
    }
}
