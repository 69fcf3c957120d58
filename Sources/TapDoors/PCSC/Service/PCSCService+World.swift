import TapField
import TapReaders

/// A reader of the world that clients see while it is plugged in.
struct FollowedReader {
    /// The number of the reader in the world.
    let number: Int
    /// The model as it is when it is plugged in.
    let model: any PCSCReader
    /// Its number here, while it is plugged in.
    var id: ReaderID?
}

/// What the world and the service tell each other beside frames.
extension PCSCService {
    /// Takes readers of the world in; from now on they come and go as the world says.
    ///
    /// - Parameter readers: The models, each with the number of its reader in the world.
    /// - Returns: The numbers here of those that are plugged in.
    func follow(_ readers: [(number: Int, model: any PCSCReader)]) -> [ReaderID] {
        followed.withLock { $0 += readers.map { FollowedReader(number: $0.number, model: $0.model) } }
        follow()
        return followed.withLock { $0.compactMap(\.id) }
    }

    /// Plugs readers in and unplugs them, so that clients see those that are plugged in.
    func follow() {
        followed.withLock { followed in
            guard !followed.isEmpty else { return }
            let readers = host.perform(plansAhead: false) { $0.readers }
            for index in followed.indices {
                let reader = followed[index]
                let isPlugged = readers.indices.contains(reader.number) ? readers[reader.number].isPlugged : true
                if isPlugged, reader.id == nil {
                    followed[index].id = plug(reader.model, at: reader.number)
                } else if !isPlugged, let id = reader.id {
                    unplug(id)
                    followed[index].id = nil
                }
            }
        }
    }

    /// The name by which clients know a reader of the world; nothing while it is unplugged.
    func name(ofReader number: Int) -> String? {
        followed.withLock { $0.first { $0.number == number } }?.id.flatMap(name(of:))
    }

    /// Tells the world which readers clients have connected to and let go, where something waits for that.
    ///
    /// A reader that works keeps whoever tells it something waiting.
    func tellOfConnections() {
        guard tellsConnections else { return }
        let connections = state.withLock { state in
            let connections = state.manager.connections ?? []
            state.manager.connections = []
            return connections.map { (reader: state.slots[$0.to]?.number, isNew: $0.isNew) }
        }
        for (reader, isNew) in connections {
            host.perform(at: reader ?? 0) { $0.note(isNew ? ReaderEvent.connected : .disconnected) }
        }
    }
}
