import TapSystem
import TapWire

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The position of a reader on the bus, by port number.
///
/// The position stays the same after the reader was unplugged and plugged in again, so that programs without notices find it
/// too.
struct USBLocation: Hashable, Sendable {
    /// The port number, from 1.
    let port: Int

    static let bus = 1
    /// The device number of a reader; 1 is the hub.
    var address: Int { port + 1 }
    /// `1-1`.
    var name: String { "\(Self.bus)-\(port)" }
    /// The location of the reader in the kernel's tree, below `/sys`.
    var path: String { "/devices/pci0000:00/0000:00:14.0/usb\(Self.bus)/\(name)" }
    /// `/dev/bus/usb/001/002`.
    var node: String { "/dev/bus/usb/\(Self.threeDigits(Self.bus))/\(Self.threeDigits(address))" }
    /// The major number of USB character devices.
    static let major = 189
    var minor: Int { (Self.bus - 1) * 128 + address - 1 }
    /// The file from which the library takes the `stat` result for the node.
    var nodeEntry: String { "dev/.node/\(node.dropFirst("/dev/".count).replacing("/", with: "_"))" }
    /// `189:1`.
    var number: String { "\(Self.major):\(minor)" }

    static func threeDigits(_ number: Int) -> String { "\(number)".leftPadded(to: 3, with: "0") }
}

/// The folder that the preload library shows to a program in place of `/sys`, and of those parts of `/dev` that it contains.
///
/// Source: umockdev, its preload library and test bed; Linux, the files of a USB device in sysfs.
struct USBTree: Sendable {
    /// A file to be created, with its path below the folder.
    private typealias File = (path: String, text: String)

    /// The longest path in the folder that is the address of a socket, of a browser started by a pytest fixture; umockdev's own
    /// are shorter.
    static let longestSocket = "tmpXXXXXXXX/org.chromium.Chromium.XXXXXX/SingletonSocket"
    /// Other parts of `/sys` that programs look for and that have nothing to do with devices: links to the real folders.
    private static let realFolders = ["sys/devices/system", "sys/fs", "sys/kernel", "sys/class/net"]

    var root: String { folder.path }
    private let folder: OpenFolder
    /// The number of events the bus has sent.
    private let eventCount = Lock(0)

    /// Creates the folders that exist without a reader.
    ///
    /// - Throws: ``SystemError`` if the folder cannot hold them.
    init(_ root: String) throws(SystemError) {
        folder = try OpenFolder(at: root, isFollowing: false)
        for folder in ["sys/bus/usb/devices", "sys/class", "sys/dev/char", "dev/.node", "ioctl/dev"] {
            try makeFolder(folder)
        }
        for path in Self.realFolders {
            try link(path, to: "/\(path)")
        }
    }

    /// Returns the socket at which the server of a reader's requests listens.
    func socket(of place: USBLocation) -> String { "\(root)/ioctl\(place.node)" }

    /// Creates the files of a reader.
    ///
    /// - Throws: ``SystemError`` if the folder cannot hold them.
    func add(_ device: USBDevice, at place: USBLocation) throws(SystemError) {
        let folder = "sys\(place.path)"
        for file in Self.files(of: device, place) { try write(Array("\(file.text)\n".utf8), "\(folder)/\(file.path)") }
        try write(device.descriptors, "\(folder)/descriptors")
        try linkInside("\(folder)/subsystem", to: "sys/bus/usb")
        try linkInside("sys/bus/usb/devices/\(place.name)", to: folder)
        try linkInside("sys/dev/char/\(place.number)", to: folder)
        for number in device.interfaces.indices {
            let name = place.interface(number)
            for file in Self.files(of: device, interface: number) {
                try write(Array("\(file.text)\n".utf8), "\(folder)/\(name)/\(file.path)")
            }
            try linkInside("\(folder)/\(name)/subsystem", to: "sys/bus/usb")
            try linkInside("sys/bus/usb/devices/\(name)", to: "\(folder)/\(name)")
        }
        _ = try makeFolder(of: "ioctl\(place.node)")
        _ = try makeFolder(of: place.node)
        try link(place.nodeEntry, to: place.number)
    }

