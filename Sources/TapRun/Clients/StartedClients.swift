import TapHost
import TapSystem
import TapScenario
import TapServe
import TapTransports

/// Clients of a case that were started once, up to the point where they access a reader; copies of them perform its runs.
///
/// There are as many of them as parallel runs.
final class StartedClients: Sendable {
    /// A client that makes copies, with the transports that it was given.
    final class Started: Sendable {
        fileprivate let server: ForkServer
        private let host: FieldHost
        private let transports: OpenTransports
        /// The folder of each run, empty when the run begins.
        let folder: PrivateDirectory
        private let sockets: PrivateDirectory
        /// The counters for the code that the client and its copies run; `nil` if they do not count.
        let coverage: ClientCoverage?
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
                throw ForkServerError("its reader belongs to the system's pcscd")
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

        /// The location of a copy's socket.
        var place: PCSCTransport.Place { .path("\(sockets.path)/\(PCSCTransport.socketName)", mode: 0o600) }

        /// Returns the origin for a copy with other transports; `nil` if their number differs.
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
    /// The time that a client took to access a reader.
    let time: Duration

    /// - Parameters:
    ///   - isInstrumented: Whether the client counts which parts of its code it runs.
    ///   - deadline: The time after which no client is needed any more.
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

    /// Returns a client that is not making a copy; `nil` if no further one can be started.
    func take() -> Started? {
        free.withLock { $0.popLast() }
            ?? (try? Started(
                clean, client, library, isInstrumented: isInstrumented, in: surroundings, before: deadline))
    }

    /// Takes a client back after its copy has ended, unless the copy made its folder unusable.
    func giveBack(_ started: Started) {
        guard started.folder.empty() else { return }
        free.withLock { $0.append(started) }
    }
}
