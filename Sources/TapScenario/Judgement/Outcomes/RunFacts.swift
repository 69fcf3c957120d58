import TapField
import TapWire

/// The exchanges of a run with what oracles ask of them, read once.
struct RunFacts {
    /// One exchange.
    struct Item {
        let exchange: Exchange
        let command: CommandFacts
        let reply: ReplyFacts
        /// States of the cards that heard the command and did not answer.
        var silentStates: [TraceEvent.CardState] = []

        init(_ exchange: Exchange) {
            self.exchange = exchange
            command = CommandFacts(exchange.command)
            reply = ReplyFacts(exchange, command.name)
        }

        var number: Int { exchange.number }

        /// Whether the command writes to a card.
        var isWrite: Bool {
            command.name?.opcode == .write || command.name?.opcode == .compatibilityWrite
                || command.name?.feliCaCode == .writeWithoutEncryption
        }

        /// Whether the client was told that its command was carried out; data are no answer to a write.
        var isAccepted: Bool {
            switch reply {
            case .acknowledgement(let value): value.isAck
            case .status(let flags, _, _): flags.isSuccess
            case .data: !isWrite
            case .silence, .collision, .damaged: false
            }
        }

        /// Whether the client was told that its command was not carried out.
        var isRefused: Bool {
            switch reply {
            case .acknowledgement(let value): !value.isAck
            case .status(let flags, _, _): !flags.isSuccess
            case .data, .silence, .collision, .damaged: false
            }
        }
    }

    let items: [Item]
    let world: World

    init(_ world: World) {
        self.world = world
        var items = world.trace.exchanges.map(Item.init)
        var index = -1
        for event in world.trace.events {
            switch event.kind {
            case .command: index += 1
            case .silence(let states) where items.indices.contains(index): items[index].silentStates = states
            default: break
            }
        }
        self.items = items
    }
}
