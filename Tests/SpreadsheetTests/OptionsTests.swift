import Testing

@testable import spreadsheet

@Suite("The command line")
struct OptionsTests {
    @Test("options stand anywhere, and edits keep their order")
    func options() throws {
        let options = try Options(["--set", "A1=1", "--csv", "file.csv", "--set", "B1==A1", "--watch"])
        #expect(options.file == "file.csv")
        #expect(options.edits == ["A1=1", "B1==A1"])
        #expect(options.csv && options.watch && !options.help)
    }

    @Test("after -- everything is a file")
    func terminator() throws {
        #expect(try Options(["--", "--csv"]).file == "--csv")
    }

    @Test("help needs no file", arguments: ["--help", "-h"])
    func help(option: String) throws {
        #expect(try Options([option]).help)
    }

    @Test(
        "what cannot be meant is refused in one line",
        arguments: [
            ([], "which file? --help says how to ask"),
            (["--frob", "x"], "there is no option \"--frob\"; --help lists them"),
            (["-x\n"], "there is no option \"-x\\n\"; --help lists them"),
            (["x", "--set"], "--set needs CELL=VALUE after it"),
            (["x", "--dot"], "--dot needs FILE after it, or - for standard output"),
            (["x", "--mermaid"], "--mermaid needs FILE after it, or - for standard output"),
            (
                ["x", "--dot", "-", "--mermaid", "-"],
                "standard output has room for one of --csv, --dot - and --mermaid -"
            ),
            (["x", "--dot", "-", "--csv"], "standard output has room for one of --csv, --dot - and --mermaid -"),
            (["x", "y"], "one file at a time, and \"y\" is the second"),
        ]
    )
    func refusals(arguments: [String], message: String) {
        #expect(throws: InputError(message: message)) { try Options(arguments) }
    }
}
