@_exported import Foundation

extension String {
    /// The key of a localized text, with its interpolated values.
    ///
    /// In the key, each value is a format specifier: `%lld` for an integer, `%lf` for a floating-point number and `%@` for
    /// anything else. Source: Foundation, String.LocalizationValue.
    public struct LocalizationValue: ExpressibleByStringInterpolation {
        public struct StringInterpolation: StringInterpolationProtocol {
            fileprivate var key = ""
            fileprivate var arguments: [any CVarArg] = []

            public init(literalCapacity: Int, interpolationCount: Int) {}

            public mutating func appendLiteral(_ literal: String) {
                key += literal.replacingOccurrences(of: "%", with: "%%")
            }

            public mutating func appendInterpolation(_ value: some FixedWidthInteger) {
                add("%lld", Int64(truncatingIfNeeded: value))
            }

            public mutating func appendInterpolation(_ value: some BinaryFloatingPoint) {
                add("%lf", Double(value))
            }

            public mutating func appendInterpolation<Value>(_ value: Value) {
                add("%@", "\(value)")
            }

            private mutating func add(_ specifier: String, _ argument: any CVarArg) {
                key += specifier
                arguments.append(argument)
            }
        }

        fileprivate let key: String
        /// `nil` for a text without interpolations, which is not a format.
        fileprivate let arguments: [any CVarArg]?

        public init(_ value: String) {
            key = value
            arguments = nil
        }

        public init(stringLiteral value: String) {
            self.init(value)
        }

        public init(stringInterpolation: StringInterpolation) {
            key = stringInterpolation.key
            arguments = stringInterpolation.arguments
        }

        fileprivate func text(_ format: String, _ locale: Locale) -> String {
            guard let arguments else { return format }
            return String(format: format, locale: locale, arguments: arguments)
        }
    }

    /// Creates a text from the table of a bundle, or from its key if the table does not contain it.
    public init(
        localized keyAndValue: LocalizationValue, table: String? = nil, bundle: Bundle? = nil,
        locale: Locale = .current, comment: StaticString? = nil
    ) {
        let format = (bundle ?? .main).localizedString(forKey: keyAndValue.key, value: nil, table: table)
        self = keyAndValue.text(format, locale)
    }

    /// Creates a text from the table of a bundle, or from the default value if the table does not contain it.
    public init(
        localized key: StaticString, defaultValue: LocalizationValue, table: String? = nil, bundle: Bundle? = nil,
        locale: Locale = .current, comment: StaticString? = nil
    ) {
        let format = (bundle ?? .main).localizedString(forKey: "\(key)", value: defaultValue.key, table: table)
        self = defaultValue.text(format, locale)
    }
}
