/// What the blocks of a known service hold: one record in each, or one in two.
package enum RecordKind: Hashable, Sendable {
    /// ``TransitHistoryRecord``
    case transitHistory
    /// ``TransitBalance``
    case transitBalance
    /// ``TransitGateRecord``
    case transitGate
    /// ``TransitEntry``, two blocks.
    case transitEntry
    /// ``SapicaPoints``
    case sapicaPoints
    /// ``RyutoHistoryRecord``
    case ryutoHistory
    /// ``OctopusBalance``
    case octopusBalance
    /// ``PurseBlock``
    case purse
    /// ``CardNumberBlock``
    case cardNumber
    /// ``EdyIdentification``
    case edyIdentification
    /// ``EdyHistoryRecord``
    case edyHistory
    /// ``NanacoPoints``
    case nanacoPoints
    /// ``NanacoHistoryRecord``
    case nanacoHistory
    /// ``WAONPoints``
    case waonPoints
    /// ``WAONHistoryRecord``, two blocks.
    case waonHistory

    /// What a block of a service holds; `nil` where no record is known there.
    package init?(of service: NodeCode, blockNumber: UInt16) {
        switch service {
        case TransitServices.history.code, TransitServices.historyWithKey.code, OkicaServices.history.code:
            self = .transitHistory
        case TransitServices.balance.code, TransitServices.balanceWithKey.code: self = .transitBalance
        case TransitServices.gates.code, TransitServices.gatesWithKey.code, OkicaServices.gates.code:
            self = .transitGate
        case TransitServices.entry.code, TransitServices.entryWithKey.code, OkicaServices.entry.code:
            self = .transitEntry
        case EdyServices.identification.code where blockNumber == 0: self = .edyIdentification
        case EdyServices.balance.code, NanacoServices.balance.code, WAONServices.balance.code: self = .purse
        case EdyServices.history.code: self = .edyHistory
        case NanacoServices.identification.code, WAONServices.identification.code: self = .cardNumber
        case NanacoServices.points.code where blockNumber == NanacoPoints.blockNumber: self = .nanacoPoints
        case NanacoServices.history.code: self = .nanacoHistory
        case WAONServices.points.code: self = .waonPoints
        case WAONServices.history.code: self = .waonHistory
        case SapicaServices.points.code: self = .sapicaPoints
        case RyutoServices.history.code: self = .ryutoHistory
        case OctopusServices.balance.code: self = .octopusBalance
        default:
            guard service.attribute.kind == .purse else { return nil }
            self = .purse
        }
    }
}
