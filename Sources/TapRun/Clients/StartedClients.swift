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
        /// The only transport that is opened for a copy; `nil` for all.
        let transport: ReaderSpec.Transport?
        /// The folder of each run, empty when the run begins.
        let folder: PrivateDirectory
        private let entrance: PCSCEntrance
        /// The counters for the code that the client and its copies run; `nil` if they do not count.
        let coverage: ClientCoverage?
        let time: Duration
        private static let longestTime = Duration.seconds(10)

        fileprivate init(
            _ clean: ScenarioCase, _ client: ProgramClient, _ library: ForkLibrary, isInstrumented: Bool,
            opensAll: Bool, in surroundings: Surroundings, before deadline: ContinuousClock.Instant?
        ) throws(ForkServerError) {
            coverage = isInstrumented ? try? ClientCoverage() : nil
            host = clean.makeHost(observer: nil, isWaiting: true)
            do {
                transports = try OpenTransports(on: host, clean)
                folder = try CaseRun.makeFolder()
                entrance = try PCSCEntrance()
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
            let usesPCSC = transports.transports[server.reached] is PCSCTransport
            transport = usesPCSC && !opensAll ? .pcsc : nil
        }

        deinit {
            server.close()
            host.close()
            transports.close()
            folder.remove()
            entrance.close()
        }

        /// The location of a copy's socket.
        var place: PCSCTransport.Place { .entrance(entrance) }

        /// Returns the origin for a copy with its own transports; `nil` if they have other addresses.
        ///
        /// A transport that is not opened for the copy is the client's.
        func origin(with own: OpenTransports) -> ClientOrigin? {
            let addresses = transports.transports.compactMap { told in
                (own.transports.first { $0.name == told.name } ?? told).address
            }
            return addresses.count == transports.transports.count ? .server(server, addresses: addresses) : nil
        }

        /// A Boolean value that indicates whether a copy has used a transport that was not opened for it.
        ///
        /// A copy reports it at its end; a program that the copy starts shows it by what reaches the client's own transports.
        var hasMissedTransport: Bool { transport != nil && (server.hasStrayed || transports.used != nil) }

        /// The transports whose addresses a copy receives, opened or not.
        var told: [any Transport] { transports.transports }
    }

    private let client: ProgramClient
    private let clean: ScenarioCase
    private let library: ForkLibrary
    private let isInstrumented: Bool
    private let surroundings: Surroundings
    private let deadline: ContinuousClock.Instant?
    private let free: Lock<[Started]>
    /// A Boolean value that indicates whether copies use more transports than the first that the client reaches for.
    private let opensAll = Lock(false)
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
            clean, client, library, isInstrumented: isInstrumented, opensAll: false, in: surroundings, before: deadline)
        free = Lock([first])
        time = first.time
    }

    /// Returns a client that is not making a copy; `nil` if no further one can be started.
    func take() -> Started? {
        free.withLock { $0.popLast() }
            ?? (try? Started(
                clean, client, library, isInstrumented: isInstrumented, opensAll: opensAll.withLock { $0 },
                in: surroundings, before: deadline))
    }

    /// Opens all transports for the copies of clients that start from now on.
    func openAll() {
        opensAll.withLock { $0 = true }
        free.withLock { $0 = [] }
    }

    /// Takes a client back after its copy has ended, unless the copy made its folder unusable.
    func giveBack(_ started: Started) {
        guard started.folder.empty(), started.transport == nil || !opensAll.withLock({ $0 }) else { return }
        free.withLock { $0.append(started) }
    }
}
