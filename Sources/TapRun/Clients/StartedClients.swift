import TapDoors
import TapScenario
import TapServe

/// Clients of a case that were started once, up to where they reach for a reader; copies of them make its runs.
///
/// There are as many as runs are under way at a time.
final class StartedClients: Sendable {
    /// A client that makes copies, with the doors that it was told.
    final class Started: Sendable {
        fileprivate let server: ForkServer
        private let host: FieldHost
        private let doors: OpenDoors
        private let folder: PrivateDirectory
        /// How long it took to reach for a reader.
        let time: Duration
        private static let longestTime = Duration.seconds(10)

        fileprivate init(
            _ clean: ScenarioCase, _ client: ProgramClient, _ library: ForkLibrary
        ) throws(ForkServerError) {
            host = clean.makeHost(observer: nil, isWaiting: true)
            do {
                doors = try OpenDoors(on: host, clean)
                folder = try CaseRun.makeFolder()
            } catch {
                throw ForkServerError(error.description)
            }
            guard let addresses = doors.addresses else {
                throw ForkServerError("its reader is on the USB or behind the pcscd of the system")
            }
            let command = CaseRun.command(client, doors.variables(of: clean, in: folder))
            let begin = ContinuousClock.now
            server = try ForkServer(command, addresses: addresses, library: library, within: Self.longestTime)
            time = ContinuousClock.now - begin
        }

        deinit {
            server.close()
            host.close()
            doors.close()
            folder.remove()
        }

        /// A copy with other doors; nil where these are not as many.
        func origin(with others: OpenDoors) -> ClientOrigin? {
            guard let addresses = others.addresses, addresses.count == doors.addresses?.count else { return nil }
            return .server(server, addresses: addresses)
        }
    }

    private let client: ProgramClient
    private let clean: ScenarioCase
    private let library: ForkLibrary
    private let free: Lock<[Started]>
    /// How long a client took to reach for a reader.
    let time: Duration

    init(_ clean: ScenarioCase, _ client: ProgramClient) throws(ForkServerError) {
        (self.client, self.clean) = (client, clean)
        library = try ForkLibrary()
        let first = try Started(clean, client, library)
        free = Lock([first])
        time = first.time
    }

    /// One that makes no copy now; nil if no further one can be started.
    func take() -> Started? {
        free.withLock { $0.popLast() } ?? (try? Started(clean, client, library))
    }

    func giveBack(_ started: Started) { free.withLock { $0.append(started) } }
}
