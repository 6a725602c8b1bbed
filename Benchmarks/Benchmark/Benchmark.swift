import Foundation
import ReactGraph

/// All cases, in the groups that the plot shows one below the other.
private let groups: [(title: String, cases: [Case])] = [
    ("Floors", floorCases),
    ("Operators", operatorCases + unaryCases),
    ("Several inputs", inputCases),
    ("Chains, fans and grids", chainCases + fanOutCases + gridCases),
    ("Ways that part and meet", diamondCases + fieldCases + cellxCases),
    ("Large beside small", sizeCases),
    ("Payloads", payloadCases),
    ("Listening, linking, updating", linkCases),
    ("Computed", computedCases + signalCases + dynamicCases),
    ("Tables", tableCases),
    ("Threads", threadCases),
    ("Values awaited", loopCases),
    ("Building and memory", buildingCases + heapCases + graphWalkCases),
    ("Recorded", recordedCases),
]
let allCases = groups.flatMap { title, cases in
    cases.map { subject in
        var subject = subject
        subject.group = title
        return subject
    }
}

@main
enum Benchmark {
    static func main() {
        do {
            try refuseDebugBuild()
            let options = try Options(CommandLine.arguments.dropFirst())
            if options.isAskingForHelp { return print(Options.usage) }
            if options.isOfMainThread { return MainThreadPauses.printPercentiles() }
            let cases = try select(options.filters)
            if options.isListing { return print(cases.map(\.label).uniqued().joined(separator: "\n")) }
            let earlier = try options.compare.map(Results.read)

            let recorder = options.isRecording ? GraphRecorder(sites: false) : nil
            defer { recorder?.stop() }
            keepSecondThread()
            if options.isProfiling { return try cases.filter(\.metric.isTime).forEach(profile) }
            let (rows, failures) = run(cases, samples: options.samples)

            if let path = options.json { try Results.write(rows, to: path) }
            if let path = options.plot { try Results.write(Data(Plot(rows).svg.utf8), to: path) }
            if let earlier {
                print()
                Comparison(of: rows, with: earlier).lines.forEach { print($0) }
            }
            if failures > 0 { exit(1) }
        } catch {
            complain("\(error)")
            exit(2)
        }
    }

    private static func run(_ cases: [Case], samples: Int) -> (rows: [Row], failures: Int) {
        let report = Report(of: cases)
        print(report.head)
        var rows: [Row] = []
        for subject in cases {
            do {
                let row = try Sampler(samples: samples).measure(subject)
                rows.append(row)
                print(report.line(row, of: subject))
                fflush(nil)
            } catch {
                complain("WRONG RESULT in \(subject.label): \(error)")
            }
        }
        print("goals: ✓ met  ✗ missed  ? too busy to judge  – judged by Benchmarks/count-per-operation --goals")
        let failures = cases.count - rows.count
        if failures > 0 { complain("\(failures) of \(cases.count) rows have WRONG RESULTS, and no figure") }
        return (rows, failures)
    }

    /// Two samples, and the number by which a profiler's counts are divided.
    private static func profile(_ subject: Case) throws {
        let sample = subject.prepare()
        for _ in 0..<2 { _ = try sample() }
        print("\(subject.label), \(subject.metric.description): \(2 * sample.operations) operations")
    }

    private static func select(_ filters: [String]) throws -> [Case] {
        guard !filters.isEmpty else { return allCases }
        for filter in filters where !allCases.contains(where: { $0.matches(filter) }) {
            throw Failure("--filter: no case is called “\(filter)”; --list prints them all")
        }
        return allCases.filter { subject in filters.contains { subject.matches($0) } }
    }

    /// Refuses debug builds, whose figures mean nothing.
    private static func refuseDebugBuild() throws {
        var isDebugBuild = false
        assert(
            {
                isDebugBuild = true
                return true
            }()
        )
        if isDebugBuild {
            throw Failure("this is a debug build, whose figures say nothing; use: swift run -c release benchmark")
        }
    }

    /// Keeps a second thread, because a process of one thread gets short cuts from the C library that no real program
    /// gets.
    private static func keepSecondThread() {
        Thread.detachNewThread {
            while true { Thread.sleep(forTimeInterval: 3_600) }
        }
    }

    private static func complain(_ message: String) {
        FileHandle.standardError.write(Data("benchmark: \(message)\n".utf8))
    }
}

extension Sequence where Element: Hashable {
    /// The elements without repetitions, in their order.
    fileprivate func uniqued() -> [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
