import TapHost
import TapSystem
import TapField
import TapReaders
import TapWire

/// The transport for programs and browsers that open USB readers: devices made of files, shown by umockdev's preload library.
///
/// The system itself does not change: programs that start with the transport's variables see this bus, and no other device of
/// the machine on it. The transport needs Linux, and a program that the dynamic loader loads.
public final class USBTransport: Transport {
    public let name = "usb"
    private let library: PreloadLibrary
    private let folder: PrivateDirectory
    private let bus: USBBus

    /// Plugs readers into their own bus, in order, each with its number in the host's world, and checks that a program sees
    /// them.
    ///
    /// - Throws: ``USBTransportError`` if a model is not a USB device, the library is missing or too old, or the system
    ///   provides no file, socket or thread.
    public init(host: FieldHost, readers: [(number: Int, model: ReaderModel)]) throws(USBTransportError) {
        let library = try PreloadLibrary.find()
        let readers = try readers.map { number, model throws(USBTransportError) in
            guard let reader = model.makeUSBReader() else {
                throw USBTransportError("\(model.rawValue) is not a USB device")
            }
            return (number: number, model: reader)
        }
        let folder: PrivateDirectory
        let bus: USBBus
        do throws(SystemError) {
            folder = try PrivateDirectory(forSocket: USBTree.longestSocket)
            bus = try USBBus(readers, in: USBTree(folder.path), on: host)
        } catch {
            throw USBTransportError(error)
        }
        (self.library, self.folder, self.bus) = (library, folder, bus)
        do throws(USBTransportError) {
            try library.check(environment, sees: bus.slots.first { $0.isPlugged })
        } catch {
            bus.close()
            throw error
        }
        for slot in bus.slots { slot.forgetUse() }
    }

    deinit {
        close()
    }

    /// `UMOCKDEV_DIR` and `LD_PRELOAD`, which show the bus to a program, and for the first reader `TAPSIM_USB`, its vendor and
    /// product, `TAPSIM_USB_SERIAL`, and `TAPSIM_NFCPY`, its path for `nfc.ContactlessFrontend`.
    public var environment: [(name: String, value: String)] {
        let inherited = ProcessEnvironment["LD_PRELOAD"].flatMap { $0.isEmpty ? nil : ":\($0)" } ?? ""
        let variables = [(name: "UMOCKDEV_DIR", value: folder.path), ("LD_PRELOAD", library.path + inherited)]
        guard let device = bus.slots.first?.device else { return variables }
        return variables + [
            ("TAPSIM_USB", device.numbers), ("TAPSIM_USB_SERIAL", device.serial),
            ("TAPSIM_NFCPY", "usb:\(device.numbers)"),
        ]
    }

    /// The folder in which libusb looks for the bus before it starts a thread; the variables decide which bus it sees.
    public var address: String? { "/dev/bus/usb" }

    /// A Boolean value that indicates whether a program has opened a reader.
    public var wasUsed: Bool { bus.slots.contains { $0.wasUsed } }

    /// The open search of a chip, if any; the field shows everything else.
    public var activity: TransportActivity {
        bus.slots.reduce(into: TransportActivity()) { $0.add($1.activity) }
    }

    /// `054c:06c3 RC-S380/P`.
    public func name(ofReader number: Int) -> String? {
        bus.slots.first { $0.number == number && $0.isPlugged }.map { "\($0.device.numbers) \($0.device.name)" }
    }

    public func follow() { bus.follow() }

    /// The number of times programs have a reader open.
    public var clientCount: Int { bus.slots.reduce(0) { $0 + $1.openCount } }

    /// Removes the bus, so that no program can open a reader any more, and ends the connections.
    ///
    /// The library ends a program that uses its reader after that.
    public func close() {
        folder.remove()
        bus.close()
    }
}

/// The reason why the transport cannot open, and the fix.
public struct USBTransportError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    init(_ error: SystemError) {
        self.init(error.description)
    }
}

/// The readers of a transport, which come and go with the world.
final class USBBus: Sendable {
    let slots: [USBSlot]
    private let host: FieldHost
    private let watcher: Int

    init(
        _ readers: [(number: Int, model: any USBReader)], in tree: USBTree, on host: FieldHost
    ) throws(SystemError) {
        let slots = readers.enumerated().map { port, reader in
            USBSlot(reader.model, at: reader.number, USBLocation(port: port + 1), in: tree, on: host)
        }
        do throws(SystemError) {
            try Self.follow(slots, of: host)
            watcher = try host.watch {
                // If the folder is full, a reader stays off the bus.
                try? Self.follow(slots, of: host)
                for slot in slots { slot.rescan() }
            }
        } catch {
            for slot in slots { slot.close() }
            throw error
        }
        (self.slots, self.host) = (slots, host)
    }

    func follow() { try? Self.follow(slots, of: host) }

    func close() {
        host.forget(watcher)
        for slot in slots { slot.close() }
    }

    private static func follow(_ slots: [USBSlot], of host: FieldHost) throws(SystemError) {
        for slot in slots {
            let isPlugged = host.perform(plansAhead: false) { $0.isPlugged(reader: slot.number) }
            if isPlugged { try slot.plug() } else { slot.unplug() }
        }
    }
}
