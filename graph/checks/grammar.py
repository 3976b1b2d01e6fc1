"""What the node kinds of each language's tree-sitter grammar are called."""

from __future__ import annotations

from dataclasses import dataclass

from graph.checks.languages import Language


@dataclass(frozen=True)
class Grammar:
    """Node kinds by role. An empty role is one that the language does not have."""

    comments: tuple[str, ...]
    strings: tuple[str, ...]
    calls: tuple[str, ...]
    imports: tuple[str, ...]
    functions: tuple[str, ...]
    methods: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    interfaces: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()


_C_BLOCKS = ("if_statement", "for_statement", "while_statement", "do_statement", "switch_statement")

_SCRIPT = Grammar(
    comments=("comment",),
    strings=("string", "template_string"),
    calls=("call_expression", "new_expression"),
    imports=("import_statement", "export_statement", "call_expression"),
    functions=(
        "function_declaration",
        "generator_function_declaration",
        "arrow_function",
        "function_expression",
    ),
    methods=("method_definition",),
    classes=("class_declaration",),
    blocks=(*_C_BLOCKS, "for_in_statement", "try_statement"),
)
_TYPED_SCRIPT = Grammar(
    comments=_SCRIPT.comments,
    strings=_SCRIPT.strings,
    calls=_SCRIPT.calls,
    imports=_SCRIPT.imports,
    functions=_SCRIPT.functions,
    methods=_SCRIPT.methods,
    classes=("class_declaration", "abstract_class_declaration", "enum_declaration"),
    interfaces=("interface_declaration",),
    blocks=_SCRIPT.blocks,
)

GRAMMARS: dict[Language, Grammar] = {
    "python": Grammar(
        comments=("comment",),
        strings=("string",),
        calls=("call",),
        imports=("import_statement", "import_from_statement"),
        functions=("function_definition",),
        classes=("class_definition",),
        blocks=(
            "if_statement",
            "for_statement",
            "while_statement",
            "try_statement",
            "with_statement",
            "match_statement",
        ),
    ),
    "javascript": _SCRIPT,
    "typescript": _TYPED_SCRIPT,
    "tsx": _TYPED_SCRIPT,
    "go": Grammar(
        comments=("comment",),
        strings=("interpreted_string_literal", "raw_string_literal"),
        calls=("call_expression",),
        imports=("import_spec",),
        functions=("function_declaration",),
        methods=("method_declaration",),
        classes=("type_spec",),
        blocks=(
            "if_statement",
            "for_statement",
            "expression_switch_statement",
            "type_switch_statement",
            "select_statement",
        ),
    ),
    "rust": Grammar(
        comments=("line_comment", "block_comment"),
        strings=("string_literal", "raw_string_literal"),
        calls=("call_expression", "macro_invocation"),
        imports=("use_declaration", "extern_crate_declaration"),
        functions=("function_item",),
        classes=("struct_item", "enum_item"),
        interfaces=("trait_item",),
        blocks=(
            "if_expression",
            "for_expression",
            "while_expression",
            "loop_expression",
            "match_expression",
        ),
    ),
    "java": Grammar(
        comments=("line_comment", "block_comment"),
        strings=("string_literal",),
        calls=("method_invocation", "object_creation_expression"),
        imports=("import_declaration",),
        functions=(),
        methods=("method_declaration", "constructor_declaration"),
        classes=("class_declaration", "enum_declaration", "record_declaration"),
        interfaces=("interface_declaration",),
        blocks=(
            "if_statement",
            "for_statement",
            "enhanced_for_statement",
            "while_statement",
            "do_statement",
            "try_statement",
            "try_with_resources_statement",
            "switch_expression",
        ),
    ),
    "c": Grammar(
        comments=("comment",),
        strings=("string_literal",),
        calls=("call_expression",),
        imports=("preproc_include",),
        functions=("function_definition",),
        classes=("struct_specifier", "enum_specifier", "union_specifier"),
        blocks=_C_BLOCKS,
    ),
    "cpp": Grammar(
        comments=("comment",),
        strings=("string_literal", "raw_string_literal"),
        calls=("call_expression",),
        imports=("preproc_include",),
        functions=("function_definition",),
        classes=("class_specifier", "struct_specifier", "enum_specifier", "union_specifier"),
        blocks=(*_C_BLOCKS, "for_range_loop", "try_statement"),
    ),
    "csharp": Grammar(
        comments=("comment",),
        strings=(
            "string_literal",
            "verbatim_string_literal",
            "raw_string_literal",
            "interpolated_string_expression",
        ),
        calls=("invocation_expression", "object_creation_expression"),
        imports=("using_directive",),
        functions=("local_function_statement",),
        methods=("method_declaration", "constructor_declaration"),
        classes=(
            "class_declaration",
            "struct_declaration",
            "enum_declaration",
            "record_declaration",
        ),
        interfaces=("interface_declaration",),
        blocks=(*_C_BLOCKS, "foreach_statement", "try_statement"),
    ),
    "ruby": Grammar(
        comments=("comment",),
        strings=("string", "heredoc_body"),
        calls=("call",),
        imports=("call",),
        functions=("method", "singleton_method"),
        classes=("class", "module"),
        blocks=("if", "unless", "while", "until", "for", "case", "begin"),
    ),
    "php": Grammar(
        comments=("comment",),
        strings=("string", "encapsed_string", "heredoc", "nowdoc"),
        calls=(
            "function_call_expression",
            "member_call_expression",
            "scoped_call_expression",
            "object_creation_expression",
            "echo_statement",
            "print_intrinsic",
            "exit_statement",
        ),
        imports=("namespace_use_clause",),
        functions=("function_definition",),
        methods=("method_declaration",),
        classes=("class_declaration", "trait_declaration", "enum_declaration"),
        interfaces=("interface_declaration",),
        blocks=(*_C_BLOCKS, "foreach_statement", "try_statement"),
    ),
    "kotlin": Grammar(
        comments=("line_comment", "multiline_comment"),
        strings=("string_literal",),
        calls=("call_expression",),
        imports=("import_header",),
        functions=("function_declaration",),
        classes=("class_declaration", "object_declaration"),
        blocks=(
            "if_expression",
            "for_statement",
            "while_statement",
            "do_while_statement",
            "when_expression",
            "try_expression",
        ),
    ),
    "swift": Grammar(
        comments=("comment", "multiline_comment"),
        strings=("line_string_literal", "multi_line_string_literal"),
        calls=("call_expression",),
        imports=("import_declaration",),
        functions=("function_declaration",),
        classes=("class_declaration",),
        interfaces=("protocol_declaration",),
        blocks=(
            "if_statement",
            "for_statement",
            "while_statement",
            "repeat_while_statement",
            "switch_statement",
            "do_statement",
            "guard_statement",
        ),
    ),
    "bash": Grammar(
        comments=("comment",),
        strings=("string", "raw_string", "heredoc_body"),
        calls=("command",),
        imports=("command",),
        functions=("function_definition",),
        blocks=("if_statement", "for_statement", "while_statement", "case_statement"),
    ),
}
