/// A field of a record: what it is called, where it lies, and the type of its value.
///
/// A record declares each of its fields once; ``BlockRecord`` reads and sets it under the name of its declaration, and
/// descriptions tell it.
public struct Field<Value: Sendable>: Sendable {
    package let name: String
    let place: BitField
    let read: @Sendable (UInt64) -> Value
    let write: @Sendable (Value) -> UInt64
    let text: @Sendable (Value) -> String
}

extension Field where Value: FixedWidthInteger & UnsignedInteger {
    /// A number; what exceeds the field is cut off.
    init(_ name: String, _ place: BitField, unit: String = "") {
        self.init(
            name: name, place: place, read: { Value(truncatingIfNeeded: $0) },
            write: { UInt64(truncatingIfNeeded: $0) }, text: { unit.isEmpty ? "\($0)" : "\($0) \(unit)" })
    }

    /// Bytes whose meaning is unknown, told in hexadecimal.
    init(raw name: String, _ place: BitField) {
        self.init(
            name: name, place: place, read: { Value(truncatingIfNeeded: $0) },
            write: { UInt64(truncatingIfNeeded: $0) }, text: { Hex.digits($0, width: place.bits.count / 4) })
    }
}

extension Field where Value: OpenCode {
    init(_ name: String, _ place: BitField) {
        self.init(
            name: name, place: place, read: { Value(Value.Bits(truncatingIfNeeded: $0)) },
            write: { UInt64(truncatingIfNeeded: $0.rawValue) }, text: { "\($0)" })
    }
}

extension Field<Bool> {
    init(_ name: String, _ place: BitField) {
        self.init(name: name, place: place, read: { $0 != 0 }, write: { $0 ? 1 : 0 }, text: { $0 ? "yes" : "no" })
    }
}

/// A number that stands for something: known values have names, any other is kept.
public protocol OpenCode: Hashable, Sendable {
    associatedtype Bits: FixedWidthInteger & UnsignedInteger
    var rawValue: Bits { get }
    init(_ rawValue: Bits)
}

extension OpenCode where Self: CustomStringConvertible {
    /// All hexadecimal digits.
    public var description: String { Hex.digits(rawValue, width: Bits.bitWidth / 4) }
}

package protocol RecordField: Sendable {
    var name: String { get }
    /// The value in words.
    func text(in storage: some BlockStorage) -> String
}

extension Field: RecordField {
    package func text(in storage: some BlockStorage) -> String { text(storage[self]) }
}

/// The fields of a record, of which some tell what it says.
package protocol RecordFields {
    /// The fields that descriptions tell, in their order.
    var told: [any RecordField] { get }
}

extension BlockStorage {
    /// The number in some bits; what exceeds them is cut off.
    subscript<Value: FixedWidthInteger & UnsignedInteger>(place: BitField) -> Value {
        get { Value(truncatingIfNeeded: place.value(in: self)) }
        set { place.store(UInt64(truncatingIfNeeded: newValue), in: &self) }
    }

    subscript<Value>(field: Field<Value>) -> Value {
        get { field.read(field.place.value(in: self)) }
        set { field.place.store(field.write(newValue), in: &self) }
    }

    /// Stores a number that may be too large for its field.
    ///
    /// - Throws: ``WireError`` naming the field and what it holds at most.
    mutating func store<Value: FixedWidthInteger & UnsignedInteger>(
        _ value: Value, in field: Field<Value>
    ) throws(WireError) {
        guard value <= field.place.maximum else {
            throw WireError(
                .wrongValue, at: field.place.bits.lowerBound / 8, in: field.name,
                "\(value) is more than \(field.place.maximum)")
        }
        self[field] = value
    }
}
