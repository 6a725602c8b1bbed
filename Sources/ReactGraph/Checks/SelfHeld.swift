import ReactCore

extension LiveGraph {
    /// Listen edges that hold their own listener, as far as that can be known: by a stored property of an edge of the
    /// user's, which is neither weak nor unowned. What a closure holds nobody can ask.
    var selfHeldListeners: [LintFinding] {
        nodes.enumerated().flatMap { id, node in
            node.listenEdges.compactMap { edge in
                guard let listener = edge.destination, edge.holds(listener) else { return nil }
                let name = "“\(snapshot.nodes[id].title.caption(limit: 40))” (node \(id))"
                return LintFinding(
                    rule: .selfHeld,
                    nodes: [id],
                    edges: [],
                    message: "A \(type(of: listener)) that listens to \(name) is held by the listen edge "
                        + "“\(edge.name.caption(limit: 40))”, which it holds itself: it will never be released.",
                    remedy:
                        "Let the edge know it by a weak property, or by `to` alone; in a closure, capture it weakly."
                )
            }
        }
    }
}

extension AnyListenEdge {
    /// Whether a property of the edge's own class, or of those between that and the library's, is `object` and holds it.
    ///
    /// Nothing is read but where a property points: to copy one, as `Mirror` does, would end the process for an `unowned` one whose
    /// object has gone, and would be a race where the edge is in a call just now.
    fileprivate func holds(_ object: AnyObject) -> Bool {
        let edge = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
        let own: AnyClass = type(of: self)
        var library: AnyClass = own
        while !String(reflecting: library).hasPrefix("ReactCore."), let next = _getSuperclass(library) {
            library = next
        }
        return (fieldCount(library)..<fieldCount(own)).contains { index in
            guard let offset = offsetOfReference(at: index, in: own) else { return false }
            return edge.load(fromByteOffset: offset, as: UInt.self) == UInt(bitPattern: ObjectIdentifier(object))
        }
    }
}

/// Where the property lies within an object, if it is a class's, or a protocol's, and holds what it refers to.
private func offsetOfReference(at index: Int, in type: AnyClass) -> Int? {
    var field = Field()
    let fieldType = fieldType(type, index: index, &field)
    field.free?(field.name)
    return field.isStrong && isReference(fieldType) ? fieldOffset(type, index: index) : nil
}
/// Whether the first word of such a value is the address of the object that it refers to, if it refers to one.
private func isReference(_ type: Any.Type) -> Bool {
    if let optional = type as? any OptionalValue.Type { return isReference(optional.wrapped) }
    let existential = 0x303
    return type is AnyClass || unsafeBitCast(type, to: UnsafePointer<Int>.self).pointee == existential
}
private protocol OptionalValue { static var wrapped: Any.Type { get } }
extension Optional: OptionalValue { fileprivate static var wrapped: Any.Type { Wrapped.self } }

// What `Mirror` itself asks of the runtime: it tells of no other way whether a property holds what it refers to.

private struct Field {
    var name: UnsafePointer<CChar>?
    var free: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
    var isStrong = false
    var isVariable = false
}
/// With those of its superclasses, which come first.
@_silgen_name("swift_reflectionMirror_recursiveCount") private func fieldCount(_ type: Any.Type) -> Int
@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func fieldType(_ type: Any.Type, index: Int, _ field: UnsafeMutablePointer<Field>) -> Any.Type
@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func fieldOffset(_ type: Any.Type, index: Int) -> Int
