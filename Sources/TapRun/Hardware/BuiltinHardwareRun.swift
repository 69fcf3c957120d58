import TapPCSC
import TapScenario
import TapWire

extension CaseRun {
    /// How long a built-in client waits for somebody to hold a card to the reader.
    static let patienceForCard = Duration.seconds(30)

    /// Lets a built-in client read real cards on a real reader.
    ///
    /// - Throws: ``RunError`` if there is no PC/SC service, no such reader, or no card comes.
    func run(
        _ client: BuiltinClient, _ scenarioCase: ScenarioCase, on reader: String
    ) async throws(RunError) -> RunRecord {
        let patience = min(Self.patienceForCard, scenarioCase.limits.wall)
        let link: PCSCLink
        do {
            link = try PCSCLink.open(reader, try Self.library())
            guard try link.awaitCard(timeout: patience) else {
                let time = CountText.of(Int(patience.components.seconds), "second")
                throw LinkError(.closed, "no card came to \(link.readerName) within \(time); lay one on it")
            }
        } catch let error as LinkError {
            throw RunError(.environment, error.description)
        } catch {
            throw RunError(.environment, "\(error)")
        }
        return await run(client, over: ObservedLink(link, into: emptyWorld(of: scenarioCase)))
    }

    private static func library() throws(LinkError) -> PCSCLibrary {
        do { return try PCSCLibrary() } catch { throw LinkError(.closed, error.description) }
    }
}
