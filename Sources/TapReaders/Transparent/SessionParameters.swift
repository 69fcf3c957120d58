import TapWire

/// Parameters of a transparent session.
extension TransparentSession {
    /// The parameters there are and their values at the beginning: frame sizes, waiting time, bit rates, modulation
    /// index, PCB and CID, one byte each.
    ///
    /// Source: PC/SC part 3, supplement for contactless cards, "get parameters".
    private static let defaults: [UInt8: [UInt8]] = [
        0x01: [0x08], 0x02: [0x08], 0x03: [0x04], 0x04: [0x02], 0x05: [0x00], 0x06: [0x00], 0x07: [0x0A],
        0x08: [0x00],
    ]

    /// The values of the parameters an object asks for.
    func parameters(askedBy object: SessionObject) throws(ObjectFailure) -> SessionObject {
        var values: [UInt8] = []
        for parameter in try Self.list(object) {
            guard let number = UInt8(exactly: parameter.tag.rawValue),
                let value = parameters[number] ?? Self.defaults[number]
            else { throw ObjectFailure(status: .notSupported) }
            values += SessionObject(parameter.tag, value).bytes
        }
        return SessionObject(.getParameters, values)
    }

    /// Takes the values of an object; none of them changes what goes on air.
    mutating func setParameters(_ object: SessionObject) throws(ObjectFailure) {
        for parameter in try Self.list(object) {
            guard let number = UInt8(exactly: parameter.tag.rawValue), Self.defaults[number] != nil
            else { throw ObjectFailure(status: .notSupported) }
            guard parameter.value.count == 1 else { throw ObjectFailure(status: .wrongLength) }
            parameters[number] = parameter.value
        }
    }

    private static func list(_ object: SessionObject) throws(ObjectFailure) -> [SessionObject] {
        let (objects, broken) = SessionObject.list(object.value)
        guard broken.isEmpty, 1...maximumObjects ~= objects.count else { throw ObjectFailure(status: .wrongLength) }
        return objects
    }
}
