import ReactCore

/// Reads nodes in the body of a `computed` or an `effect`, and so makes them its dependencies.
///
/// A reader is valid during the call that received it, on the thread of that call. To read with it at any other time,
/// or on another thread, ends the process.
public struct NodeReader: Sendable {
    @usableFromInline let dynamic: ComputedCore
    /// The number of the call.
    @usableFromInline let call: UInt64

    @inlinable init(_ dynamic: ComputedCore, _ call: UInt64) {
        (self.dynamic, self.call) = (dynamic, call)
    }

    /// Returns the node's value, and makes the node a dependency.
    ///
    /// If the node is emptied later, the body is called again, and ends at this read.
    ///
    /// - Throws: `NoValue` if the node is empty. Let it through, and the result keeps its value until the node is
    ///   set. To go on without a value, read by `ifAny`. It is also thrown if the node is still to change in this set,
    ///   or if its graph is busy for too long. The body is then called again.
    @inlinable public func callAsFunction<Value>(_ node: Node<Value>) throws(NoValue) -> Value {
        guard let value = read(node) else { throw NoValue(node: node) }
        return value
    }
    /// Returns the node's value, or `nil` if the node is empty, and makes the node a dependency.
    ///
    /// Unlike `callAsFunction`, it does not wait for a value. If the body is about to be called again, it returns the
    /// value that the node holds at the moment. The value of a pulse is there in one call, the one that follows the
    /// pulse. After that, the body reads the value that the node has again.
    @inlinable public func ifAny<Value>(_ node: Node<Value>) -> Value? {
        if let value = read(node) { return value }
        return isGivenUp ? node.value : nil
    }
    /// Returns the value that the node has at this moment, or `nil` if the node is empty, without making the node a
    /// dependency.
    ///
    /// In the call that follows a pulse, this is the value that the node has again after the pulse.
    @inlinable public func untracked<Value>(_ node: Node<Value>) -> Value? { node.valueForBody }
    /// A lifetime that ends before the body is called again, and when the computed or effect ends.
    ///
    /// Use it to clean up. The listenings and effects that the body makes on it end with it, and so do the objects that
    /// it was given by `hold(_:)`. Each access in one call returns the same lifetime. If the body is not called,
    /// because no value differs, the lifetime goes on. If a node that the body reads by `try read` is emptied, the body
    /// is called, so the lifetime ends.
    ///
    ///     let room = MutableNode("hall"), screen = Lifetime()
    ///     screen.effect { read in
    ///         let name = try read(room)
    ///         print("enters", name)
    ///         read.lifetime.hold(BlockCancelable { print("leaves", name) })
    ///     }                           // enters hall
    ///     room.value = "attic"        // leaves hall
    ///                                 // enters attic
    ///     screen.cancel()             // leaves attic
    public var lifetime: Lifetime {
        call == NodeReader.unconnected ? Lifetime(madeAt: nil) : dynamic.lifetime(ofCall: call)
    }

    // MARK: Calls and reads

    /// Calls `body`. Returns `nil` if `body` waits for a value.
    @inlinable @inline(__always) func result<Output>(of body: (NodeReader) throws -> Output) -> Output? {
        do {
            return try body(self)
        } catch {
            if !(error is NoValue) { refuse(error) }
            return nil
        }
    }
    /// Returns the node's value, and makes the node an input. Returns `nil` if the node is empty or the call is given
    /// up.
    ///
    /// Compiled once for each value type, so that clients compile sooner.
    @inlinable @inline(never) func read<Value>(_ node: Node<Value>) -> Value? {
        let wanted = UnsafeRawPointer(Unmanaged.passUnretained(node.vertex).toOpaque())
        guard dynamic.isOpen(to: call), let input = dynamic.nextInput(from: wanted) else { return find(node) }
        var old: Value?
        let value = input._withUnsafeGuaranteedRef {
            unsafeDowncast($0, to: BodyEdge<Value>.self).read(from: node.vertex, releasing: &old)
        }
        withExtendedLifetime(old) {}
        return value
    }
    /// The number of a call that connects no edges: see `BodyCore.loadFirst`.
    @usableFromInline static var unconnected: UInt64 { .max }
    @inlinable @inline(never) func find<Value>(_ node: Node<Value>) -> Value? {
        if call == NodeReader.unconnected { return node.value }
        let edge = dynamic.find(node, call) { BodyEdge<Value>.make(name: dynamic.edgeName, of: node, to: $0) }
        // The edge may have been cut by now.
        guard let edge, dynamic.isOpenElseGivenUp else { return nil }
        var old: Value?
        let value = unsafeDowncast(edge, to: BodyEdge<Value>.self).read(from: node.vertex, releasing: &old)
        withExtendedLifetime(old) {}
        return value
    }
    /// True if the body will be called again, so that the result of this call is dropped.
    @usableFromInline var isGivenUp: Bool { dynamic.state.isRepeated }
    /// Ends the process over an error that a body may not throw.
    @usableFromInline func refuse(_ error: any Error) -> Never {
        dynamic.refuse(
            "the body of \(dynamic.nameInMessages) threw \(error): only NoValue may be thrown there; return a Result"
        )
    }
}
