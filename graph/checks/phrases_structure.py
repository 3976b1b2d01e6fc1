"""How people state limits of size, documentation and annotations.

Letters of the limits are those of `phrases_base.LIMITS`; the others stand at each grammar.
"""

from __future__ import annotations

from graph.checks.parser_grammar import Builder, Grammar, Lexicon, Reading, form
from graph.checks.phrases_base import BASE, FORBIDDEN, LIMITS, NO, REQUIRED
from graph.checks.specs import (
    Check,
    MaxDiffFiles,
    MaxDiffLines,
    MaxFileLines,
    MaxFunctionLines,
    MaxNesting,
    MaxParameters,
    RequiredDocstring,
    RequiredTypes,
)

_ALLOWED = {
    "F": f"{FORBIDDEN}|must be split|should be split|are too long|must be split up|"
         "should be split up|must be refactored|are too big|should be refactored",
    "A": "allowed|permitted|accepted|acceptable",
    "n": NO,
}  # fmt: skip

# s the thing that is limited, u its unit.
_SIZES: tuple[tuple[type[Check], str, str], ...] = (
    (
        MaxFileLines,
        (
            "file|files|source files|source file|modules|module|file length|file size|"
            "length of files|"
            "length of a file|file lengths|number of lines per file|module length|"
            "length of each file|individual files|code files|size of files|file sizes|"
            "number of lines in a file|any single file|single file|size of a file"
        ),
        (
            "lines|line|lines of code|loc|lines long|lines in length|sloc|lines in total|"
            "lines in size|line limit"
        ),
    ),
    (
        MaxFunctionLines,
        (
            "function|functions|methods and functions|functions and methods|function length|method|"
            "methods|function bodies|function body|method length|functions or methods|"
            "length of functions|length of a function|function size|"
            "length of methods|function lengths|method and function length|"
            "individual functions|single function|functions/methods|function or method"
        ),
        "lines|line|lines of code|loc|lines long|lines in length|lines in total",
    ),
    (
        MaxParameters,
        (
            "function|functions|methods and functions|functions and methods|method|methods|"
            "function signatures|"
            "functions or methods|function parameters|parameter lists|function or method|"
            "number of parameters|number of function parameters|number of arguments|"
            "number of parameters per function|number of function arguments"
        ),
        (
            "parameters|arguments|args|params|function parameters|parameter|argument|"
            "positional arguments or parameters|function arguments"
        ),
    ),
    (
        MaxNesting,
        (
            "nesting|nesting depth|nesting level|nest|nest code|depth of nesting|nested blocks|"
            "nesting levels|block nesting|nested code|level of nesting|be nested|nested|"
            "nested control structures|nest blocks|nest control structures|nested control blocks"
        ),
        "levels|level|levels deep|level deep",
    ),
    (
        MaxDiffLines,
        (
            "pull request|pull requests|pr|prs|pull request size|pr size|merge request|"
            "merge requests|mr|mrs|diff|diffs|single pull request|size of pull requests|single pr|"
            "pr diffs|size of prs|individual pull requests|individual prs|pull request diffs"
        ),
        (
            "lines|changed lines|lines of code|lines changed|lines of changes|modified lines|loc|"
            "lines of diff|lines of changed code|changed lines of code|line|lines of code changed"
        ),
    ),
    (
        MaxDiffFiles,
        (
            "pull request|pull requests|pr|prs|merge request|merge requests|single pull request|"
            "single pr"
        ),
        "files|changed files|file|files changed|modified files",
    ),
)
_SIZE_WORDS = {
    "": "long|deep|size|there|total|in total|length|in length|of changes|we|hard|strict",
}


def _limit(check: type[Check]) -> Builder:
    def build(reading: Reading) -> Check | None:
        limit = reading.number() - reading.has("under")
        return check.from_json({"limit": limit}) if limit >= 1 else None

    return build


