// Nodes, edges and the propagation engine.
