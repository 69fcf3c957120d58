import SwiftUI
import Testing

/// The names visible to a file that imports only SwiftUI and has no view, as many models of cards do.
@MainActor
@Suite struct `A model that imports SwiftUI` {
    @Test func `publishes its changes, also in an animation`() {
        let model = CardModel()
        var balances: [Int] = []
        let watch = model.$balance.sink { balances.append($0) }
        withAnimation(.easeInOut) { model.balance = 3120 }
        #expect(balances == [0, 3120])
        #expect(model.color == .green)
        watch.cancel()
    }

    @Test func `is observable by the macro that comes with it`() async {
        let model = WatchedModel()
        await confirmation { changed in
            withObservationTracking {
                _ = model.balance
            } onChange: {
                changed()
            }
            withAnimation { model.balance = 1 }
        }
    }

    @Test func `has what UIKit has`() {
        #expect(UIDevice.current.model == "iPhone")
    }
}

private final class CardModel: ObservableObject {
    @Published var balance = 0
    var color: Color { balance > 0 ? .green : .pink }
}

@MainActor @Observable private final class WatchedModel {
    var balance = 0
}
