extension Page {
    static let script = pageModel + pageLayout + pageView

    /// Holds the records, and derives the state at any step from them by lookup, so that stepping forwards and back
    /// gives the same.
    static let pageModel = #"""
        'use strict';
        const data = JSON.parse(document.getElementById('data').textContent);
        const KIND = Object.fromEntries(data.kinds.map((kind, place) => [kind, place]));
        const text = index => index < 0 ? null : data.texts[index];
        /** The rows of a table, of which the records have a list for each field. */
        function rowsOf(table) {
          const fields = Object.keys(table), rows = (table[fields[0]] || []).map((_, id) => ({ id }));
          for (const field of fields) table[field].forEach((value, id) => rows[id][field] = value);
          return rows;
        }
        const nodes = rowsOf(data.nodes).map(node => ({ ...node, label: text(node.label), name: text(node.name), type: text(node.type), place: text(node.place), up: [], down: [], sets: [], stores: [] }));
        const edges = rowsOf(data.edges).map(edge => ({ ...edge, name: text(edge.name), label: text(edge.label), giver: text(edge.giver), listener: text(edge.listener), changes: [], calls: [], wasted: 0 }));
        const events = rowsOf(data.events).map(event => ({ ...event, reason: text(event.reason), others: data.others[event.id] || [], effects: [] }));
        // The nodes that the listener of an edge has set, or a combination itself.
        const sets = rowsOf(data.sets).map(set => ({ ...set, name: 'sets' }));
        const setKey = (by, from, to) => by >= 0 ? `${by} ${to}` : `from ${from} ${to}`, setsByKey = new Map(sets.map(set => [setKey(set.by, set.from, set.to), set]));
        for (const set of sets) { nodes[set.from].sets.push(set); if (set.to !== set.from) nodes[set.to].sets.push(set); }
        for (const edge of edges) { nodes[edge.from].down.push(edge); if (edge.to >= 0) nodes[edge.to].up.push(edge); }
        const isStore = event => event.kind >= KIND.set && event.kind <= KIND.emptied || event.kind === KIND.fired;
        const isSet = event => event.kind === KIND.set || event.kind === KIND.cleaned;
        const hasLedTo = (event, ...kinds) => event.effects.some(effect => kinds.includes(effect.kind));
        const refuses = event => event.kind === KIND.stopped && !event.effects.length || event.kind === KIND.cut || event.kind === KIND.dropped
          || event.kind === KIND.scheduled && !event.effects.length || event.kind === KIND.computed || event.kind === KIND.queued && !hasLedTo(event, KIND.resumed)
          || event.kind === KIND.arrived && !hasLedTo(event, KIND.fired, KIND.computed);
        for (const event of events) {
          // A combination fires once for all that has arrived.
          if (event.cause >= 0) for (const cause of [event.cause, ...event.others]) events[cause].effects.push(event);
          if (isStore(event) && event.node >= 0) nodes[event.node].stores.push(event.id);
          if (event.edge < 0) continue;
          if (event.kind === KIND.linked || event.kind === KIND.cut) edges[event.edge].changes.push(event.id);
          if (event.kind >= KIND.stored && event.kind <= KIND.arrived || event.kind === KIND.scheduled && !edges[event.edge].listener) {
            edges[event.edge].calls.push(event.id);
            edges[event.edge].wasted += event.isWasted;
          }
        }
        for (const event of events) event.isRefusal = refuses(event);
        for (const edge of edges) edge.heat = edge.calls.length * (data.times[edge.id] || 1);
        const largest = (list, key) => list.reduce((most, item) => Math.max(most, item[key]), 1), mostHeat = largest(edges, 'heat'), mostWasted = largest(edges, 'wasted');

