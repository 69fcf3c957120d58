import TapDoors
import TapWire

/// What this program does when it has started itself; its first word says so.
enum ChildRole: String {
    /// Runs all workloads under Callgrind.
    case count = "--count"
    /// Sends an APDU to a card in a reader, as often as it is told.
    case doorClient = "--door-client"
    /// Sends a line to a server, as often as it is told.
    case lineClient = "--line-client"
    /// Sends packets to a PN532 on a terminal, the last one as often as it is told.
    case serialClient = "--serial-client"
    /// Sends a command to a reader on the USB, as often as it is told, or waits for one that says nothing.
    case usbClient = "--usb-client"
    /// Tells when it sees a reader change.
    case doorWatcher = "--door-watcher"

    /// Connects to a card, sends it an APDU and leaves it, as often as it is told.
    case doorVisitor = "--door-visitor"

    func run(_ arguments: [String]) throws {
        switch self {
        case .count: try Callgrind.runCounted()
        #if os(Linux)
            case .doorClient: try DoorClientProgram.transmit(Hex.bytes(arguments[1]), to: arguments[0])
            case .lineClient:
                guard let address = LineAddress(arguments[0]) else { fail("\(arguments[0]) is no address", code: 2) }
                LineClientProgram.ask(
                    arguments[1], at: address, token: arguments.count > 2 ? arguments[2] : nil)
            case .serialClient:
                SerialClientProgram.exchange(try arguments.dropFirst().map { try Hex.bytes($0) }, over: arguments[0])
            case .usbClient: USBClientProgram.exchange(try Hex.bytes(arguments[1]), over: arguments[0])
            case .doorWatcher: try DoorClientProgram.watch(arguments[0])
            case .doorVisitor: try DoorClientProgram.visit(Hex.bytes(arguments[0]))
        #else
            case .doorClient, .lineClient, .serialClient, .usbClient, .doorWatcher, .doorVisitor:
                fail("doors can only be measured on Linux", code: 3)
        #endif
        }
    }
}