_SOME = "[MEGTbmS]{0,4}"
_BOUND = f"(?={_SOME}[ME]){_SOME}"
_UNDER = "(?P<under>[TmbS]{0,3}X)"
_SIZE_FORMS = (
    f"s (?:{_BOUND}|{_UNDER}) Nu [RM]?",
    "s [mbS]{0,3} Nu [RM]",
    f"M{{0,2}} s M? (?:{_BOUND}|T|{_UNDER}|b) Nu [RM]?",
    "M s Nu",
    "s [mbS]{0,2} n [mbS]{0,2} [VE] Nu",
    "n S? s [mbS]{0,2} V Nu",
    "m? n S? V Nu T s",
    "m? n s V Nu",
    "s [mbS]{0,2} V Nu (?:F|b?nb?A)",
    f"m? [KM] s (?:{_BOUND}|T|{_UNDER}) Nu [RM]?",
    f"[mS]{{0,2}} (?:{_BOUND}|{_UNDER}) Nu T s",
    "[mS]{0,2} Nu b? [MR] T s",
    "[mS]{0,2} Nu T s [MR]",
    "[mS]{0,2} T? M T? Nu T s",
    "n S s T V Nu",
    "M{1,2} u T s b? N",
)
_NESTING_FORMS = (
    f"[mS]{{0,2}} (?:{_BOUND}|{_UNDER}) N v",
    "m? n V N v",
    "m? n S V N v",
)
_NESTING_WORDS = {
    "": "code|in code|functions|function",
    "v": "levels of nesting|nesting levels|nested levels|levels of nested blocks|nested blocks|"
         "levels of block nesting|levels of nested code|nested blocks deep|level of nesting",
}  # fmt: skip
"""Units that name the nesting themselves; "3 levels" alone could be of anything."""


def _size_grammar(check: type[Check], subjects: str, units: str) -> Grammar:
    forms = tuple(form(pattern, _limit(check)) for pattern in _SIZE_FORMS)
    words = {"s": subjects, "u": units}
    prepositions = {"T": f"{LIMITS['T']}|per|within|into"}
    tables = [BASE, LIMITS, prepositions, _ALLOWED, _SIZE_WORDS, words]
    if check is MaxNesting:
        forms += tuple(form(pattern, _limit(check)) for pattern in _NESTING_FORMS)
        tables.append(_NESTING_WORDS)
    return Grammar(Lexicon(*tables), forms)


# t documented things, p public, d docstrings, D document, w without.
_DOCSTRING: dict[str, str] = {
    "": "code|a|in the code|their own|at least|own|appropriate|proper|corresponding|python|"
        "comprehensive|clear|concise|descriptive|meaningful",
    "n": NO.replace("without|", ""),
    "p": "public|exported|publicly visible|public facing|every public|publicly accessible",
    "t": "function|functions|class|classes|module|modules|functions and classes|"
         "classes and functions|function and class|class and function|functions or classes|"
         "functions and methods|functions , methods and classes|classes , functions and methods|"
         "functions , classes and methods|function or class|functions/classes|functions/methods|"
         "methods/functions|function/method|function/class|classes/functions|"
         "classes , methods and functions|class or function|function and method|"
         "classes and methods|functions , classes , and methods|"
         "functions , methods , and classes|classes , functions , and methods|"
         "classes , methods , and functions|methods and functions|function or method",
    "d": "docstring|docstrings|doc string|doc strings|doc comment|doc comments|javadoc|jsdoc|"
         "javadoc comment|jsdoc comment|javadoc comments|jsdoc comments|documentation comments|"
         "documentation comment|godoc|godoc comment|godoc comments|doc blocks|docblock|"
         "docblocks|rustdoc comments|jsdoc block|kdoc|rustdoc|rustdoc comment",
    "U": "have|has|include|contain|carry|come with|add|write|use|provide|be given|give|"
         "needs|need|require|requires|be documented with|be accompanied by|document|must have",
    "f": "for|to|on|in",
    "w": "without|lacking|missing",
    "R": REQUIRED,
    "F": FORBIDDEN,
}  # fmt: skip


