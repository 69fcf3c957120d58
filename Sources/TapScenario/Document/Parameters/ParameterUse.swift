/// Which parameters a scenario defines and which it uses.
enum ParameterUse {
    /// Names of the parameters that a map refers to beside its own `params`; a name may come several times.
    static func names(in map: NodeMap) -> [String] {
        map.entries.filter { $0.key.text != "params" }.flatMap(\.value.parameterNames)
    }

    /// Names that a file or one of its cases defines or uses, each once.
    static func allNames(in root: NodeMap) -> [String] {
        var names: [String] = []
        for name in definitions(of: root).map(\.text) + used(in: root) where !names.contains(name) {
            names.append(name)
        }
        return names
    }

    /// Whether the values of the parameters leave a document within the bounds of a file; if not, it is reported.
    static func fits(
        _ names: [String], _ parameters: Parameters, in root: NodeMap, into diagnostics: inout Diagnostics
    ) -> Bool {
        var sizes: [String: Int] = [:]
        var total = 0
        for name in names {
            let size = sizes[name] ?? parameters.size(of: name)
            sizes[name] = size
            total += size
        }
        let most = DocumentLimits.scenario.maximumNodes
        guard total > most else { return true }
        diagnostics.report(
            Diagnostic(
                .limitExceeded, "the parameters fill in too many values", at: root["params"] ?? .map(root),
                hint: "they fill in at most \(most)"))
        return false
    }

    /// Warns of parameters that a file defines and neither it nor what it is put together from uses.
    ///
    /// - Parameter file: The file; what others define may be for other scenarios.
    static func checkDefinitions(of root: NodeMap, in file: String, into diagnostics: inout Diagnostics) {
        let used = Set(used(in: root))
        for name in definitions(of: root) where !used.contains(name.text) && name.range?.file.name == file {
            diagnostics.report(
                Diagnostic(
                    .unusedParameter, "nothing uses the parameter `\(name.text)`", at: name,
                    hint: "write \"${params.\(name.text)}\" where its value is meant to go, or remove it"))
        }
    }

    private static func used(in root: NodeMap) -> [String] {
        names(in: root.removing(["cases"])) + maps(of: root["cases"]).flatMap(names)
    }

    private static func definitions(of root: NodeMap) -> [Scalar] {
        let maps = [root] + maps(of: root["cases"])
        return maps.flatMap { $0["params"]?.entries ?? [] }.map(\.key).filter {
            !$0.text.hasPrefix(KeyTable.freePrefix)
        }
    }

    private static func maps(of cases: Node?) -> [NodeMap] {
        (cases?.items ?? []).compactMap { item in
            guard case .map(let map) = item else { return nil }
            return map
        }
    }
}
