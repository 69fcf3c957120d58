/// Something under way that can be ended.
public protocol Cancellable {
    /// Ends it and lets go of what it holds; further calls do nothing.
    func cancel()
}

extension Cancellable {
    /// Keeps this until the set is emptied or goes.
    public func store(in set: inout Set<AnyCancellable>) {
        set.insert(AnyCancellable(self))
    }

    /// Keeps this until the collection is emptied or goes.
    public func store<Kept: RangeReplaceableCollection>(in collection: inout Kept)
    where Kept.Element == AnyCancellable {
        collection.append(AnyCancellable(self))
    }
}
