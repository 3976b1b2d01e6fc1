"""How people forbid calls, imports, constructs, words, files and dependencies.

Letters: n not, m must, b be, U use, F is forbidden, A allowed, j and; p a known function, c a known
construct, C other code, K call, I import, f a noun behind a name, o code as the subject, D remove,
d the word, l a known library.
"""

from __future__ import annotations

import re

from graph.checks.parser_grammar import Grammar, Lexicon, Reading, form, with_code
from graph.checks.phrases_base import BASE, FORBIDDEN, NO
from graph.checks.spec_code import Construct
from graph.checks.specs import (
    Check,
    Dependency,
    ForbiddenCall,
    ForbiddenImport,
    ForbiddenSyntax,
    ForbiddenText,
)

_CALLS: dict[str, tuple[str, ...]] = {
    "print|print statements|print statement|prints|print calls|debug prints|debugging prints|"
    "print debugging statements|debug print statements|print function|stray prints|"
    "stray print statements|debug print": ("print",),
    "eval": ("eval",),
    "exec": ("exec",),
    "console.log|console logs|console log|console.logs|console log statements|"
    "console.log statements|console.log calls": ("console.log",),
    "console statements|console.*|console calls|console methods": ("console.*",),
    "alert": ("alert",),
    "os.system": ("os.system",),
    "pdb.set_trace": ("pdb.set_trace",),
    "breakpoint": ("breakpoint",),
    "system.out.println": ("System.out.println",),
    "system.out.print": ("System.out.print",),
    "system.exit": ("System.exit",),
    "sys.exit": ("sys.exit",),
    "process.exit": ("process.exit",),
    "fmt.println": ("fmt.Println",),
    "fmt.printf": ("fmt.Printf",),
    "println!": ("println",),
    "eprintln!": ("eprintln",),
    "dbg!": ("dbg",),
    "panic!": ("panic",),
    "unwrap|.unwrap": (".unwrap",),
    "var_dump": ("var_dump",),
    "print_r": ("print_r",),
    "document.write": ("document.write",),
    "time.sleep": ("time.sleep",),
    "thread.sleep": ("Thread.sleep",),
    "strcpy": ("strcpy",),
    "strcat": ("strcat",),
    "sprintf": ("sprintf",),
    "gets": ("gets",),
    "datetime.utcnow": ("datetime.utcnow",),
    "pickle.loads": ("pickle.loads",),
    "yaml.load": ("yaml.load",),
    "nslog": ("NSLog",),
}
_BARE_WORDS_ARE_ENGLISH = frozenset({"alert", "gets", "panic!", "breakpoint", "unwrap", "prints"})
"""Known calls that also are everyday words: only in backquotes or with parentheses."""

