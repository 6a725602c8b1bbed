/// One step of a random run: what the model and the library both do. Nodes, edges, listeners and switches are named by
/// the order in which they were made.
enum Action {
    case source(Int?)
    case unary(Unary, of: Int)
    case combine([Int])
    case zip([Int])
    case merge([Int])
    case makeSwitch(of: Int)
    case makeCase(ofSwitch: Int, Int?)
    case makeIf(of: Int)
    case flatten([Int], by: Int)
    case flattenMap([Int], by: Int)

    case link(Int, to: Int)
    case sync(Int, with: Int)
    case syncWithFunctions(Int, with: Int)
    case repoint(edge: Int, at: Int)
    case cut(edge: Int)

    case listen(to: Int)
    case listenAndSet(to: Int, sets: Int, adding: Int, times: Int)
    case listenAndCut(to: Int, edge: Int)
    case stopListening(Int)

    case set(Int, Int, context: Int?)
    case clean(Int)
    case batch([(node: Int, value: Int)])

    enum Unary {
        case fork
        case map
        case mapReplace(Int)
        case compactMap
        case filter(Int)
        case ignore(Int)
        case select(Int)
        case skip(Int)
        case take(Int)
        case distinct
        case distinctBy
        case scan
        case scanWithIndex
    }
}
