import TapWire

/// A parser for lists of stations: CSV files in UTF-8 with a header and one station per row.
///
/// ```
/// area,line,station,name,line_name,company
/// 0,1,204,Shibuya,Yamanote,JR
/// ```
/// The columns `area`, `line`, `station` and `name` are required, in any order, under these names or those of public lists
/// (`AreaCode`, `地区コード` …). Codes are decimal unless `(hex)` or `(16進)` follows the column name. Other columns are ignored.
public enum StationList {
    package static let maximumBytes = 4 << 20
    private static let maximumRows = 50_000
    /// The maximum length of a stored name, in characters.
    private static let longestName = 60

    /// The reason why a list cannot be read.
    public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// The line, counted from 1, or `nil` for the whole file.
        public let line: Int?
        let message: String
        let hint: String

        init(_ message: String, at line: Int? = nil, hint: String) {
            self.line = line
            self.message = message
            self.hint = hint
        }

        public var description: String { "\(line.map { "line \($0): " } ?? "")\(message); \(hint)" }
    }

    private enum Column: CaseIterable {
        case area, line, station, name, lineName, company

        var names: [String] {
            switch self {
            case .area: ["area", "areacode", "地区コード"]
            case .line: ["line", "linecode", "線区コード"]
            case .station: ["station", "stationcode", "駅順コード", "駅コード"]
            case .name: ["name", "stationname", "駅名"]
            case .lineName: ["line_name", "linename", "線区名"]
            case .company: ["company", "companyname", "会社名"]
            }
        }

        var isNeeded: Bool { self != .lineName && self != .company }
    }

    public static func read(_ bytes: [UInt8]) throws(Problem) -> StationNames {
        guard bytes.count <= maximumBytes else {
            throw Problem("the file is larger than \(maximumBytes >> 20) MiB", hint: "specify a station list")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Problem(
                "the file is not UTF-8", hint: "convert it: iconv -f SHIFT_JIS -t UTF-8 LIST.csv > stations.csv")
        }
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard lines.count <= maximumRows else {
            throw Problem("the list has more than \(maximumRows) rows", hint: "remove unused areas")
        }
        let header = try Header(cells(lines.first?.drop { $0 == "\u{FEFF}" } ?? "", at: 1))
        var names = StationNames()
        for (index, line) in lines.enumerated().dropFirst() where line.contains(where: { !$0.isWhitespace }) {
            try header.add(cells(line, at: index + 1), at: index + 1, to: &names)
        }
        guard !names.isEmpty else { throw Problem("the list has no stations", hint: "write a row for each station") }
        return names
    }

    /// The positions of the columns and the number bases of their codes.
    private struct Header {
        private var places: [Column: (index: Int, radix: Int)] = [:]

        init(_ titles: [String]) throws(Problem) {
            for (index, title) in titles.enumerated() {
                let isHex = title.hasSuffix("(hex)") || title.hasSuffix("(16進)") || title.hasSuffix("（16進）")
                let name = title.prefix { $0 != "(" && $0 != "（" }.filter { !$0.isWhitespace }.lowercased()
                let column = Column.allCases.first { $0.names.contains(name) }
                if let column, places[column] == nil { places[column] = (index, isHex ? 16 : 10) }
            }
            let missing = Column.allCases.filter { $0.isNeeded && places[$0] == nil }.map { $0.names[0] }
            guard missing.isEmpty else {
                throw Problem(
                    "the header lacks the column \(ListText.choice(missing.map { "`\($0)`" }))", at: 1,
                    hint: "write the column names in the first line: area,line,station,name")
            }
        }

        func add(_ cells: [String], at line: Int, to names: inout StationNames) throws(Problem) {
            let area = try code(.area, in: cells, upTo: 3, at: line)
            let code = StationCode(
                UInt16(try self.code(.line, in: cells, upTo: 255, at: line)) << 8
                    | UInt16(try self.code(.station, in: cells, upTo: 255, at: line)))
            let name = text(.name, in: cells)
            // Some lists have rows for codes of unknown stations.
            guard !name.isEmpty else { return }
            let lineName = text(.lineName, in: cells)
            let longNames =
                lineName.isEmpty ? [] : ["\(lineName) \(name)", "\(text(.company, in: cells)) \(lineName) \(name)"]
            names.add(name, at: .init(area: UInt8(area), code: code), longNames: longNames)
        }

        private func text(_ column: Column, in cells: [String]) -> String {
            guard let index = places[column]?.index, index < cells.count else { return "" }
            let name = PrintableText.line(cells[index]).drop { $0.isWhitespace }.prefix(StationList.longestName)
            return String(name.reversed().drop { $0.isWhitespace }.reversed())
        }

        private func code(_ column: Column, in cells: [String], upTo most: Int, at line: Int) throws(Problem) -> Int {
            guard let place = places[column], place.index < cells.count else {
                throw Problem("the row has no `\(column.names[0])`", at: line, hint: "write all columns of the header")
            }
            let text = cells[place.index].filter { !$0.isWhitespace }
            guard let number = Int(text, radix: place.radix), (0...most).contains(number) else {
                throw Problem(
                    "`\(column.names[0])` is `\(PrintableText.line(text.prefix(20)))`", at: line,
                    hint: "expected a number from 0 to \(most)\(place.radix == 16 ? ", in hexadecimal" : "")")
            }
            return number
        }
    }

    /// The cells of a row.
    ///
    /// Removes quotes around a cell; two quotes inside it stand for one.
    private static func cells(_ line: some StringProtocol, at number: Int) throws(Problem) -> [String] {
        var cells = [""]
        var isQuoted = false
        var last: Character?
        for character in line {
            switch character {
            case "\"":
                // The second of two quotes inside a quoted cell.
                if isQuoted == false, last == "\"" { cells[cells.count - 1].append("\"") }
                isQuoted.toggle()
            case "," where !isQuoted: cells.append("")
            default: cells[cells.count - 1].append(character)
            }
            last = character
        }
        guard !isQuoted else {
            throw Problem("a quote is not closed", at: number, hint: "close the quote on the same line")
        }
        return cells
    }
}