CONSTRUCT_PHRASES: dict[Construct, str] = {
    "wildcard_import": "wildcard imports|wildcard import|star imports|star import|import *|"
                       "`import~*|from x import *|`from~x~import~*|from module import *|"
                       "`from~module~import~*|`from~foo~import~*|import * statements|* imports|"
                       "from … import *|`from~...~import~*|on demand imports|`*` imports|"
                       "`* imports",
    "relative_import": "relative imports|relative import|relative import statements",
    "bare_except": "bare except|bare excepts|bare except clauses|bare except :|bare `except|"
                   "bare `except:|`except:|bare except statements|bare except blocks|"
                   "bare `except: clauses|bare except clause|bare `except clauses|"
                   "bare `except: statements|bare except handlers|naked except clauses",
    "broad_except": "broad excepts|`except~exception|`except~exception:|broad except clauses|"
                    "blanket excepts|broad exception handlers|blanket except clauses",
    "empty_catch": "empty catch blocks|empty catch|empty catch block|empty catch clauses|"
                   "empty exception handlers|empty except blocks|empty `catch blocks",
    "debugger": "debugger|`debugger|debugger statements|debugger statement|`debugger statements",
    "var_declaration": "var|`var|var declarations|`var declarations|var keyword|`var keyword",
    "any_type": "`any|any type|`any type|type any|type `any|any types|`any types|"
                "any as a type|`any as a type|typescript's any|typescript's `any",
    "non_null_assertion": "non null assertions|non null assertion|non null assertion operator|"
                          "non null assertion operators",
    "default_export": "default exports|default export|`export~default|export default|"
                      "`default exports",
    "goto": "goto|`goto|goto statements|gotos|goto statement|`goto statements",
    "mutable_default": "mutable default arguments|mutable defaults|mutable default argument|"
                       "mutable default values|mutable default parameters|"
                       "mutable default argument values|mutable default parameter values|"
                       "mutable arguments as defaults|mutable objects as default arguments|"
                       "mutable values as default arguments|mutable types as default arguments",
    "global_statement": "`global|`global statement|global statements|global keyword|"
                        "`global keyword|global statement|`global statements",
    "lambda_assignment": "lambda assignments|assign lambdas|assign a lambda to a variable|"
                         "assign lambda to a variable|assign lambdas to variables|"
                         "assign a lambda to a name|lambdas assigned to variables|"
                         "assign lambda expressions to variables|assigning lambdas to variables",
    "nested_ternary": "nested ternaries|nested ternary|nested ternary operators|nest ternaries|"
                      "nested ternary expressions|nested conditional expressions|"
                      "nested ternary statements|nested conditional operators",
    "loose_equality": "loose equality|`==|loose comparisons|loose equality operators|"
                      "loose equality comparisons|loose equals",
    "unsafe_block": "`unsafe|unsafe blocks|`unsafe blocks|unsafe block|`unsafe code",
    "assert_statement": "`assert|assert statements|assert statement|`assert statements|asserts",
}  # fmt: skip
_LIBRARIES = (
    "lodash|moment|jquery|underscore|requests|numpy|pandas|six|unittest|mock|axios|react|"
    "pdb|ipdb|pickle|simplejson|ramda|rxjs|bluebird|left-pad|moment.js|tensorflow|boto|nose|"
    "optparse|unittest.mock|os.path|distutils|pkg_resources|imp|lombok|guava|pytz"
)

_FORBIDDEN_FORMS_OF_USE = "be used|used|be called|called|be committed|committed|merged|be merged"
_TABLE: dict[str, str] = {
    "": "in code|in the code|in your code|anywhere|statements in code|at all|in new code|into|"
         "in it|"
        "before committing|before merging|before you commit|before submitting|code|for any reason|"
        "before pushing|before opening a pull request|any|in committed code|in source code|"
        "ever|built in|builtin|native|under any circumstances|left|global|forgotten|please|"
        "in the source|directly|in pull requests|in source|behind|keyword|javascript|python|"
        "in shipped code|to the codebase|to declare variables|for declaring variables|"
         "for variable declarations|for variables|use absolute imports|prefer absolute imports",
    "n": NO,
    "F": FORBIDDEN,
    "A": f"allowed|permitted|accepted|acceptable|ok|okay|welcome|{_FORBIDDEN_FORMS_OF_USE}",
    "U": "use|using|write|add|have|leave|leave in|commit|include|introduce|usage of|uses of|"
         "use of|be using|rely on|contain|the use of|adding|leaving|usages of|uses|writing|"
         "committing|push|merge|leave behind|put|the usage of|be used",
    "K": "call|calling|calls to|calls of|invoke|calls|invoking|direct calls to",
    "I": "import|importing|imports of|imports from|import from|importing from|imports|"
         "be importing|import anything from|use imports from",
    "i": "be imported|imported",
    "f": "function|functions|statements|statement|calls|call|method|methods|macro|macros|"
         "keyword|module|package|library|operator|type|comments|directive|directives|comment",
    "o": "code|production code|library code|source code|new code|files|source files|lines",
    "D": "remove|delete|strip|get rid of|clean up",
    "d": "the word|the words|the term|the terms|the string|the text|the phrase|the strings|words|"
         "the literal|word|terms|term|literal|text|phrase|string",
    "j": "and|or|nor|&|/",
    "p": "|".join(
        f"`{name}|`{name}()" + ("" if name in _BARE_WORDS_ARE_ENGLISH else f"|{name}|{name}()")
        if " " not in name
        else name
        for names in _CALLS
        for name in names.split("|")
    )
    + "|println !|dbg !|eprintln !|gets()|alert()|unwrap()|breakpoint()|unwrap ()|"
      ".unwrap()|"
    "`print statements|print() statements|print() calls|print() function",
    "c": "|".join(CONSTRUCT_PHRASES.values()),
    "G": "`===|===|== =|== = operator|`=== operator|triple equals|"
         "strict equality|strict equality operators|strict equals",
    "l": with_code(_LIBRARIES),
}  # fmt: skip

