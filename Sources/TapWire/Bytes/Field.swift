/// A field of a record: its name, its position, its value type and its privacy.
///
/// A record declares each field once. ``BlockRecord`` reads and sets the field under its declared name, descriptions print
/// it, and recordings for others show what its privacy allows.
public struct Field<Value: Sendable>: Sendable {
    package let name: String
    let place: BitField
    let privacy: FieldPrivacy
    let read: @Sendable (UInt64) -> Value
    let write: @Sendable (Value) -> UInt64
    let text: @Sendable (Value) -> String
}

extension Field where Value: FixedWidthInteger & UnsignedInteger {
    /// Creates a numeric field; excess bits of a number are dropped.
    init(_ name: String, _ place: BitField, unit: String = "", privacy: FieldPrivacy = .masked) {
        self.init(
            name: name, place: place, privacy: privacy, read: { Value(truncatingIfNeeded: $0) },
            write: { UInt64(truncatingIfNeeded: $0) }, text: { unit.isEmpty ? "\($0)" : "\($0) \(unit)" })
    }

    /// Creates a field of bytes with an unknown meaning, printed in hexadecimal.
    init(raw name: String, _ place: BitField, privacy: FieldPrivacy = .masked) {
        self.init(
            name: name, place: place, privacy: privacy, read: { Value(truncatingIfNeeded: $0) },
            write: { UInt64(truncatingIfNeeded: $0) }, text: { Hex.digits($0, width: place.bits.count / 4) })
    }
}

extension Field where Value: OpenCode {
    init(_ name: String, _ place: BitField, privacy: FieldPrivacy = .masked) {
        self.init(
            name: name, place: place, privacy: privacy, read: { Value(Value.Bits(truncatingIfNeeded: $0)) },
            write: { UInt64(truncatingIfNeeded: $0.rawValue) }, text: { "\($0)" })
    }
}

extension Field where Value: MomentCode {
    /// Creates a field for a date or time.
    init(_ name: String, _ place: BitField) {
        self.init(name, place, privacy: .moment(Value.self))
    }
}

extension Field<Bool> {
    init(_ name: String, _ place: BitField, privacy: FieldPrivacy = .masked) {
        self.init(
            name: name, place: place, privacy: privacy, read: { $0 != 0 }, write: { $0 ? 1 : 0 },
            text: { $0 ? "yes" : "no" })
    }
}

/// A number with a meaning: known values have names, unknown values are kept.
public protocol OpenCode: Hashable, Sendable {
    associatedtype Bits: FixedWidthInteger & UnsignedInteger
    var rawValue: Bits { get }
    init(_ rawValue: Bits)
}

extension OpenCode where Self: CustomStringConvertible {
    /// All digits in hexadecimal.
    public var description: String { Hex.digits(rawValue, width: Bits.bitWidth / 4) }
}

/// Bits of a record that form one value for privacy.
package struct RecordPiece: Sendable {
    let place: BitField
    package let privacy: FieldPrivacy

    init(_ place: BitField, _ privacy: FieldPrivacy) {
        self.place = place
        self.privacy = privacy
    }
}

/// A line of the description of a record.
package protocol RecordField: Sendable {
    var name: String { get }
    func text(in storage: some BlockStorage) -> String
    func pieces(in storage: some BlockStorage) -> [RecordPiece]
}

extension Field: RecordField {
    package func text(in storage: some BlockStorage) -> String { text(storage[self]) }
    package func pieces(in _: some BlockStorage) -> [RecordPiece] { [RecordPiece(place, privacy)] }
}

/// Several fields of a record that descriptions print on one line.
struct JointField<Record: BlockRecord>: RecordField {
    let name: String
    let text: @Sendable (Record) -> String
    let pieces: @Sendable (Record) -> [RecordPiece]

    /// Creates a field whose pieces may depend on the rest of the record.
    init(
        _ name: String, pieces: @escaping @Sendable (Record) -> [RecordPiece],
        text: @escaping @Sendable (Record) -> String
    ) {
        self.name = name
        self.text = text
        self.pieces = pieces
    }

    /// Creates a field from others, by default printed one after another.
    init(_ name: String, _ fields: [any RecordField], text: (@Sendable (Record) -> String)? = nil) {
        self.init(name) { record in
            fields.flatMap { $0.pieces(in: record.stored) }
        } text: { record in
            text?(record) ?? fields.map { $0.text(in: record.stored) }.joined(separator: " ")
        }
    }

    func text(in storage: some BlockStorage) -> String { text(Record(copying: storage)) }
    func pieces(in storage: some BlockStorage) -> [RecordPiece] { pieces(Record(copying: storage)) }
}

extension BlockRecord {
    fileprivate init(copying storage: some BlockStorage) {
        var stored = Storage.zero
        for index in 0..<Storage.byteCount { stored[index] = storage[index] }
        self.init(stored)
    }
}

package protocol RecordFields {
    /// The fields with a known meaning, in the order of descriptions.
    var listed: [any RecordField] { get }
}

extension BlockStorage {
    /// The bytes of a piece, the number's high byte first.
    package subscript(piece: RecordPiece) -> [UInt8] {
        get { piece.place.bytes(in: self) }
        set { piece.place.store(newValue, in: &self) }
    }

    /// The number in a range of bits; excess bits are dropped.
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
    /// - Throws: ``WireError`` with the field's name and its maximum.
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
