"""Recording a table: events, undo, the resulting state, and the closure check."""
