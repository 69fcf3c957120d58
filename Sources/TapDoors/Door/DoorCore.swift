import TapWire

/// The protocol a foreign client speaks through a door, without any input or output.
///
/// Bytes go in by ``receive(_:)``; ``next()`` says what to do about them until there is nothing left; the result of an
/// exchange comes back by ``finish(_:)``.
public protocol DoorCore: Sendable {
    /// Takes bytes from the client: one datagram, or what a stream gave.
    mutating func receive(_ bytes: [UInt8])

    /// What is to be done next, or nothing until more bytes come or an exchange is finished.
    mutating func next() -> DoorAction?

    /// Takes the answer to the exchange asked for last, or nothing for silence.
    mutating func finish(_ answer: AirFrame?)
}

/// What a door core wants done.
public enum DoorAction: Hashable, Sendable {
    /// Send a frame into the field and finish with what comes back.
    case exchange(AirFrame)
    /// Switch the field.
    case switchField(on: Bool)
    /// Send bytes to the client.
    case send([UInt8])
}
