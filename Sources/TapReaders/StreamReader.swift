import TapField

/// A reader as its host sees it over a byte stream, without input or output.
///
/// Bytes from the host go in, in pieces of any size; actions come out one by one.
package protocol StreamReader: Sendable {
    /// A Boolean value that indicates whether a command stays open until cards arrive, its time is over, or the host sends
    /// more.
    var isOpen: Bool { get }

    mutating func receive(_ bytes: ArraySlice<UInt8>)

    /// Returns the next action; `nil` until more bytes arrive.
    mutating func next() -> StreamAction?

    /// Carries out the command announced by ``StreamAction/work``.
    mutating func work(in world: inout World)

    /// Notifies the reader that cards have arrived or left.
    mutating func rescan()

    /// Notifies the reader that the time of ``StreamAction/wait(upTo:)`` has passed.
    mutating func giveUp()
}

extension StreamReader {
    package var isOpen: Bool { false }
    package mutating func rescan() {}
    package mutating func giveUp() {}
}

package enum StreamAction: Hashable, Sendable {
    /// Send bytes to the host.
    case send([UInt8])
    /// Call ``StreamReader/work(in:)``.
    case work
    /// Wait for the host or for cards, at most this long; `nil` for no limit.
    case wait(upTo: Duration?)
    /// End the connection, because its data is no longer intelligible.
    case hangUp
}
