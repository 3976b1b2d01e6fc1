"""How people state the form of names.

Letters: m must, b be; the others stand at the tables.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from graph.checks.parser_grammar import Grammar, Lexicon, Reading, form, with_code
from graph.checks.phrases_base import BASE
from graph.checks.spec_code import NamedThing, NameStyle
from graph.checks.specs import Check, Naming

# t the named thing, s the style, U use, N named.
TARGET_PHRASES: dict[NamedThing, str] = {
    "file": "file|files|file names|filenames|filename|file name|source files|source file names|"
            "names of files|module file names|source filenames",
    "function": "function|functions|function names|function name|names of functions",
    "method": "method|methods|method names|method name|names of methods",
    "class": "class|classes|class names|class name|names of classes",
    "interface": "interface|interfaces|interface names|interface name",
    "constant": "constant|constants|constant names|constant name|names of constants|consts",
    "variable": "variable|variables|variable names|variable name|names of variables|"
                "local variables|local variable names",
    "parameter": "parameter|parameters|parameter names|function parameters|argument names|"
                 "function arguments|arguments",
}  # fmt: skip
STYLE_PHRASES: dict[NameStyle, str] = {
    "snake_case": "snake_case|snake case|snakecase|lower_snake_case|lower snake case|"
                  "lower_case_with_underscores|lowercase_with_underscores|"
                  "lowercase with underscores|lower case with underscores|"
                  "lowercase separated by underscores|lowercase and underscores",
    "camelCase": "camelcase|camel case|lowercamelcase|lower camel case|mixedcase",
    "PascalCase": "pascalcase|pascal case|uppercamelcase|upper camel case|capwords|studlycaps|"
                  "studly caps|upper camelcase|cap words|pascal casing",
    "kebab-case": "kebab case|kebabcase|dash case|lowercase with hyphens|lowercase with dashes|"
                  "hyphen case|lower kebab case|`kebab-case|spinal case|lowercase and hyphens",
    "UPPER_CASE": "upper_case|upper_snake_case|screaming_snake_case|screaming snake case|"
                  "upper snake case|all caps with underscores|upper case with underscores|"
                  "uppercase with underscores|constant_case|uppercase_with_underscores|"
                  "upper_case_with_underscores|uppercase snake case|upper case snake case|"
                  "all_caps|all_caps_with_underscores|all caps snake case|"
                  "screaming snakecase|all uppercase with underscores|constant case|uppercase|"
                  "upper case|all caps|all uppercase|all upper case|uppercase letters|"
                  "all uppercase letters|capital letters|upper case letters|"
                  "capital letters with underscores|uppercase snake_case|allcaps",
}  # fmt: skip
_TARGET_OF = {
    phrase: target for target, phrases in TARGET_PHRASES.items() for phrase in phrases.split("|")
}
_STYLE_OF = {
    phrase.lstrip("`"): style
    for style, phrases in STYLE_PHRASES.items()
    for phrase in phrases.split("|")
}
_NAMING: dict[str, str] = {
    "": "case|naming|convention|style|written|using|with|in|naming convention|follow|follows|"
        "format|as|be in|formatted|names|for names of|by convention|python|all lowercase|notation|"
        "strictly|own|the use of|going forward|cased|casing|conventions|name of",
    "t": "|".join(_TARGET_OF),
    "s": with_code("|".join(_STYLE_OF)),
    "U": "use|we use|uses|using|is written in|are written in|adopt|employ|have|stick to|apply",
    "N": "named|name|call|be named|are named|is named|naming of|written|be written|are written|"
         "capitalized|be capitalized|are capitalized",
    "j": "and|&|or",
    "f": "for|when naming|to name|for all|as|in naming|for naming",
    "S": "start with|begin with|be prefixed with|have the prefix|start with the prefix|"
         "begin with the prefix|are prefixed with|carry the prefix|starts with|starting with|"
         "prefixed with|use the prefix|begins with|have prefix|start with prefix",
    "E": "end with|end in|be suffixed with|have the suffix|end with the suffix|ends with|"
         "are suffixed with|carry the suffix|ending with|suffixed with|use the suffix",
}  # fmt: skip


_TARGETS = "t(?:j*t)*"


def _naming(reading: Reading) -> Check | None:
    targets = tuple(dict.fromkeys(_TARGET_OF[key] for key in reading.keys("t")))
    if "function" in targets:  # the check of functions is of methods too
        targets = tuple(target for target in targets if target != "method")
    text = reading.texts("s")[0]
    style = _STYLE_OF[text.lower().replace("-", " ")] if text.lower() not in _STYLE_OF else None
    style = style or _STYLE_OF[text.lower()]
    if style == "UPPER_CASE" and text.lower() in _CAPITALS and targets != ("constant",):
        return None
    if style == "camelCase":
        style = _which_camel(text, targets)
    return Naming(targets[0], style, also=targets[1:]) if style else None


_CAPITALS = frozenset(("uppercase", "upper case", "all caps", "all uppercase", "all upper case",
                       "uppercase letters", "all uppercase letters", "capital letters",
                       "upper case letters"))  # fmt: skip
"""Said of constants, whose words "_" joins; of a file or a class they say no form."""


def _which_camel(text: str, targets: Sequence[NamedThing]) -> NameStyle | None:
    """ "CamelCase" is PascalCase where types are meant; with a small c it is camelCase."""
    types = set(targets) <= {"class", "interface"}
    if text[0].isupper():
        return "PascalCase" if types and text.lower() == "camelcase" else None
    return None if {"class", "interface"} & set(targets) else "camelCase"


def _affix(reading: Reading) -> Check | None:
    target = _TARGET_OF[reading.keys("t")[0]]
    text = reading.texts("C")[0]
    if not re.fullmatch(r"[\w.-]{1,40}\*?", text):
        return None
    literal = re.escape(text.rstrip("*")).replace(r"\-", "-")
    if target == "file" and "." in text and "S" in reading.letters:
        return None
    return Naming(target, pattern=f"{literal}.*" if "S" in reading.letters else f".*{literal}")


GRAMMARS: tuple[Grammar, ...] = (
    Grammar(
        Lexicon(BASE, _NAMING),
        (
            *(
                form(pattern.replace("T", _TARGETS), _naming)
                for pattern in (
                    "T [mb]*N?U?N? s",
                    "m?U s f T",
                    "m?N T s",
                    "s f T",
                    "T [mb]*U s f?",
                    "m?U s T",
                    "m?U s N? T",
                    "m?N T U?s",
                )
            ),
            form("t [mb]*N? [SE] C", _affix),
        ),
    ),
)
