/// A holder of joins: the engine that has them in its queue, or a firing that waits for its turn.
@usableFromInline package class JoinHolder {
    /// Adds a join that was handed over. This holder already counts among the join's holders.
    func add(_ join: JoinBase) {}
    /// Tells this holder to search once more downstream of the joins that it has set aside. Called before joins are
    /// handed over to it, because edges may have been connected since its last search.
    func searchAgain() {}
}
