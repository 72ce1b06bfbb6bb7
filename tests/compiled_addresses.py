"""Addresses of pages, compiled once: that is nine tenths of making an application."""

from werkzeug.routing.rules import Rule

_compile_rule = Rule.compile
_compiled = {}


def compile_once(rule):
    """Compile an address as `Rule.compile` does, or take what that made of an equal one."""
    key = (rule.rule, rule.subdomain, rule.host, rule.merge_slashes, repr(rule.defaults))
    if key not in _compiled:
        _compile_rule(rule)
        _compiled[key] = rule
    model = _compiled[key]
    rule._parts, rule._trace, rule._converters = model._parts, model._trace, model._converters
    rule.arguments = model.arguments
    rule._build = model._build.__func__.__get__(rule)
    rule._build_unknown = model._build_unknown.__func__.__get__(rule)
