import TapSystem
import TapWire

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The notice that a device has come or gone, as udev sends it to listening programs.
///
/// A listening program has a socket in the folder, created by the preload library; libusb and browsers built with libudev
/// listen. Source: systemd, `src/libsystemd/sd-device/device-monitor.c`; umockdev, `src/uevent_sender.c`.
struct USBEvent: Sendable {
    enum Action: String, Sendable {
        case add
        case remove
    }

    /// The prefix of the names of listeners' sockets.
    private static let socketPrefix = "event"

    /// Returns a datagram for each device and interface, in the order in which the kernel would send them.
    static func datagrams(
        _ action: Action, _ device: USBDevice, at place: USBLocation, from number: inout Int
    ) -> [[UInt8]] {
        let whole = (path: place.path, type: "usb_device", properties: properties(of: device, at: place))
        let parts = device.interfaces.indices.map { index in
            (
                path: "\(place.path)/\(place.interface(index))", type: "usb_interface",
                properties: properties(of: device, interface: index)
            )
        }
        return (action == .add ? [whole] + parts : parts + [whole]).map { event in
            number += 1
            let head = ["ACTION=\(action.rawValue)", "DEVPATH=\(event.path)", "SUBSYSTEM=usb", "SEQNUM=\(number)"]
            return datagram((head + event.properties).flatMap { Array($0.utf8) + [0] }, type: event.type)
        }
    }

    /// Sends datagrams to every listener in the folder; removes sockets that nobody reads any more.
    static func send(_ datagrams: [[UInt8]], in root: String) {
        guard let socket = try? Descriptor.makeSocket(AF_UNIX, .datagrams, "socket") else { return }
        socket.setNonBlocking()
        for name in Folder.names(in: root) ?? [] where name.hasPrefix(socketPrefix) {
            let path = "\(root)/\(name)"
            for datagram in datagrams {
                let status = try? unsafe UnixSocket.call(with: path) { address, length in
                    Int32(
                        clamping: unsafe datagram.withUnsafeBytes {
                            unsafe sendto(socket.number, $0.baseAddress, $0.count, 0, address, length)
                        })
                }
                if status ?? -1 < 0, SystemError.currentErrno() == ECONNREFUSED { _ = unsafe unlink(path) }
            }
        }
    }

    /// Returns the header of libudev, version FEEDCAFE, and the properties after it.
    private static func datagram(_ properties: [UInt8], type: String) -> [UInt8] {
        let headerLength: UInt32 = 40
        return Array("libudev".utf8) + [0] + (0xFEED_CAFE as UInt32).bigEndianBytes + headerLength.littleEndianBytes
            + headerLength.littleEndianBytes + UInt32(properties.count).littleEndianBytes
            + murmur2("usb").bigEndianBytes + murmur2(type).bigEndianBytes + UInt64(0).littleEndianBytes + properties
    }

    /// Returns the 32-bit MurmurHash2 with the seed 0, by which listeners filter.
    static func murmur2(_ text: String) -> UInt32 {
        let factor: UInt32 = 0x5BD1_E995
        var rest = Array(text.utf8)[...]
        var hash = UInt32(rest.count)
        while rest.count >= 4 {
            var part = UInt32(Array(rest.prefix(4)).number(4, at: 0)) &* factor
            part ^= part >> 24
            hash = hash &* factor ^ part &* factor
            rest = rest.dropFirst(4)
        }
        if !rest.isEmpty {
            hash ^= UInt32(Array(rest).number(rest.count, at: 0))
            hash = hash &* factor
        }
        hash ^= hash >> 13
        hash = hash &* factor
        return hash ^ hash >> 15
    }
}

/// Properties, as in the file `uevent` of a device.
extension USBEvent {
    static func properties(of device: USBDevice, at place: USBLocation) -> [String] {
        let classes = device.interfaces.map { "\(USBDevice.hex($0.classCode))0000" }
        return [
            "DEVNAME=\(place.node)", "DEVTYPE=usb_device", "DRIVER=usb", "PRODUCT=\(product(device))", "TYPE=0/0/0",
            "BUSNUM=\(USBLocation.threeDigits(USBLocation.bus))", "DEVNUM=\(USBLocation.threeDigits(place.address))",
            "MAJOR=\(USBLocation.major)", "MINOR=\(place.minor)",
            "ID_VENDOR_ID=\(USBDevice.hex(device.vendor))",
            "ID_MODEL_ID=\(USBDevice.hex(device.product))", "ID_BUS=usb",
            "ID_SERIAL_SHORT=\(device.serial)", "ID_USB_INTERFACES=:\(classes.joined(separator: ":")):",
        ]
    }

    static func properties(of device: USBDevice, interface number: Int) -> [String] {
        [
            "DEVTYPE=usb_interface", "PRODUCT=\(product(device))",
            "INTERFACE=\(device.interfaces[number].classCode)/0/0",
        ]
    }

    /// Returns the numbers in hexadecimal without leading zeros.
    private static func product(_ device: USBDevice) -> String {
        [device.vendor, device.product, device.release].map { String($0, radix: 16) }.joined(separator: "/")
    }
}