def _docstring(reading: Reading) -> Check | None:
    words = reading.keys("t")[0]
    classes = "class" in words
    functions = "function" in words
    public = "p" in reading.letters
    if "module" in words:
        return RequiredDocstring("module", public_only=public)
    if classes and functions:
        return RequiredDocstring("any", public_only=public)
    if not functions and "method" in words:
        return None
    return RequiredDocstring("class" if classes else "function", public_only=public)


_DOC_FORMS = (
    "p?t m?U d",
    "m?U d f p?t",
    "d R f p?t",
    "d f p?t R",
    "p?t m d",
    "n U? p?t w d",
    "d f p?t m? R",
    "p?t w d F",
    "m?U p?t d",
    "U p?t U d",
)

# t functions, a annotations, v parameters, r return.
_TYPES: dict[str, str] = {
    "": "code|explicit|full|complete|fully|in python|python|proper|static|for their|their|own|"
        "with|explicitly|its",
    "n": NO.replace("without|", ""),
    "p": "public|exported|publicly visible",
    "t": "function|functions|function signatures|functions and methods|function signature|methods|"
         "functions/methods|signatures|methods and functions|method signatures|"
         "function definitions|function and method signatures|code|function declarations",
    "a": "type annotations|type hints|type annotation|type hint|typehints|annotations|types|"
         "type annotated|type hinted|annotated|typed|be typed|be annotated|be type annotated|"
         "be type hinted|typing|type hinting|be annotated with types|have types|"
         "be annotated with type hints",
    "v": "parameters|arguments|function parameters|function arguments|parameter types|"
         "method parameters|argument types",
    "r": "return types|return type|return type annotation|return type annotations|return values|"
         "return value|return type hints|return type hint|return annotations",
    "j": "and|&|and their",
    "U": "have|has|use|include|contain|carry|add|provide|declare|specify|need|needs|"
         "require|requires|state|write|define|come with|annotate|must have",
    "f": "for|on|to|in|of",
    "w": "without|lacking|missing",
    "R": REQUIRED,
    "F": FORBIDDEN,
}  # fmt: skip


def _types(target: str) -> Builder:
    def build(reading: Reading) -> Check:
        public = "p" in reading.letters
        return RequiredTypes.from_json({"target": target, "public_only": public})

    return build


_ALL_TYPES = (
    "p?t (?=[mbU]) m?b?U? a (?:fv(?:jr)?)?",
    "m?U a f p?t",
    "a R f p?t",
    "a f p?t R",
    "a f p?t m? R",
    "n U? p?t w a",
    "p?t w a F",
    "m?U a f p?t v jr",
    "m?U a f v jr",
    "p?t v jr (?=[mbU]) m?b?U? a",
    "m?U p?t a",
)
_PARAMETER_TYPES = (
    "(?:p?t f?)? v (?=[mbU]) m?b?U? a",
    "m?U a f p?t? v",
    "v f p?t (?=[mbU]) m?b?U? a",
)
_RETURN_TYPES = (
    "p?t m?b?U r a?",
    "m?U r a? f p?t",
    "r a? f p?t R",
    "n U? p?t w r",
    "p?t w r F",
    "r f p?t m b? a",
)

GRAMMARS: tuple[Grammar, ...] = (
    *(_size_grammar(check, subjects, units) for check, subjects, units in _SIZES),
    Grammar(Lexicon(BASE, _DOCSTRING), tuple(form(pattern, _docstring) for pattern in _DOC_FORMS)),
    Grammar(
        Lexicon(BASE, _TYPES),
        (
            *(form(pattern, _types("all")) for pattern in _ALL_TYPES),
            *(form(pattern, _types("parameters")) for pattern in _PARAMETER_TYPES),
            *(form(pattern, _types("return")) for pattern in _RETURN_TYPES),
        ),
    ),
)
