/// The keys of `taps`.
enum TapsLanguage {
    private static let count = Shape.integer(1...VisitPlan.maximumCount)

    static let shape = Shape.variants([count, .map(table)])

    private static let table = KeyTable(
        "a plan of visits",
        [
            Key("count", count, "How many visits.", isRequired: true, synonyms: ["n", "times", "visits"]),
            Key("gap", .duration, "The time without cards between two visits; 500ms without it.", synonyms: ["after"]),
            Key(
                "done", ClientOutputLanguage.ready, "A piece of a line the client prints when it is done with a card.",
                synonyms: ["until"]),
            Key(
                "quiet", .duration,
                "Without such a line, how long the client does nothing until a visit is over; 1s without it.",
                synonyms: ["idle"]),
        ])

    static func decode(_ value: ValueReader) -> VisitPlan {
        guard value.kind == .map else { return VisitPlan(value.integer) }
        let map = value.map
        var plan = VisitPlan(map.required("count").integer)
        plan.gap = map["gap"]?.duration ?? plan.gap
        plan.quiet = map["quiet"]?.duration ?? plan.quiet
        plan.done = map["done"]?.read(LinePatternRule.self)
        return plan
    }
}
