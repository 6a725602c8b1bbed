// swift-tools-version: 6.3
import PackageDescription

// In a debug build of a client, the libraries are optimised all the same: a value then takes a tenth of the time. Whoever works on
// the libraries sets EASYREACT_CHECKED=1, which keeps their assertions, and lets a debugger step through them.
let isChecked = Context.environment["EASYREACT_CHECKED"] == "1"
// On Linux, the linker keeps each section that holds a public function, so a program would contain the whole library. These
// flags give each function a section of its own, and let the linker leave out public functions that nobody calls.
let library: [SwiftSetting] = [
    .unsafeFlags(
        ["-Xfrontend", "-function-sections", "-Xfrontend", "-internalize-at-link"],
        .when(platforms: [.linux], configuration: .release)),
    .unsafeFlags(isChecked ? [] : ["-O"], .when(configuration: .debug)),
]

let package = Package(
    name: "EasyReact",
    // With 64-bit pointers only: ReactCore does not compile for others, such as older watches (arm64_32).
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "ReactCore", targets: ["ReactCore"]),
        .library(name: "ReactOperators", targets: ["ReactOperators"]),
        .library(name: "ReactScheduling", targets: ["ReactScheduling"]),
        .library(name: "ReactGraph", targets: ["ReactGraph"]),
        .library(name: "ReactTables", targets: ["ReactTables"]),
        .library(name: "ReactTesting", targets: ["ReactTesting"]),
    ],
    targets: [
        .target(name: "ReactCore", swiftSettings: library),
        .target(name: "ReactOperators", dependencies: ["ReactCore"], swiftSettings: library),
        .target(name: "ReactScheduling", dependencies: ["ReactCore"], swiftSettings: library),
        .target(name: "ReactGraph", dependencies: ["ReactCore", "RecorderPage"], swiftSettings: library),
        // The page of a recorder, which knows no graph. The linker leaves it out where no page is written.
        .target(name: "RecorderPage", swiftSettings: library),
        .target(name: "ReactTables", dependencies: ["ReactCore"], swiftSettings: library),
        .target(name: "ReactTesting", dependencies: ["ReactCore", "ReactScheduling"], swiftSettings: library),

        .executableTarget(
            name: "spreadsheet",
            dependencies: ["ReactCore", "ReactOperators", "ReactGraph", "Streams"],
            path: "Examples/Spreadsheet",
            exclude: ["Data", "grid.sh"]
        ),
        .executableTarget(
            name: "ticker",
            dependencies: ["ReactCore", "ReactOperators", "ReactScheduling", "ReactGraph", "ReactTables", "Streams"],
            path: "Examples/Ticker/Sources"
        ),

        .executableTarget(
            name: "signup",
            dependencies: ["ReactCore", "ReactOperators", "ReactScheduling", "ReactGraph", "Streams"],
            path: "Examples/SignUp/Sources"
        ),

        .executableTarget(
            name: "orders",
            dependencies: ["ReactCore", "ReactOperators", "ReactTables", "Streams"],
            path: "Examples/Orders/Sources"
        ),

        .target(
            name: "ShoppingModel",
            dependencies: ["ReactCore", "ReactOperators", "ReactScheduling", "ReactGraph", "ReactTables"],
            path: "Examples/Shopping/Model",
            swiftSettings: [.defaultIsolation(MainActor.self)]
        ),
        // Empty where there is no SwiftUI.
        .target(
            name: "ShoppingViews",
            dependencies: ["ReactCore", "ReactScheduling", "ReactTables", "ShoppingModel"],
            path: "Examples/Shopping/Views",
            swiftSettings: [.defaultIsolation(MainActor.self)]
        ),
        .executableTarget(
            name: "shopping",
            dependencies: [
                "ReactCore", "ReactOperators", "ReactScheduling", "ReactTables", "ShoppingModel", "Streams",
            ],
            path: "Examples/Shopping/Command",
            swiftSettings: [.defaultIsolation(MainActor.self)]
        ),
        // The standard streams of the examples' commands.
        .target(name: "Streams", path: "Examples/Streams"),

        .systemLibrary(name: "HeapProbe", path: "Benchmarks/HeapProbe"),
        .executableTarget(
            name: "benchmark",
            dependencies: ["HeapProbe", "ReactCore", "ReactOperators", "ReactScheduling", "ReactGraph", "ReactTables"],
            path: "Benchmarks/Benchmark"
        ),
        .executableTarget(
            name: "soak",
            dependencies: ["HeapProbe", "ReactCore", "ReactOperators", "ReactGraph"],
            path: "Benchmarks/Soak"
        ),

        .target(name: "TestSupport", dependencies: ["ReactCore"], path: "Tests/TestSupport"),
        .target(name: "ScheduleExplorer", dependencies: ["ReactCore"], path: "Tests/ScheduleExplorer"),
        .testTarget(name: "ScheduleExplorerTests", dependencies: ["ScheduleExplorer", "TestSupport"]),
        .testTarget(
            name: "InterleavingTests",
            dependencies: [
                "ReactCore", "ReactOperators", "ReactScheduling", "ReactGraph", "ScheduleExplorer", "TestSupport",
            ]
        ),
        .testTarget(name: "ReactCoreTests", dependencies: ["ReactCore", "ReactOperators", "TestSupport"]),
        .testTarget(
            name: "ReliabilityTests",
            dependencies: ["HeapProbe", "ReactCore", "ReactOperators", "ReactGraph", "TestSupport"]
        ),
        .testTarget(
            name: "ReactOperatorsTests",
            dependencies: ["ReactCore", "ReactOperators", "ReactGraph", "ReactTables", "TestSupport"]
        ),
        .testTarget(name: "ComputedTests", dependencies: ["ReactCore", "ReactOperators", "ReactGraph", "TestSupport"]),
        .testTarget(
            name: "ReactTestingTests",
            dependencies: ["ReactCore", "ReactOperators", "ReactScheduling", "ReactTesting", "TestSupport"]
        ),
        .testTarget(
            name: "ReactSchedulingTests",
            dependencies: ["ReactCore", "ReactOperators", "ReactScheduling", "ReactTesting", "TestSupport"]
        ),
        .testTarget(
            name: "DocumentationTests",
            dependencies: ["ReactCore", "ReactOperators", "ReactScheduling", "ReactTesting", "TestSupport"]
        ),
        .testTarget(
            name: "MainActorByDefaultTests",
            dependencies: ["ReactCore", "ReactOperators"],
            swiftSettings: [.defaultIsolation(MainActor.self)]
        ),
        .testTarget(
            name: "ReactGraphTests",
            dependencies: [
                "ReactCore", "ReactOperators", "ReactScheduling", "ReactGraph", "ReactTesting", "TestSupport",
            ],
            exclude: ["Golden"]
        ),
        .testTarget(
            name: "ReactTablesTests",
            dependencies: [
                "HeapProbe", "ReactCore", "ReactOperators", "ReactScheduling", "ReactGraph", "ReactTables",
                "ReactTesting",
                "TestSupport",
            ]
        ),
        .testTarget(
            name: "SpreadsheetTests",
            dependencies: ["spreadsheet", "ReactCore", "ReactOperators", "Streams", "TestSupport"]
        ),
        .testTarget(name: "TickerTests", dependencies: ["ticker", "TestSupport"], path: "Examples/Ticker/Tests"),
        .testTarget(
            name: "OrdersTests", dependencies: ["orders", "ReactTables", "TestSupport"], path: "Examples/Orders/Tests"
        ),
        .testTarget(
            name: "SignUpTests",
            dependencies: ["signup", "ReactCore", "ReactOperators", "ReactScheduling", "TestSupport"],
            path: "Examples/SignUp/Tests"
        ),
        .testTarget(
            name: "ShoppingTests",
            dependencies: [
                "shopping", "ShoppingModel", "ReactCore", "ReactOperators", "ReactScheduling", "ReactGraph",
                "ReactTables", "ReactTesting", "TestSupport",
            ],
            path: "Examples/Shopping/Tests",
            swiftSettings: [.defaultIsolation(MainActor.self)]
        ),
    ],
    swiftLanguageModes: [.v6]
)
