import Foundation

@main
enum EntryPoint {
    static func main() {
        let input = LineReader(FileHandle.standardInput)
        let output = Output(FileHandle.standardOutput)
        let errors = Output(FileHandle.standardError)
        func flush() {
            output.flush()
            errors.flush()
        }
        let console = Command.Console(
            readLine: {
                flush()
                return input.next()
            },
            write: output.write,
            writeError: errors.write
        )
        let status = Command(console: console).run(Array(CommandLine.arguments.dropFirst()))
        flush()
        exit(status)
    }
}
