import TapWire

/// Tells clients that use a card from those that only wait for cards to come or go.
///
/// SCardGetStatusChange, SCardStatus and a command that is sent again and again with the same bytes and gets the same
/// answer tell a client nothing but whether the card is there. Connecting and letting go say neither: clients that poll do
/// it between two looks.
struct Idling {
    /// How often in a row clients have only asked whether a card is there.
    private(set) var checks = 0
    /// How often they have done something else.
    private(set) var actions = 0
    private var command: [UInt8]?
    private var answer: [UInt8]?

    /// Takes a request before it is performed.
    mutating func take(_ request: ServiceRequest) {
        switch request {
        case .waitForChange, .status: checks += 1
        case .transmit(_, let bytes), .control(_, let bytes): if bytes != command { begin(bytes) }
        case .getAttribute, .setAttribute, .reconnect: begin(nil)
        case .version, .establish, .release, .connect, .disconnect, .beginTransaction, .endTransaction, .cancel,
            .readerStates, .stopWaiting, .readerEvents, .readerCount, .readerArray:
            break
        }
    }

    /// Takes the answer to a command.
    mutating func take(answer bytes: [UInt8]) {
        if bytes == answer { checks += 1 } else { begin(command) }
        answer = bytes
    }

    /// Takes a connection that found no card.
    mutating func takeFruitlessConnect() {
        checks += 1
    }

    private mutating func begin(_ command: [UInt8]?) {
        actions += 1
        checks = 0
        self.command = command
        answer = nil
    }
}

extension ResourceManager {
    /// What clients do, as far as their requests show it.
    var doorActivity: DoorActivity {
        var activity = DoorActivity()
        activity.isWaiting = !waiting.isEmpty
        activity.checks = idling.checks
        activity.actions = idling.actions
        return activity
    }
}
