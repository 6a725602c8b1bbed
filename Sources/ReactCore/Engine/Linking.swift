// Links of vertices in different regions: the two regions become one.

extension Engine {
    /// Does `work` when two vertices are in one region, which this thread owns: now, after a wait, or later.
    func link(_ source: Vertex, to target: Vertex, _ work: @escaping Engine.Step) {
        if unite(source, target) { return work(self) }
        leftWork.links.append((source, target, work))
    }
    /// Makes the regions of two vertices one, which this thread owns then. Fails if another thread owns one of them.
    /// Waits for these within the bound, if `waits` is true, and nothing is owned.
    func unite(_ source: Vertex, _ target: Vertex, waits: Bool = true) -> Bool {
        if source.isInRegion(of: target), take(source) { return true }
        let waits = waits && mayWait && depth == 1
        repeat {
            if takeBoth(source, target), merge(source, target) { return true }
            guard waits else { return false }
            leaveRegions()
            // The lower one first, so that two threads that link the same two regions do not wait for each other.
            // Nobody else waits while he owns a region, so this ends.
            let (lower, higher) = source.root.address < target.root.address ? (source, target) : (target, source)
            guard wait(for: lower) else { return false }
            if !owns(higher), !wait(for: higher) { break }
            if merge(source, target) { return true }
            leaveRegions()
            if !ScheduleFuzzing.handsOn() { Platform.letOthersRun() }
        } while !isOver
        leaveRegions()
        return false
    }
    /// Takes the regions of two vertices. One that has none yet gets that of the other, so there is nothing to merge.
    private func takeBoth(_ source: Vertex, _ target: Vertex) -> Bool {
        if !source.hasRegion, target.hasRegion { return take(target) && (source.enter(target.region) || take(source)) }
        return take(source) && (target.enter(source.region) || take(target))
    }
    /// Precondition: this thread owns the regions of both.
    private func merge(_ one: Vertex, _ other: Vertex) -> Bool {
        guard owns(one), owns(other) else { return false }
        return Region.merge(one.region, other.region) != nil
    }

    /// Makes links of the left work. This thread owns nothing. If a region stays busy, the links to that target are
    /// late: a thread of the library repeats them.
    func serveLinks() {
        // A thread with left work does not wait.
        var links = leftWork.links
        leftWork.links = []
        guard !links.isEmpty else { return }
        let link = links.removeFirst()
        if hasMoreLateWork || !make(link, and: { LeftWork.take(from: &links, to: $0) }) {
            LateLinks.add([link] + links.filter { $0.target === link.target })
            links.removeAll { $0.target === link.target }
        }
        leftWork.links = links + leftWork.links
    }
    /// Makes a link, and others that `takeOthers` returns for its target, which is in their region then. So no join
    /// fires between two of its inputs, and shows half of a batch. Fails if another thread keeps a region.
    func make(_ link: LeftWork.Link, and takeOthers: (Vertex) -> [LeftWork.Link]) -> Bool {
        guard unite(link.source, link.target) else { return false }
        for link in [link] + takeOthers(link.target) { link.work(self) }
        return true
    }
}
