/// Measures cases: warm-up, then samples of the case and of its baseline in turn.
struct Sampler {
    /// The number of samples of a case that does not set its own.
    let samples: Int

    func measure(_ subject: Case) throws -> Row {
        let count = subject.samples ?? samples
        var values: [Double] = []
        var floorValues: [Double] = []
        let floor = subject.baseline?.prepare()
        _ = try floor?()
        if let floor, let baseline = subject.baseline, baseline.comesFirst {
            for _ in 0..<count { floorValues.append(try floor()) }
        }
        let sample = subject.prepare()
        _ = try sample()
        for _ in 0..<count {
            values.append(try sample())
            if let floor, floorValues.count < count { floorValues.append(try floor()) }
        }
        let pairs = zip(values, floorValues).map { $0 / $1 }
        values.sort()

        let best = values[0]
        let baseline = subject.comparesPairs ? median(of: floorValues) : floorValues.min()
        return Row(
            group: subject.group,
            name: subject.name,
            size: subject.size,
            metric: subject.metric.description,
            median: median(of: values),
            min: best,
            floor: subject.baseline?.name,
            baseline: baseline,
            ratio: subject.comparesPairs ? median(of: pairs) : baseline.map { best / $0 }
        )
    }

    private func median(of values: [Double]) -> Double {
        let values = values.sorted()
        let middle = values.count / 2
        return values.count.isMultiple(of: 2) ? (values[middle - 1] + values[middle]) / 2 : values[middle]
    }
}
