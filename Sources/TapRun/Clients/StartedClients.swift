import TapHost
import TapSystem
import TapScenario
import TapServe
import TapTransports

/// Clients of a case that were started once, up to where they reach for a reader; copies of them make its runs.
///
/// There are as many as runs are under way at a time.
final class StartedClients: Sendable {
    /// A client that makes copies, with the transports that it was told.
    final class Started: Sendable {
        fileprivate let server: ForkServer
        private let host: FieldHost
        private let transports: OpenTransports
        /// The folder of each run, empty when it begins.
        let folder: PrivateDirectory
        private let sockets: PrivateDirectory
        /// Where the client and its copies count what they run; `nil` where they do not.
        let coverage: ClientCoverage?
        /// How long it took to reach for a reader.
        let time: Duration
        private static let longestTime = Duration.seconds(10)

        fileprivate init(
            _ clean: ScenarioCase, _ client: ProgramClient, _ library: ForkLibrary, isInstrumented: Bool,
            in surroundings: Surroundings, before deadline: ContinuousClock.Instant?
        ) throws(ForkServerError) {
            coverage = isInstrumented ? try? ClientCoverage() : nil
            host = clean.makeHost(observer: nil, isWaiting: true)
            do {
                transports = try OpenTransports(on: host, clean)
                folder = try CaseRun.makeFolder()
                sockets = try PrivateDirectory(forSocket: PCSCTransport.socketName)
            } catch {
                throw ForkServerError("\(error)")
            }
            guard let addresses = transports.addresses else {
                throw ForkServerError("its reader is behind the pcscd of the system")
            }
            let variables = transports.variables(of: clean, in: folder) + (coverage?.variables ?? [])
            let command = CaseRun.command(client, variables, in: surroundings)
            let begin = ContinuousClock.now
            let longest = min(Self.longestTime, deadline.map { max(.zero, $0 - begin) } ?? Self.longestTime)
            server = try ForkServer(command, addresses: addresses, library: library, within: longest)
            time = ContinuousClock.now - begin
        }

        deinit {
            server.close()
            host.close()
            transports.close()
            folder.remove()
            sockets.remove()
        }

        /// Where the socket of a copy is.
        var place: PCSCTransport.Place { .path("\(sockets.path)/\(PCSCTransport.socketName)", mode: 0o600) }

        /// A copy with other transports; `nil` where these are not as many.
        func origin(with others: OpenTransports) -> ClientOrigin? {
            guard let addresses = others.addresses, addresses.count == transports.addresses?.count else { return nil }
            return .server(server, addresses: addresses)
        }
    }

    private let client: ProgramClient
    private let clean: ScenarioCase
    private let library: ForkLibrary
    private let isInstrumented: Bool
    private let surroundings: Surroundings
    private let deadline: ContinuousClock.Instant?
    private let free: Lock<[Started]>
    /// How long a client took to reach for a reader.
    let time: Duration

    /// - Parameters:
    ///   - isInstrumented: Whether the client counts which parts of its code it runs.
    ///   - deadline: When none is needed any more.
    init(
        _ clean: ScenarioCase, _ client: ProgramClient, isInstrumented: Bool, in surroundings: Surroundings,
        before deadline: ContinuousClock.Instant?
    ) throws(ForkServerError) {
        self.surroundings = surroundings
        (self.client, self.clean, self.isInstrumented, self.deadline) = (client, clean, isInstrumented, deadline)
        library = try ForkLibrary()
        let first = try Started(
            clean, client, library, isInstrumented: isInstrumented, in: surroundings, before: deadline)
        free = Lock([first])
        time = first.time
    }

    /// One that makes no copy now; `nil` if no further one can be started.
    func take() -> Started? {
        free.withLock { $0.popLast() }
            ?? (try? Started(
                clean, client, library, isInstrumented: isInstrumented, in: surroundings, before: deadline))
    }

    /// Takes one back whose copy has ended, unless the copy has made its folder useless.
    func giveBack(_ started: Started) {
        guard started.folder.empty() else { return }
        free.withLock { $0.append(started) }
    }
}