_NAME_OF_CALL = {
    phrase.replace(" ", ""): names for key, names in _CALLS.items() for phrase in key.split("|")
}
_NAME_OF_CONSTRUCT = {
    phrase.replace("`", "").replace("~", " "): construct
    for construct, phrases in CONSTRUCT_PHRASES.items()
    for phrase in phrases.split("|")
}
_CALL = re.compile(r"\.?[A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*)*!?\((?:\.\.\.|…)?\)")
_DOTTED_NAME = re.compile(r"\.?[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*")
_MODULE = re.compile(r"@?[A-Za-z_][\w-]*(?:(?:\.|::|/)[\w-]+)*(?:/|\.\*)?")
_DIRECTIVE = re.compile(
    r"(?:#|//|--|/\*)\s?[a-z@][\w:@ -]{2,40}|@[a-z][\w-]{2,40}|!important"
    r"|(?:eslint|tslint|stylelint|prettier|rubocop|pylint|ts|nolint|noinspection)[:-][\w-]+"
    r"|type: ?ignore|noqa|nosec|nolint|shell=True|verify=False|dangerouslySetInnerHTML"
)
_WORD = re.compile(r"[^\W\d_][\w-]*")
_DEFINED_NOT_CALLED = frozenset({"init", "main", "constructor", "__init__", "__del__"})
"""Functions that people name when they mean their definition, which nobody calls by name."""

_FUNCTION_OR_METHOD = frozenset({"format", "map", "filter", "reduce", "sort", "replace"})
"""A function of one language and a method of another: which of both is meant, nobody can tell."""


def _call(reading: Reading) -> Check | None:
    """Calls, when every name in the list is one: known by us, or written with parentheses."""
    names: list[str] = []
    for letter, text in _named(reading, "pC"):
        if letter == "p":
            key = text.lower().replace(" ", "")
            names.extend(
                _NAME_OF_CALL.get(key) or _NAME_OF_CALL[key.split("(")[0].split("stat")[0]]
            )
        elif _CALL.fullmatch(text):
            names.append(text.split("(")[0].rstrip("!"))
            if names[-1] in _DEFINED_NOT_CALLED | _FUNCTION_OR_METHOD:
                return None
        elif "K" in reading.letters and _DOTTED_NAME.fullmatch(text):
            names.append(text)
        else:
            return None
    return ForbiddenCall(tuple(dict.fromkeys(names)))


def _named(reading: Reading, letters: str) -> list[tuple[str, str]]:
    return [
        (letter, " ".join(token.text for token in piece))
        for letter, piece in zip(reading.letters, reading.pieces, strict=True)
        if letter in letters
    ]


def _construct(reading: Reading) -> Check | None:
    found = {_NAME_OF_CONSTRUCT.get(key) for key in reading.keys("c")}
    construct = found.pop()
    return ForbiddenSyntax(construct) if not found and construct is not None else None


def _import(reading: Reading) -> Check | None:
    modules = [text.removesuffix(".*") for _, text in _named(reading, "lC")]
    if not all(_MODULE.fullmatch(module) and not module.endswith(")") for module in modules):
        return None
    return ForbiddenImport(tuple(dict.fromkeys(modules)))


def _import_line(reading: Reading) -> Check | None:
    """A whole statement in backquotes: "no `import pdb`"."""
    texts = reading.texts("C")
    lines = [re.fullmatch(r"import ([A-Za-z_][\w.]*)", text) for text in texts]
    return ForbiddenImport(tuple(line[1] for line in lines if line)) if all(lines) else None


def _directive(reading: Reading) -> Check | None:
    texts = reading.texts("C")
    return ForbiddenText(texts) if all(map(_DIRECTIVE.fullmatch, texts)) else None


def _words(reading: Reading) -> Check | None:
    texts = reading.texts("C")
    return ForbiddenText(texts, whole_word=all(map(_WORD.fullmatch, texts)))


def _dependency(reading: Reading) -> Check | None:
    names = tuple(text for _, text in _named(reading, "lC"))
    if not all(re.fullmatch(r"@?[\w./-]+", name) for name in names):
        return None
    return Dependency(deny=names)


