import TapScenario

extension VirtualCard {
    /// A FeliCa Standard card with systems of your own.
    ///
    /// ```swift
    /// .feliCa(systems: ["0003": ["services": ["090F": 20, "008B": ["00 00 00 00 00 00 00 00 00 00 0A 00 00 00 00 01"]]]])
    /// ```
    ///
    /// - Parameters:
    ///   - systems: The systems by code, system 0 first, each as a file has it under `systems`: services by code with
    ///     the number of their blocks or the blocks themselves, areas, keys.
    ///   - idm: IDm of system 0, eight bytes in hexadecimal; drawn from the seed without it.
    ///   - pmm: PMm, eight bytes in hexadecimal; that of the IC without it.
    ///   - ic: The IC, by a name of the catalogue.
    public static func feliCa(
        systems: Node, idm: String? = nil, pmm: String? = nil, ic: String = "RC-S962"
    ) -> VirtualCard {
        VirtualCard(
            ic, .map(["idm": idm.map(Node.text), "pmm": pmm.map(Node.text), "systems": systems]), name: "felica")
    }
}
