/// The connection of one client to the service; one thread at a time goes on with it.
final class PCSCSession {
    /// Requests in a row a client may have answered before another one's turn comes.
    private static let requestsInTurn = 16
    /// How long a client that waits for a change may take to ask for the states; the library does so at once.
    private static let statesPatience = Duration.seconds(1)

    /// The number of the client.
    let client: ClientID
    private let stream: SocketStream
    private let service: PCSCService
    private var requests: RequestReader

    init(_ client: ClientID, _ stream: SocketStream, of service: PCSCService) {
        self.client = client
        self.stream = stream
        self.service = service
        requests = RequestReader(stream)
    }

    /// Answers all that the client has asked so far.
    ///
    /// - Parameter hasEnded: Whether the client sends nothing more.
    /// - Returns: Whether it may go on; otherwise it is to be ended.
    func goOn(hasEnded: Bool) -> Bool {
        var count = 0
        while true {
            switch requests.next(hasEnded: hasEnded) {
            case .nothingYet: return true
            case .end: return false
            case .request(let request):
                count += 1
                if count > Self.requestsInTurn { stepAside() }
                guard carryOut(request) else { return false }
            }
        }
    }

    /// Breaks the connection and lets the client go.
    func end() {
        // What it sends from now on is nobody's.
        stream.shutDown()
        if !service.host.isPrompt { stepAside() }
        service.dismiss(client)
    }

    /// Answers a request.
    ///
    /// - Returns: Whether the client may go on.
    private func carryOut(_ request: ServiceRequest) -> Bool {
        let isDisturbed = service.host.isDisturbed
        if !service.host.isPrompt { stepAside() }
        let answer =
            isDisturbed
            ? service.disturbedAnswer(to: request, from: client, stream)
            : service.answer(to: request, from: client, stream)
        guard let answer, answer.isEmpty || stream.send(answer, beforeWaiting: stepAside) else { return false }
        if request == .waitForChange { awaitQuestionForStates() }
        return true
    }

    /// Waits for the question for the states, behind which word of a change is held back; who does not ask has it
    /// without.
    private func awaitQuestionForStates() {
        guard service.withManager({ $0.holdsBack(from: client) }), !requests.isReady(within: .zero) else { return }
        stepAside()
        guard !requests.isReady(within: Self.statesPatience) else { return }
        service.withManager { $0.stopHolding(client) }
    }

    /// Lets another thread see to the other clients, before what may take its time.
    private func stepAside() { service.threads.stepAside(from: client) }
}
