#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    #if !canImport(ObjectiveC)
        import Foundation

        // Functions of the Objective-C runtime that app code uses and that Linux lacks.

        extension NSObjectProtocol {
            /// Returns whether the object is an instance of a class or its subclass, or conforms to a protocol.
            ///
            /// Source: Objective-C runtime, isKindOfClass.
            public func isKind<Kind>(of kind: Kind.Type) -> Bool {
                self is Kind
            }
        }

        /// The ownership of an associated value.
        ///
        /// Source: Objective-C runtime, objc_AssociationPolicy.
        public enum objc_AssociationPolicy: UInt, Sendable {
            /// The object does not retain the value.
            case OBJC_ASSOCIATION_ASSIGN = 0
            case OBJC_ASSOCIATION_RETAIN_NONATOMIC = 1
            case OBJC_ASSOCIATION_COPY_NONATOMIC = 3
            case OBJC_ASSOCIATION_RETAIN = 769
            case OBJC_ASSOCIATION_COPY = 771
        }

        /// Associates a value with an object under a key; `nil` removes the association.
        ///
        /// App code stores the state of sessions in this way. The value is released by the first call after the object's
        /// deallocation. Source: Objective-C runtime, objc_setAssociatedObject.
        public func objc_setAssociatedObject(
            _ object: Any, _ key: UnsafeRawPointer, _ value: Any?, _ policy: objc_AssociationPolicy
        ) {
            let copies = policy == .OBJC_ASSOCIATION_COPY || policy == .OBJC_ASSOCIATION_COPY_NONATOMIC
            let held = copies ? (value as? any NSCopying)?.copy(with: nil) ?? value : value
            let isHeld = policy != .OBJC_ASSOCIATION_ASSIGN
            AssociatedObjects.shared.set(held, isHeld: isHeld, of: object as AnyObject, by: key)
        }

        /// Returns the value associated with an object under a key.
        ///
        /// Source: Objective-C runtime, objc_getAssociatedObject.
        public func objc_getAssociatedObject(_ object: Any, _ key: UnsafeRawPointer) -> Any? {
            AssociatedObjects.shared.value(of: object as AnyObject, by: key)
        }

        /// Removes all associations of an object.
        ///
        /// Source: Objective-C runtime, objc_removeAssociatedObjects.
        public func objc_removeAssociatedObjects(_ object: Any) {
            AssociatedObjects.shared.removeAll(of: object as AnyObject)
        }

        /// The associations of living objects.
        private final class AssociatedObjects: @unchecked Sendable {
            static let shared = AssociatedObjects()

            /// A value, or an object that is not retained.
            private struct Value {
                let held: Any?
                weak var unheld: AnyObject?
            }

            /// The values of an object.
            private struct Entry {
                weak var object: AnyObject?
                var values: [UnsafeRawPointer: Value] = [:]
            }

            private let lock = NSLock()
            private var entries: [ObjectIdentifier: Entry] = [:]

            func value(of object: AnyObject, by key: UnsafeRawPointer) -> Any? {
                lock.withLock {
                    // The identifier of a deallocated object may be reused.
                    guard let entry = entries[ObjectIdentifier(object)], entry.object === object,
                        let value = entry.values[key]
                    else { return nil }
                    return value.held ?? value.unheld
                }
            }

            func set(_ value: Any?, isHeld: Bool, of object: AnyObject, by key: UnsafeRawPointer) {
                let stored = value.map { Value(held: isHeld ? $0 : nil, unheld: isHeld ? nil : $0 as AnyObject) }
                change(object) { entry in entry.values[key] = stored }
            }

            func removeAll(of object: AnyObject) {
                change(object) { entry in entry.values = [:] }
            }

            /// Changes the values of an object, and releases those of deallocated objects.
            private func change(_ object: AnyObject, _ body: (inout Entry) -> Void) {
                // Values are released outside the lock, since their deinitialisers may call back here.
                let former = lock.withLock {
                    let former = entries
                    let identifier = ObjectIdentifier(object)
                    entries = entries.filter { $0.value.object != nil }
                    var entry = entries[identifier] ?? Entry(object: object)
                    if entry.object !== object { entry = Entry(object: object) }
                    body(&entry)
                    entries[identifier] = entry.values.isEmpty ? nil : entry
                    return former
                }
                withExtendedLifetime(former) {}
            }
        }
    #endif
#endif
