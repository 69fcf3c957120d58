import TapClient
import TapReport
import TapScenario
import TapWire

/// All electronic money found on one card.
struct MoneyFinding: ClientFinding {
    let purses: [ElectronicMoney]

    var node: Node {
        .map([
            "idm": purses.first.map { .text($0.system.idm.description) },
            "purses": .list(purses.map(\.node)),
        ])
    }

    var lines: [String] { purses.flatMap(\.lines) }
}

extension ElectronicMoney {
    fileprivate var node: Node {
        .map([
            "kind": .text(kind.rawValue), "number": number.map { .text($0.description) }, "balance": .number(balance),
            "history": .list(history.map(\.node)),
        ])
    }

    fileprivate var lines: [String] {
        let title = number.map { "\(kind.rawValue) \($0)" } ?? kind.rawValue
        let rows = history.enumerated().map { index, entry in
            [
                "\(index + 1)".leftPadded(to: 2), entry.date?.description ?? "", entry.time?.description ?? "",
                entry.kind ?? "", yenText(entry.amount).leftPadded(to: 6), "\(entry.balance)".leftPadded(to: 6),
            ]
        }
        return ["\(title)   balance \(balance) yen"] + TextTable.lines(rows)
    }
}

extension ElectronicMoney.Entry {
    fileprivate var node: Node {
        [
            "date": .text(of: date), "time": .text(of: time), "kind": .text(of: kind), "amount": .number(of: amount),
            "balance": .number(balance),
        ]
    }
}
