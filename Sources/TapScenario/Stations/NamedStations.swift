import TapDocument
import TapWire

/// The names of stations in a scenario that has a station list.
struct NamedStations {
    /// The keys for stations, in records of histories and of gates.
    private static let keys = [
        HistoryTables.from.name, HistoryTables.to.name, HistoryTables.station.name,
    ]
    /// The position of the area in the region byte of a record, in bits.
    private static let areaShift = 6

    let names: StationNames

    /// Reads the list under `settings.stations`; reports errors at the path.
    static func names(
        _ path: Node?, _ files: (any ReferencedFiles)?, into diagnostics: inout Diagnostics
    ) -> StationNames {
        guard case .scalar(let path)? = path else { return StationNames() }
        guard let files, let base = path.written?.file.name else {
            diagnostics.report(
                Diagnostic(
                    .noFiles, "cannot read `\(path.text)`: this scenario has no access to other files", at: path,
                    hint: "use `tapsim check --resolved --json` to write a self-contained scenario"))
            return StationNames()
        }
        do {
            let file = try files.open(path.text, namedIn: base, maximumBytes: StationList.maximumBytes)
            return try StationList.read(file.bytes)
        } catch let problem as ReferencedFileProblem {
            diagnostics.report(problem.diagnostic(path))
        } catch let problem as StationList.Problem {
            let line = problem.line.map { " in line \($0)" } ?? ""
            diagnostics.report(
                Diagnostic(
                    .noStationList, "`\(path.text)` is not a station list: \(problem.message)\(line)", at: path,
                    hint: problem.hint))
        } catch {
            preconditionFailure("\(error)")
        }
        return StationNames()
    }

    /// A document with station names replaced by codes; unknown names stay for the rule of the key to report.
    func coded(_ node: Node) -> Node {
        guard !names.isEmpty else { return node }
        switch node {
        case .scalar: return node
        case .list(let list): return .list(NodeList(list.items.map(coded), range: list.range))
        case .map(let map): return .map(coded(map))
        }
    }

    private func coded(_ map: NodeMap) -> NodeMap {
        var area: UInt8?
        let entries = map.entries.map { entry -> NodeMap.Entry in
            guard Self.keys.contains(entry.key.text), case .scalar(let name) = entry.value,
                StationCode(name.text) == nil, let place = names.place(named: name.text)
            else { return NodeMap.Entry(entry.key, coded(entry.value)) }
            area = area ?? place.area
            return NodeMap.Entry(entry.key, .scalar(Scalar("\(place.code)", range: name.range)))
        }
        let result = NodeMap(entries, range: map.range, under: map.under)
        // Gates have no region byte.
        let region = HistoryTables.region.name
        guard let area, area > 0, map[region] == nil, map[HistoryTables.event.name] == nil else { return result }
        let byte = Hex.digits(area << Self.areaShift, width: 2)
        return result.setting(NodeMap.Entry(Scalar(region), .text(byte)))
    }
}