    /// Notifies the listening programs that a reader has come or gone.
    func announce(_ action: USBEvent.Action, _ device: USBDevice, at place: USBLocation) {
        let datagrams = eventCount.withLock { USBEvent.datagrams(action, device, at: place, from: &$0) }
        USBEvent.send(datagrams, in: root)
    }

    func removeNode(of place: USBLocation) { remove(place.node) }

    func remove(_ device: USBDevice, at place: USBLocation) {
        let links =
            [place.node, place.nodeEntry, "sys/dev/char/\(place.number)"]
            + (device.interfaces.indices.map(place.interface) + [place.name]).map { "sys/bus/usb/devices/\($0)" }
        for path in links { remove(path) }
        remove("sys\(place.path)")
    }

    private static func files(of device: USBDevice, _ place: USBLocation) -> [File] {
        [
            ("busnum", "\(USBLocation.bus)"), ("devnum", "\(place.address)"), ("devpath", "\(place.port)"),
            ("idVendor", USBDevice.hex(device.vendor)), ("idProduct", USBDevice.hex(device.product)),
            ("bcdDevice", USBDevice.hex(device.release)),
            ("speed", "12"), ("version", " 2.00"), ("bConfigurationValue", "\(USBDevice.configuration)"),
            ("bNumConfigurations", "1"), ("bNumInterfaces", " \(device.interfaces.count)"), ("bDeviceClass", "00"),
            ("bDeviceSubClass", "00"), ("bDeviceProtocol", "00"), ("bMaxPacketSize0", "\(USBDevice.packetSize)"),
            ("dev", place.number), ("manufacturer", device.manufacturer), ("product", device.name),
            ("serial", device.serial),
            ("uevent", USBEvent.properties(of: device, at: place).joined(separator: "\n")),
        ]
    }

    private static func files(of device: USBDevice, interface number: Int) -> [File] {
        let interface = device.interfaces[number]
        return [
            ("bInterfaceNumber", USBDevice.hex(UInt8(number))), ("bAlternateSetting", " 0"),
            ("bNumEndpoints", USBDevice.hex(UInt8(interface.endpoints.count))),
            ("bInterfaceClass", USBDevice.hex(interface.classCode)),
            ("bInterfaceSubClass", "00"), ("bInterfaceProtocol", "00"),
            ("uevent", USBEvent.properties(of: device, interface: number).joined(separator: "\n")),
        ]
    }
}

extension USBLocation {
    /// `1-1:1.0`.
    func interface(_ number: Int) -> String { "\(name):\(USBDevice.configuration).\(number)" }
}

/// Files and links below the folder. A program may put links into it, so each folder is opened by name in its parent.
extension USBTree {
    @discardableResult
    private func makeFolder(_ path: String) throws(SystemError) -> OpenFolder {
        var folder = folder
        for name in path.split(separator: "/") { folder = try folder.makingFolder(String(name)) }
        return folder
    }

    /// Creates the folder of a file or link.
    private func makeFolder(of path: String) throws(SystemError) -> (folder: OpenFolder, name: String) {
        let (parent, name) = Self.parts(of: path)
        return (try makeFolder(parent), name)
    }

    private static func parts(of path: String) -> (parent: String, name: String) {
        let names = path.split(separator: "/")
        return (names.dropLast().joined(separator: "/"), names.last.map(String.init) ?? "")
    }

    private func write(_ bytes: [UInt8], _ path: String) throws(SystemError) {
        let (folder, name) = try makeFolder(of: path)
        try folder.write(bytes, to: name)
    }

    private func remove(_ path: String) {
        let (parent, name) = Self.parts(of: path)
        var folder = folder
        for name in parent.split(separator: "/") {
            guard let next = try? folder.folder(String(name)) else { return }
            folder = next
        }
        folder.removeTree(name)
    }

    /// Creates a link that stays below `/sys` for a program: a relative link.
    private func linkInside(_ path: String, to target: String) throws(SystemError) {
        let depth = path.count { $0 == "/" }
        try link(path, to: String(repeating: "../", count: depth) + target)
    }

    private func link(_ path: String, to target: String) throws(SystemError) {
        let (folder, name) = try makeFolder(of: path)
        try folder.makeLink(name, to: target)
    }
}
