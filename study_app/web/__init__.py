"""The pages: one blueprint per noun; each route reads the form, calls one rule, and renders."""
