import TapPCSC
import TapScenario
import TapWire

extension CaseRun {
    /// How long a built-in client waits for somebody to hold a card to the reader.
    static let patienceForCard = Duration.seconds(30)

    /// Lets a built-in client read real cards on a real reader.
    ///
    /// - Throws: ``RunError`` if there is no PC/SC service or no such reader.
    func run(
        _ client: BuiltinClient, _ scenarioCase: ScenarioCase, on reader: String
    ) async throws(RunError) -> RunRecord {
        let patience = min(Self.patienceForCard, scenarioCase.limits.wall)
        var link: PCSCLink
        do throws(LinkError) {
            link = try PCSCLink.open(reader, try Self.library())
            // Without a card the client itself says that it found none.
            _ = try await link.awaitCard(timeout: patience)
        } catch {
            throw RunError(.environment, error.description)
        }
        return await run(client, over: ObservedLink(link, into: emptyWorld(of: scenarioCase)))
    }

    private static func library() throws(LinkError) -> PCSCLibrary {
        do { return try PCSCLibrary() } catch { throw LinkError(.closed, error.description) }
    }
}
