import TapHost
import TapSystem
import TapField
import TapReaders
import TapWire

/// The transport for programs and browsers that open readers on the USB: devices made of files, shown by the preload
/// library of umockdev.
///
/// Nothing of the system is changed: programs that start with its variables see this bus, and no other device of the
/// machine on it. It needs Linux, and a program that the dynamic loader loads.
public final class USBTransport: Transport {
    public let name = "usb"
    private let library: PreloadLibrary
    private let folder: PrivateDirectory
    private let bus: USBBus

    /// Plugs readers into a bus of their own, in order, each with its number in the world of the host, and tries
    /// whether a program sees them.
    ///
    /// - Throws: ``USBTransportError`` if a model is no device for the USB, the library is missing or does not fit, or
    ///   the system gives no file, socket or thread.
    public init(host: FieldHost, readers: [(number: Int, model: ReaderModel)]) throws(USBTransportError) {
        let library = try PreloadLibrary.find()
        let readers = try readers.map { number, model throws(USBTransportError) in
            guard let reader = model.makeUSBReader() else {
                throw USBTransportError("\(model.rawValue) is no device for the USB")
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

    /// `UMOCKDEV_DIR` and `LD_PRELOAD`, by which a program sees the bus, and of the first reader `TAPSIM_USB`, its
    /// vendor and product, `TAPSIM_USB_SERIAL`, and `TAPSIM_NFCPY`, its path for `nfc.ContactlessFrontend`.
    public var environment: [(name: String, value: String)] {
        let inherited = ProcessEnvironment["LD_PRELOAD"].flatMap { $0.isEmpty ? nil : ":\($0)" } ?? ""
        let variables = [(name: "UMOCKDEV_DIR", value: folder.path), ("LD_PRELOAD", library.path + inherited)]
        guard let device = bus.slots.first?.device else { return variables }
        return variables + [
            ("TAPSIM_USB", device.numbers), ("TAPSIM_USB_SERIAL", device.serial),
            ("TAPSIM_NFCPY", "usb:\(device.numbers)"),
        ]
    }

    /// Where libusb looks for the bus before it starts a thread; which one it sees is said by the variables.
    public var address: String? { "/dev/bus/usb" }

    /// Whether a program has opened a reader.
    public var wasUsed: Bool { bus.slots.contains { $0.wasUsed } }

    /// Whether a search of a chip stays open; the field shows everything else.
    public var activity: TransportActivity {
        bus.slots.reduce(into: TransportActivity()) { $0.add($1.activity) }
    }

    /// `054c:06c3 RC-S380/P`.
    public func name(ofReader number: Int) -> String? {
        bus.slots.first { $0.number == number && $0.isPlugged }.map { "\($0.device.numbers) \($0.device.name)" }
    }

    public func follow() { bus.follow() }

    /// How often programs have a reader open.
    public var clientCount: Int { bus.slots.reduce(0) { $0 + $1.openCount } }

    /// Removes the bus, so that nothing opens a reader any more, and ends the connections.
    ///
    /// A program that uses its reader after that is ended by the library.
    public func close() {
        folder.remove()
        bus.close()
    }
}

/// Why the transport cannot be opened, and what to do.
public struct USBTransportError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    init(_ error: SystemError) {
        self.init(error.description)
    }
}

/// The readers of a transport, which come and go as the world says.
final class USBBus: Sendable {
    let slots: [USBSlot]
    private let host: FieldHost
    private let watcher: Int

    init(
        _ readers: [(number: Int, model: any USBReader)], in tree: USBTree, on host: FieldHost
    ) throws(SystemError) {
        let slots = readers.enumerated().map { port, reader in
            USBSlot(reader.model, at: reader.number, USBPlace(port: port + 1), in: tree, on: host)
        }
        do throws(SystemError) {
            try Self.follow(slots, of: host)
            watcher = try host.watch {
                // A folder that can hold no more leaves a reader off the bus.
                try? Self.follow(slots, of: host)
                for slot in slots { slot.lookAgain() }
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
