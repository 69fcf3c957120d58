import TapField
import TapWire

extension ServiceRequest {
    /// The call of PC/SC behind the request, or nothing for what the library asks for by itself.
    var call: PCSCCall? {
        switch self {
        case .establish: .establishContext
        case .release: .releaseContext
        case .connect: .connect
        case .reconnect: .reconnect
        case .disconnect: .disconnect
        case .beginTransaction: .beginTransaction
        case .endTransaction: .endTransaction
        case .transmit: .transmit
        case .control: .control
        case .status: .status
        case .cancel: .cancel
        case .getAttribute: .getAttribute
        case .setAttribute: .setAttribute
        case .waitForChange: .getStatusChange
        case .version, .readerStates, .stopWaiting, .readerEvents, .readerCount, .readerArray: nil
        }
    }

    /// The connection to a card that the request is about.
    var card: Int32? {
        switch self {
        case .reconnect(let message): message.card
        case .disconnect(let message), .endTransaction(let message): message.card
        case .beginTransaction(let message), .status(let message): message.card
        case .transmit(let message, _): message.card
        case .control(let message, _): message.card
        case .getAttribute(let message), .setAttribute(let message): message.card
        default: nil
        }
    }

    /// An answer that says only that the call failed; nothing for a request whose answer has no return code.
    func refusal(_ code: PCSCReturnCode) -> [UInt8]? {
        switch self {
        case .establish(let message): Self.refusal(of: message, code)
        case .release(let message), .cancel(let message): Self.refusal(of: message, code)
        case .connect(let message): Self.refusal(of: message, code)
        case .reconnect(let message): Self.refusal(of: message, code)
        case .disconnect(let message), .endTransaction(let message): Self.refusal(of: message, code)
        case .beginTransaction(let message), .status(let message): Self.refusal(of: message, code)
        case .transmit(let message, _): Self.refusal(of: message, code) { $0.receiveLength = 0 }
        case .control(let message, _): Self.refusal(of: message, code) { $0.returnedLength = 0 }
        case .getAttribute(let message), .setAttribute(let message): Self.refusal(of: message, code)
        default: nil
        }
    }

    private static func refusal<Message: ResultMessage>(
        of message: Message, _ code: PCSCReturnCode, _ change: (inout Message) -> Void = { _ in }
    ) -> [UInt8] {
        var answer = message
        answer.result = code
        change(&answer)
        return answer.bytes
    }

    /// The answer to a command without its last bytes; any other answer as it is.
    func cut(_ answer: [UInt8], by count: Int) -> [UInt8] {
        guard case .transmit = self, answer.count > TransmitMessage.size else { return answer }
        var message = TransmitMessage(parsing: answer[..<TransmitMessage.size])
        let data = answer[TransmitMessage.size...].dropLast(count)
        message.receiveLength = UInt32(data.count)
        return message.bytes(followedBy: Array(data))
    }
}

/// A message with a return code.
protocol ResultMessage: ServiceMessage {
    var result: PCSCReturnCode { get set }
}

extension EstablishMessage: ResultMessage {}
extension ContextMessage: ResultMessage {}
extension ConnectMessage: ResultMessage {}
extension ReconnectMessage: ResultMessage {}
extension DispositionMessage: ResultMessage {}
extension CardMessage: ResultMessage {}
extension TransmitMessage: ResultMessage {}
extension ControlMessage: ResultMessage {}
extension AttributeMessage: ResultMessage {}
