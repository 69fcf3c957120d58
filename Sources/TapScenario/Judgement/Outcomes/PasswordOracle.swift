import TapCards
import TapField
import TapWire

/// Looks for passwords that are tried one after the other.
///
/// A password is wrong if it is that of no tag of the run, whatever the answer: a fault that refuses the right one is
/// no guess of the client, and the right one may be sent as often as it takes.
struct PasswordOracle {
    /// So many wrong passwords are a guess; a single one may be an old one.
    private static let tolerated = 1

    private let facts: RunFacts

    init(_ facts: RunFacts) {
        self.facts = facts
    }

    var misdeeds: [Misdeed] {
        let right = facts.world.cards.compactMap { slot -> [UInt8]? in
            guard let tag = slot.original as? NTAGCard, tag.template.definition.isPasswordKnown else { return nil }
            return tag[page: tag.template.definition.product.layout.passwordPage].bytes
        }
        let tried = facts.items.compactMap { item in
            item.command.password.map { (number: item.number, password: $0) }
        }
        let wrong = tried.filter { !right.contains($0.password) }
        guard let last = wrong.last else { return [] }
        let distinct = Set(tried.map(\.password)).count
        guard wrong.count > Self.tolerated || distinct > 1 else { return [] }
        let passwords = CountText.of(distinct, "password")
        return [
            Misdeed(
                .safety, .passwordGuessing, key: "wrong passwords", amount: wrong.count, at: last.number,
                "it tried \(passwords) in \(CountText.of(tried.count, "PWD_AUTH")), "
                    + "\(wrong.count) of them wrong; AUTHLIM wrong ones in a row lock a tag for ever")
        ]
    }
}
