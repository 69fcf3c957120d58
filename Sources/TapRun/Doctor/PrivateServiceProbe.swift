import TapDoors
import TapField
import TapPCSC
import TapReaders

/// Tries what a client does: finds a virtual reader through libpcsclite and the variable.
enum PrivateServiceProbe {
    /// What came of it.
    static var finding: Finding {
        let host = FieldHost(World(seed: 0))
        defer { host.close() }
        do {
            let door = try PCSCDoor(host: host, readers: [ReaderModel.usual.makeReader()])
            defer { door.close() }
            guard let variable = door.environment.first else { return trouble("the service has no path") }
            ProcessEnvironment.set(variable.name, to: variable.value)
            let names = try PCSCReaders.list(PCSCLibrary()).map(\.name)
            guard let name = names.first, names.count == 1 else {
                return trouble("a client of a private service finds \(names.count) readers instead of one")
            }
            return Finding("service", .fine, "a client of a private service finds its reader, \(name)")
        } catch {
            return trouble("a client cannot use a private service: \(error)")
        }
    }

    private static func trouble(_ text: String) -> Finding {
        Finding("service", .trouble, text, advice: "see the other findings; report it with them if all are fine")
    }
}
