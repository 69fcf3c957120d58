import Foundation

/// The text of a message, in which each value may state its privacy and format.
///
/// A value marked `.private` or `.sensitive` is written as `<private>`. A value without a mark is written out, as when an app
/// runs under Xcode: here only the developer reads the log.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    let text: String

    public init(stringLiteral value: String) {
        text = value
    }

    public init(stringInterpolation: Interpolation) {
        text = stringInterpolation.text
    }

    /// Collects the parts of a message.
    public struct Interpolation: StringInterpolationProtocol, Sendable {
        var text = ""

        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity)
        }

        public mutating func appendLiteral(_ literal: String) {
            text += literal
        }

        /// Appends a value's description.
        public mutating func appendInterpolation(
            _ value: @autoclosure () -> some CustomStringConvertible, align: OSLogStringAlignment = .none,
            privacy: OSLogPrivacy = .auto
        ) {
            text += align.pad(privacy.show(value().description))
        }

        public mutating func appendInterpolation(
            _ number: @autoclosure () -> some FixedWidthInteger, format: OSLogIntegerFormatting = .decimal,
            align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
        ) {
            text += align.pad(privacy.show(format.write(number())))
        }

        public mutating func appendInterpolation(
            _ number: @autoclosure () -> Double, format: OSLogFloatFormatting = .fixed,
            align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
        ) {
            text += align.pad(privacy.show(format.write(number())))
        }

        public mutating func appendInterpolation(
            _ number: @autoclosure () -> Float, format: OSLogFloatFormatting = .fixed,
            align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
        ) {
            text += align.pad(privacy.show(format.write(Double(number()))))
        }

        /// Appends an error's description.
        public mutating func appendInterpolation(
            _ error: @autoclosure () -> any Error, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
        ) {
            text += align.pad(privacy.show("\(error())"))
        }

        public mutating func appendInterpolation(_ type: @autoclosure () -> Any.Type, privacy: OSLogPrivacy = .auto) {
            text += privacy.show("\(type())")
        }
    }
}