_LIST = "f?[X](?:[j,]+n?[UK]?[X])*f?"


def _forbids(what: str, use: str = "U") -> tuple[str, ...]:
    """ "No X", "code must not use X", "X must not be used", "remove X"."""
    listed = _LIST.replace("X", what)
    return (
        f"o?m?b?n{use}?{listed}[mb]*A?",
        f"o?m?n{use}{listed}",
        f"{listed}F",
        f"{use}?{listed}F",
        f"{listed}[mb]*n[mb]*A",
        f"m?D{listed}",
        f"{listed}[mb]*D",
    )


_DEPENDENCY: dict[str, str] = {
    "": "third party|external|additional|extra|project|to the project|to this project|to exact|"
        "versions|version|to a specific version|to specific versions|exactly|in|for|"
        "to exact versions|to an exact version|with exact versions|an exact version|direct|"
        "exact|to a fixed version|extra|further|fixed|specific|with an exact version",
    "n": NO.replace("without|", ""),
    "F": FORBIDDEN,
    "A": "allowed|permitted|accepted|added|be added|introduced|be introduced|ok|okay|used",
    "U": "add|adding|introduce|introducing|bring in|pull in|include|use|depend on|adding of|have|"
         "take on|install|rely on|add a dependency on|add dependencies on|take a dependency on|"
         "introduce a dependency on|adding a dependency on",
    "d": "dependencies|dependency|packages|libraries|deps|third party libraries|package|library|"
         "third party dependencies|third party packages|requirements|external libraries",
    "q": "new dependencies|new dependency|new packages|new libraries|new third party dependencies|"
         "new external dependencies|new deps|additional dependencies|"
         "new third party libraries|extra dependencies|more dependencies|new third party packages|"
         "new external libraries|new library|further dependencies|new package",
    "P": "pin|be pinned|pinned|pinning|we pin|lock",
    "a": "as a dependency|as dependency|to the dependencies|as dependencies|to dependencies|"
         "to our dependencies",
    "x": "except|except for|other than|apart from|besides",
    "j": "and|or|nor",
    "l": with_code(_LIBRARIES),
    "w": "without|with no",
    "g": "pinned versions|an exact version|exact versions|pinned version|a pinned version|"
         "exact version|version pins|a version pin",
}  # fmt: skip


def _no_new(reading: Reading) -> Check | None:
    names = tuple(text for _, text in _named(reading, "lC"))
    if not all(re.fullmatch(r"@?[\w./-]+", name) for name in names):
        return None
    return Dependency(allow=names) if names else Dependency(no_new=True)


_LIBS = "[lC](?:[j,]+[lC])*"
_DEPENDENCY_FORMS = (
    form(f"m?nU?q(?:x{_LIBS})?", _no_new),
    form("qF|q[mb]*n[mb]*A", _no_new),
    form("m?Pd|d[mb]*P|d[mb]*g|nU?dwg", lambda *_: Dependency(pinned=True)),
    form(f"m?nU{_LIBS}a", _dependency),
    form(f"{_LIBS}[mb]*n[mb]*Aa", _dependency),
)

GRAMMARS: tuple[Grammar, ...] = (
    Grammar(
        Lexicon(BASE, _TABLE),
        (
            *(form(pattern, _call) for pattern in _forbids("pC", "[UK]")),
            *(form(pattern, _construct) for pattern in _forbids("c", "[UI]")),
            form("m?UG", lambda *_: ForbiddenSyntax("loose_equality")),
            form(f"o?m?nU?I{_LIST.replace('X', 'lC')}", _import),
            form(f"o?I{_LIST.replace('X', 'lC')}F", _import),
            form(f"{_LIST.replace('X', 'lC')}[mb]*n[mb]*i", _import),
            *(form(pattern, _import_line) for pattern in _forbids("C")),
            *(form(pattern, _directive) for pattern in _forbids("C")),
            form("o?m?nU?dC(?:[j,]+d?C)*", _words),
            form("o?m?nU?C(?:[j,]+C)*d", _words),
            form("dC(?:[j,]+C)*(?:F|[mb]*n[mb]*A)", _words),
        ),
        commas=True,
    ),
    Grammar(Lexicon(BASE, _DEPENDENCY), _DEPENDENCY_FORMS, commas=True),
)
