"""The participants of a task: listed, counted, excluded, withdrawn, paid."""
