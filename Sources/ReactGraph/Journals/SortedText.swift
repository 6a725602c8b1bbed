import ReactCore

extension AnyNode {
    /// The value as the checks of a ``Journal`` have it; `nil` while the node is empty. Safe from any thread.
    ///
    /// It is the `valueDescription`, but equal values have equal texts: the parts of sets and dictionaries stand in the
    /// order of their texts, also inside of lists, optionals, tuples, structures and enumerations. A `description` that
    /// a type writes by itself stays as it is.
    ///
    ///     let tags = MutableNode(["pear": Set([2, 1])])
    ///     print(tags.journalText ?? "empty")      // ["pear": Set([1, 2])]
    public var journalText: String? { journalText(isRedacted: isRedacted) }

    func journalText(isRedacted: Bool) -> String? {
        ValueText.$describer.withValue(SortedText()) { valueDescription(isRedacted: isRedacted) }
    }
}

/// Describes values as Swift does, with the parts of sets and dictionaries in order.
private struct SortedText: Describer {
    func text(of value: Any) -> String? { text(of: value, isPart: false) }

    /// Returns `nil` for a value that contains no set or dictionary. The description of a part names its type in full.
    fileprivate func text(of value: Any, isPart: Bool) -> String? {
        if let container = value as? any ContainerOfParts { return container.sortedText(by: self, isPart: isPart) }
        if value is any CustomStringConvertible || value is any CustomDebugStringConvertible { return nil }
        let mirror = Mirror(reflecting: value)
        let type = isPart ? String(reflecting: mirror.subjectType) : String(describing: mirror.subjectType)
        switch mirror.displayStyle {
        case .tuple?:
            // The labels of a tuple without any are ".0", ".1".
            return parts(of: mirror) { $0.hasPrefix(".") ? "" : "\($0): " }.map { "(\($0))" }
        case .struct?: return parts(of: mirror) { "\($0): " }.map { "\(type)(\($0))" }
        case .enum?:
            guard let (label, payload) = mirror.children.first, let text = part(payload) else { return nil }
            let name = (isPart ? "\(type)." : "") + (label ?? "")
            return Mirror(reflecting: payload).displayStyle == .tuple ? name + text : "\(name)(\(text))"
        default: return nil
        }
    }
    private func parts(of mirror: Mirror, label: (String) -> String) -> String? {
        texts(of: mirror.children.map(\.value)).map { texts in
            zip(mirror.children, texts).map { label($0.label ?? "") + $1 }.joined(separator: ", ")
        }
    }
    func part(_ value: Any) -> String? { text(of: value, isPart: true) }
    /// Returns `nil` if no value contains a set or dictionary.
    func texts(of values: [Any]) -> [String]? {
        let sorted = values.map(part)
        guard sorted.contains(where: { $0 != nil }) else { return nil }
        return zip(values, sorted).map { $1 ?? String(reflecting: $0) }
    }
}

/// A value of the standard library that contains others.
private protocol ContainerOfParts {
    func sortedText(by describer: SortedText, isPart: Bool) -> String?
}
extension Optional: ContainerOfParts {
    fileprivate func sortedText(by describer: SortedText, isPart: Bool) -> String? {
        flatMap { describer.part($0) }.map { "Optional(\($0))" }
    }
}
extension Array: ContainerOfParts {
    fileprivate func sortedText(by describer: SortedText, isPart: Bool) -> String? {
        describer.texts(of: self).map { "[\($0.joined(separator: ", "))]" }
    }
}
extension Set: ContainerOfParts {
    fileprivate func sortedText(by describer: SortedText, isPart: Bool) -> String? {
        let list = map { describer.part($0) ?? String(reflecting: $0) }.sorted().joined(separator: ", ")
        return isPart ? "Set([\(list)])" : "[\(list)]"
    }
}
extension Dictionary: ContainerOfParts {
    fileprivate func sortedText(by describer: SortedText, isPart: Bool) -> String? {
        func text(_ part: Any) -> String { describer.part(part) ?? String(reflecting: part) }
        return isEmpty ? "[:]" : "[\(map { "\(text($0.key)): \(text($0.value))" }.sorted().joined(separator: ", "))]"
    }
}
