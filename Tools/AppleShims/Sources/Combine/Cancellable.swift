/// An activity that can be ended.
public protocol Cancellable {
    /// Ends the activity and releases its resources; further calls do nothing.
    func cancel()
}

extension Cancellable {
    /// Keeps the cancellable until the set is emptied or deallocated.
    public func store(in set: inout Set<AnyCancellable>) {
        set.insert(AnyCancellable(self))
    }

    /// Keeps the cancellable until the collection is emptied or deallocated.
    public func store<Kept: RangeReplaceableCollection>(in collection: inout Kept)
    where Kept.Element == AnyCancellable {
        collection.append(AnyCancellable(self))
    }
}
