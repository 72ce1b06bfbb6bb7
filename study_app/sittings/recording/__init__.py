"""Recording a table: events, undo, the state they add up to, and the closure check."""
