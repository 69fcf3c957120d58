/// A USB device as described by its descriptors: one configuration, powered by the bus.
///
/// Source: USB 2.0 specification, section 9.6, "standard USB descriptor definitions".
package struct USBDevice: Hashable, Sendable {
    /// idVendor.
    package let vendor: UInt16
    /// idProduct.
    package let product: UInt16
    /// bcdDevice: two digits before the point, two after it.
    package let release: UInt16
    package let manufacturer: String
    package let name: String
    /// iSerialNumber; browsers use it to remember permissions, so every device has one.
    package let serial: String
    package let interfaces: [USBInterface]

    package init(
        vendor: UInt16, product: UInt16, release: UInt16, manufacturer: String, name: String, serial: String,
        interfaces: [USBInterface]
    ) {
        self.vendor = vendor
        self.product = product
        self.release = release
        self.manufacturer = manufacturer
        self.name = name
        self.serial = serial
        self.interfaces = interfaces
    }

    /// The packet size in bytes at full speed.
    package static let packetSize = 64
    /// bConfigurationValue.
    package static let configuration: UInt8 = 1

    /// Vendor and product ID as written by tools: `054c:06c3`.
    package var numbers: String { "\(Self.hex(vendor)):\(Self.hex(product))" }

    /// A number as written by Linux: all digits, in lower case.
    package static func hex<Number: FixedWidthInteger & UnsignedInteger>(_ number: Number) -> String {
        Hex.digits(number, width: Number.bitWidth / 4).lowercased()
    }
}

/// An interface of a device, without alternate settings; its number is its index in the configuration.
package struct USBInterface: Hashable, Sendable {
    /// bInterfaceClass.
    package let classCode: UInt8
    package let endpoints: [USBEndpoint]
    /// The class descriptor; empty if the class has none.
    package let classDescriptor: [UInt8]

    /// The class code for vendor-specific interfaces.
    package static let vendorClass: UInt8 = 0xFF

    package init(_ classCode: UInt8, _ endpoints: [USBEndpoint], classDescriptor: [UInt8] = []) {
        self.classCode = classCode
        self.endpoints = endpoints
        self.classDescriptor = classDescriptor
    }
}

package struct USBEndpoint: Hashable, Sendable {
    /// bmAttributes.
    package enum Kind: UInt8, Hashable, Sendable {
        case bulk = 2
        case interrupt = 3
    }

    /// bEndpointAddress: the number, with bit 7 set for data to the host.
    package let address: UInt8
    package let kind: Kind
    package let packetSize: UInt16
    /// The polling interval of an interrupt endpoint in milliseconds.
    package let interval: UInt8

    package static func bulk(_ address: UInt8) -> USBEndpoint {
        USBEndpoint(address: address, kind: .bulk, packetSize: UInt16(USBDevice.packetSize), interval: 0)
    }

    package static func interrupt(_ address: UInt8, packetSize: UInt16, interval: UInt8) -> USBEndpoint {
        USBEndpoint(address: address, kind: .interrupt, packetSize: packetSize, interval: interval)
    }

    /// Returns whether an endpoint sends data to the host.
    package static func isIn(_ address: UInt8) -> Bool { address & 0x80 != 0 }
}

extension USBDevice {
    private enum DescriptorType {
        static let device: UInt8 = 1
        static let configuration: UInt8 = 2
        static let string: UInt8 = 3
        static let interface: UInt8 = 4
        static let endpoint: UInt8 = 5
    }

    private var strings: [String] { [manufacturer, name, serial] }

    /// The device descriptor, 18 bytes.
    package var deviceDescriptor: [UInt8] {
        [18, DescriptorType.device, 0x00, 0x02, 0, 0, 0, UInt8(Self.packetSize)] + vendor.littleEndianBytes
            + product.littleEndianBytes + release.littleEndianBytes + [1, 2, 3, 1]
    }

    /// The configuration descriptor, including its interface and endpoint descriptors.
    package var configurationDescriptor: [UInt8] {
        let rest = interfaces.indices.flatMap { interfaceDescriptor(UInt8($0)) }
        let length = UInt16(9 + rest.count)
        // Powered by the bus, 500 mA.
        return [9, DescriptorType.configuration] + length.littleEndianBytes
            + [UInt8(interfaces.count), Self.configuration, 0, 0x80, 0xFA] + rest
    }

    private func interfaceDescriptor(_ number: UInt8) -> [UInt8] {
        let interface = interfaces[Int(number)]
        let head: [UInt8] = [9, DescriptorType.interface, number, 0, UInt8(interface.endpoints.count)]
        return head + [interface.classCode, 0, 0, 0] + interface.classDescriptor
            + interface.endpoints.flatMap(Self.descriptor)
    }

    /// Both descriptors, as in the device's node.
    package var descriptors: [UInt8] { deviceDescriptor + configurationDescriptor }

    private static func descriptor(_ endpoint: USBEndpoint) -> [UInt8] {
        [7, DescriptorType.endpoint, endpoint.address, endpoint.kind.rawValue]
            + endpoint.packetSize.littleEndianBytes + [endpoint.interval]
    }

    /// The answer to a request for data on endpoint 0; `nil` for a stall, the answer to everything except standard requests.
    package func answer(to setup: USBSetup) -> [UInt8]? {
        guard setup.requestType == USBSetup.standardIn else { return nil }
        let answer: [UInt8]? =
            switch setup.request {
            case .getDescriptor: descriptor(UInt8(setup.value >> 8), UInt8(truncatingIfNeeded: setup.value))
            case .getStatus: [0, 0]
            case .getConfiguration: [Self.configuration]
            default: nil
            }
        return answer.map { Array($0.prefix(Int(setup.length))) }
    }

    private func descriptor(_ type: UInt8, _ index: UInt8) -> [UInt8]? {
        switch (type, index) {
        case (DescriptorType.device, 0): return deviceDescriptor
        case (DescriptorType.configuration, 0): return configurationDescriptor
        // English is the only language.
        case (DescriptorType.string, 0): return [4, DescriptorType.string, 0x09, 0x04]
        case (DescriptorType.string, _):
            guard strings.indices.contains(Int(index) - 1) else { return nil }
            let text = strings[Int(index) - 1].utf16.flatMap(\.littleEndianBytes)
            return [UInt8(text.count + 2), DescriptorType.string] + text
        default: return nil
        }
    }
}

/// A setup packet: bmRequestType, bRequest, wValue, wIndex, wLength; numbers are little-endian.
///
/// Source: USB 2.0 specification, section 9.3, "USB device requests".
package struct USBSetup: Hashable, Sendable {
    package struct Request: OpenCode {
        package let rawValue: UInt8
        package init(_ rawValue: UInt8) { self.rawValue = rawValue }

        package static let getStatus = Request(0)
        package static let getDescriptor = Request(6)
        package static let getConfiguration = Request(8)
    }

    package let requestType: UInt8
    package let request: Request
    package let value: UInt16
    package let length: UInt16

    package static let byteCount = 8
    /// A standard request for data from the device.
    package static let standardIn: UInt8 = 0x80

    /// Returns `nil` for fewer than eight bytes; further bytes are ignored.
    package init?(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes.prefix(Self.byteCount))
        guard bytes.count == Self.byteCount else { return nil }
        let span = bytes.span
        requestType = bytes[0]
        request = Request(bytes[1])
        value = span.littleEndian16(at: 2)
        length = span.littleEndian16(at: 6)
    }
}