        /** How many of the sorted `places` are not after `step`. */
        function countUpTo(places, step) {
          let low = 0, high = places.length;
          while (low < high) { const middle = low + high >> 1; if (places[middle] <= step) low = middle + 1; else high = middle; }
          return low;
        }
        const NOT_KEPT = -2, heldText = index => index === NOT_KEPT ? 'not kept' : index < 0 ? 'empty' : text(index);
        /** The value that a node held after the event `step`: a text, -1 for nothing, or NOT_KEPT. */
        function valueAt(node, step) {
          const count = countUpTo(node.stores, step);
          const last = count > 0 ? events[node.stores[count - 1]] : null, lostUntil = last ? last.lostUntil : node.lostUntil;
          if (last && last.id === step) return last.now;
          if (step < lostUntil && step < events.length - 1) return NOT_KEPT;
          return count < node.stores.length ? events[node.stores[count]].old : last && lostUntil < 0 ? last.now : node.now;
        }
        function isThereAt(edge, step) {
          const count = countUpTo(edge.changes, step);
          if (count > 0) return events[edge.changes[count - 1]].kind === KIND.linked;
          return edge.changes.length ? events[edge.changes[0]].kind === KIND.cut : !!edge.isThere;
        }
        function way(event) { const way = [event]; while (event.cause >= 0) way.push(event = events[event.cause]); return way.reverse(); }
        // The set that each event goes back to, or the event that began it otherwise.
        const roots = new Int32Array(events.length);
        for (const event of events) roots[event.id] = isSet(event) || event.cause < 0 ? event.id : roots[event.cause];
        const setSteps = events.filter(event => isSet(event)).map(event => event.id);
        const marks = events.filter(event => event.kind === KIND.mark).map(event => event.id);

        const label = node => node >= 0 ? nodes[node].label : 'a node';
        const edgeLabel = id => id >= 0 ? edges[id].label : 'an edge';
        const shown = index => index === NOT_KEPT ? 'a value that was not kept' : index < 0 ? 'nothing' : text(index);
        const brief = index => shown(index).length > 80 ? shown(index).slice(0, 79) + '…' : shown(index);
        function sentence(event) {
          const node = label(event.node), edge = edgeLabel(event.edge), giver = event.edge >= 0 ? edges[event.edge].giver : edge;
          const gave = event.node >= 0 && nodes[event.node].name ? `${giver} gave ${node}` : `${edge} made`;
          // A value that is over at once was a pulse.
          const value = isStore(event) && event.now === -1 ? 'a pulse' : brief(event.now);
          const parts = { node, edge, gave, source: label(event.source), value };
          const told = data.sentences[event.kind].replace(/{(\w+)}/g, (_, part) => parts[part]), was = event.old >= 0 ? ` (was ${brief(event.old)})` : '';
          switch (event.kind) {
            case KIND.fired: return `${shown(event.now) === '()' ? `${edge} ran` : told + was}${event.reason ? `, ${event.reason}` : ''}`;
            case KIND.mark: return `${told}: ${event.reason || ''}`;
            default: return `${event.reason || told}${was}${event.kind === KIND.set && event.edge >= 0 ? ` by ${edge}` : ''}`;
          }
        }
        const threadName = event => text(event.thread);
        const moment = event => event.time < 1e6 ? `${(event.time / 1000).toFixed(3)} ms` : `${(event.time / 1e6).toFixed(3)} s`;

        /** The last store by a step; null where a later one may have gone off the record. */
        function lastStore(id, step) {
          const count = countUpTo(nodes[id].stores, step), last = count > 0 ? events[nodes[id].stores[count - 1]] : null;
          return last && (last.lostUntil < 0 || last.id === step) ? last : null;
        }
        const mayBeLost = (id, step) => countUpTo(nodes[id].stores, step) > 0 && !lastStore(id, step);
        /** Why a node holds its value at a step: the way of the last store. */
        function why(id, step) {
          const last = lastStore(id, step);
          return last ? way(last).filter(event => event.kind !== KIND.arrived) : [];
        }
        /** Why a node was not set since its last value, at the end of the record: lines, each a text or an event. */
        for (const node of nodes) node.answer = [];
        for (const line of rowsOf(data.answers)) nodes[line.node].answer.push({ text: text(line.text), event: line.event < 0 ? null : events[line.event] });

        """#
}
