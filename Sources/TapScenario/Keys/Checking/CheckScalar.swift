extension Checker {
    /// Checks a scalar with the rule that decoding will use.
    mutating func check(_ scalar: Scalar, _ rule: any ScalarRule, _ subject: String) {
        guard rule.isVerbatim || checkReferences(in: scalar, subject) else { return }
        do {
            _ = try rule.parse(scalar.text)
        } catch {
            return report(error, in: scalar, subject)
        }
        if let doubt = rule.doubt(about: scalar.text) { report(doubt, in: scalar, subject) }
        if rule.needsQuotes, scalar.form == .plain, let noun = ForeignReading(of: scalar.text).noun {
            report(
                Diagnostic(
                    .readDifferently, "other YAML readers take `\(scalar.text)` for \(noun)", at: scalar,
                    hint: "write \"\(scalar.text)\""))
        }
    }

    private mutating func report(_ problem: ScalarProblem, in scalar: Scalar, _ subject: String) {
        // A word says itself what it looks like, among those there are.
        let advice = problem.code == .unknownWord ? nil : LookAlike.advice(on: scalar.text)
        report(
            Diagnostic(
                problem.code, "\(subject) \(problem.message)", at: scalar, part: problem.part,
                hint: advice ?? problem.hint))
    }

    /// Whether the scalar holds no `${` of its own.
    private mutating func checkReferences(in scalar: Scalar, _ subject: String) -> Bool {
        guard scalar.definition == nil, let part = ParameterReference.firstMark(in: scalar.text) else { return true }
        if ParameterReference(scalar.text) != nil {
            report(
                Diagnostic(
                    .misplacedReference, "\(subject) is not filled in here", at: scalar,
                    hint: "parameters have no place here; write the value"))
        } else {
            report(
                Diagnostic(
                    .misplacedReference, "`${` stands inside \(subject)", at: scalar, part: part,
                    hint: "a parameter fills a whole value: \"${params.name}\""))
        }
        return false
    }
}
