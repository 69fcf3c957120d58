import TapField

/// A reader as its host sees it over a stream of bytes, without input or output.
///
/// Bytes of the host go in, in any cut; actions come out, one after another.
package protocol StreamReader: Sendable {
    /// Whether a command stays open until cards come, its time is over, or the host sends more.
    var isOpen: Bool { get }

    /// Takes bytes of the host.
    mutating func receive(_ bytes: ArraySlice<UInt8>)

    /// The next action; `nil` until more bytes arrive.
    mutating func next() -> StreamAction?

    /// Carries out the command that ``StreamAction/work`` is for.
    mutating func work(in world: inout World)

    /// Cards have arrived or left.
    mutating func lookAgain()

    /// The time of ``StreamAction/wait(upTo:)`` has passed.
    mutating func giveUp()
}

extension StreamReader {
    package var isOpen: Bool { false }
    package mutating func lookAgain() {}
    package mutating func giveUp() {}
}

/// An action of a ``StreamReader``.
package enum StreamAction: Hashable, Sendable {
    /// Send bytes to the host.
    case send([UInt8])
    /// Call ``StreamReader/work(in:)``.
    case work
    /// Wait for the host or for cards, at most this long; `nil` for no limit.
    case wait(upTo: Duration?)
    /// End the connection: what comes over it makes no sense any more.
    case hangUp
}
