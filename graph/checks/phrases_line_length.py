"""How people state a maximum line length, in seven languages.

Letters: L a length of lines, l lines, o code, M maximum, E at most, G at most (said of length),
X under, V exceed, K keep or limit, W wrap, T a preposition, u characters, c columns, P per line,
R or less, S have or use, A allowed, Z forbidden, Q must be wrapped; of exemptions y except,
r URLs, s strings, k comments, i imports, j and, z are exempt.
"""

from __future__ import annotations

from graph.checks.parser_grammar import Grammar, Lexicon, Reading, form
from graph.checks.phrases_base import BASE
from graph.checks.phrases_languages import LINE_LENGTH_TABLES
from graph.checks.specs import MaxLineLength

SHORTEST, LONGEST = 20, 1_000
"""Columns outside of which a number in such a sentence is more likely to mean something else."""

_ENGLISH = {
    "": "hard|strict|strictly|set to|set at|enforced|configured|exact|"
        "source|written|write|for code|for lines|there|project|currently|still|python|fixed|"
        "formatted|standard|style|agreed|whole|single|individual|given|of code|it|in the repo|"
        "in the codebase|in the project|in the repository",
    "L": "line length|line lengths|length of lines|length of a line|length of each line|"
         "line width|line widths|length of any line|length of code lines|width of lines|"
         "length of your lines|length of the lines|length of every line|line length limit|"
         "line width limit|line limit|linelength|max_line_length|line_length|print width|"
         "line size|column width|lines length|length of all lines|code line length|"
         "code width|number of characters per line|number of columns per line|"
         "characters per line|columns per line|number of characters in a line|line lengths in code|"
         "length for lines|length of line|length for a line|length of lines of code|"
         "column limit|line length of code|width of a line|code line width",
    "l": "line|lines|lines of code|line of code|code lines|source lines|code line|lines in code|"
         "source code lines|individual lines|lines of source code|line of source code",
    "o": "code|source code|everything|all code|your code|our code|code and docs|"
         "code and documentation|code and comments",
    "M": "max|maximum|maximal|limit|cap|maximum permitted|maximum of|max of|max .|maximum allowed|"
         "hard limit|upper limit|hard limit of|limit of|max length|maximum length|"
         "maximum length of|"
         "maximum width|maximum width of|upper bound|limit set to|hard maximum|hard max|"
         "limited to|capped at|restricted to|ceiling|hard limit is|absolute maximum|maximum size|"
         "limited to a maximum of|limited to maximum|limited to at most|limited at|kept to|"
         "wrapped at|wrapped to|wrapped after|hard wrapped at|broken at|"
         "limited to a maximum length of",
    "E": "at most|no more than|not more than|up to|<=|≤|at maximum|at max|within|"
         "not over|a maximum of|no greater than|kept within|within a limit of|fit in|fit into|"
         "fit within|fit on|have at most|have no more than|contain at most|contain no more than|"
         "a max of|be limited to|kept to at most|kept to a maximum of|have a maximum of|"
         "fits in|fits within|stay within|no over|have up to|have max|may be up to|can be up to|"
         "may have up to|can have up to|may go up to|can go up to|as long as|may be as long as|"
         "can be as long as",
    "G": "no longer than|not longer than|no wider than|not wider than|be no longer than|"
         "have a maximum length of|have a max length of|have maximum length of|"
         "have a length of at most|no longer then|not be longer than|not be wider than|"
         "a maximum length of|kept no longer than|have a maximum width of",
    "X": "under|below|less than|fewer than|<|shorter than|kept under|kept below|"
         "be shorter than|strictly less than|strictly under|smaller than|kept shorter than|"
         "stay under|stay below|narrower than",
    "V": "exceed|exceeds|exceeding|go over|go beyond|longer than|over|wider than|more than|"
         "above|greater than|be longer than|be over|be wider than|surpass|go past|extend beyond|"
         "exceed a length of|be more than|have more than|contain more than|that exceed|"
         "that are longer than|which are longer than|that are over|exceed more than|going over|"
         "exceed a maximum of|exceed the limit of|longer then|>|extend past|go above|"
         "with more than|be longer then|run past|have a length over|cross|exceed over|"
         "may be longer than|"
         "may exceed|can be longer than|can exceed|may go over|is longer than|are longer than",
    "K": "keep|restrict|constrain|hold|limit the length of|keep the length of|"
         "restrict the length of|limiting|stick to|stay|adhere to|respect|observe|keep it",
    "W": "wrap|break|hard wrap|wrapped|split|wrap code|wrap lines|break lines|wrap your code|"
         "break long lines|wrap long lines|wrap your lines|we wrap|wraps|fold",
    "T": "to|at|of|in|by|after|on|for|as",
    "u": "characters|chars|character|char|characters long|chars long|characters wide|"
         "characters in length|chars wide|characters length|character long|characters in total|"
         "character length|ch|characters max length|characters in width|symbols",
    "c": "columns|cols|column|col|columns wide|columns long|columns width",
    "P": "per line|in a line|on a line|for lines|in each line|for each line|"
         "in one line|on one line|on a single line|in a single line|on each line|/line|"
         "for every line|in any line|for a line|per code line|per line of code|on any line|"
         "in length per line|wide lines|/ line|for line length|for the line length|of line length",
    "R": "or less|or fewer|or shorter|tops|or under|or below|at the most",
    "S": "use|we use|has|have|uses|set|enforce|enforces|follow|adopt|there is|allow|allows|"
         "we have|we enforce|apply|maintain|the project uses|project uses|go with|"
         "we follow|exists|with|is using|keep to|accept|we allow",
    "A": "allowed|permitted|accepted|acceptable|ok|okay|tolerated|fine|alright|all right",
    "Z": "are forbidden|are prohibited|is forbidden|are too long|is too long|are disallowed|"
         "are rejected|will be rejected|are banned|is prohibited|is disallowed|"
         "is not allowed|are not allowed|are not permitted|is not permitted|are not accepted|"
         "are not acceptable|not allowed|not permitted|forbidden|prohibited|fail the build|"
         "will fail the build|fail ci|are a violation|must be avoided",
    "Q": "must be wrapped|should be wrapped|must be broken|must be split|should be split|"
         "should be broken|need to be wrapped|must be broken up|should be broken up|"
         "have to be wrapped|must be reformatted|must be shortened|need to be split|"
         "must be split up|shall be wrapped|needs to be wrapped|must wrap|should be shortened",
    "y": "except|except for|excluding|with the exception of|unless it contains|"
         "unless they contain|other than|apart from|not counting|exception|exceptions|"
         "unless the line contains|not including|save for|unless it is|unless it's|"
         "with exceptions for|with an exception for|except when it contains|ignoring|"
         "except lines with|except for lines with|except lines that contain|unless they are|"
         "except for lines containing|except lines containing|excepting|"
         "except for lines that contain|exceptions are|only exception is|the only exceptions are",
    "r": "urls|url|long urls|links|long url|hyperlinks|long links|link|urls in comments",
    "s": "strings|string literals|long strings|string literal|long string literals|long string|"
         "literal strings",
    "k": "comments|comment lines",
    "i": "imports|import statements|import lines|import statement|import|long imports",
    "j": "and|or|and for|or for|&",
    "z": "are exempt|exempt|are excluded|excluded|may be longer|can be longer|excepted|"
         "is exempt|are exempted|may exceed it|may exceed this|may exceed the limit|"
         "may exceed this limit|can exceed this limit|are ok|are okay|are fine|are allowed|"
         "are an exception|are the exception|can exceed the limit|can go over|may go over|"
         "are allowed to be longer|are allowed to exceed this|don't count|do not count|"
         "are ignored|are the only exception|can exceed it|can exceed this|are not counted",
}  # fmt: skip

_SOME = "[MEGTbm]{0,4}"
_BOUND = f"(?={_SOME}[MEG]){_SOME}"
_CHARS = "[uc]"
_EXEMPT = r"(?P<exempt>\.?(?:y[rski](?:j?[rski])*|[rski](?:j?[rski])*z))?"
_UNDER = "(?P<under>[Tmb]{0,3}X)"


def _line_length(reading: Reading) -> MaxLineLength | None:
    limit = reading.number() - reading.has("under")
    if not SHORTEST <= limit <= LONGEST:
        return None
    exempt = reading.groups.get("exempt") or ""
    return MaxLineLength(
        limit,
        exempt_urls="r" in exempt,
        exempt_strings="s" in exempt,
        exempt_comments="k" in exempt,
        exempt_imports="i" in exempt,
    )


_FORMS = tuple(
    form(pattern + _EXEMPT, _line_length)
    for pattern in (
        # line length [must be] [at most] 88 [characters] [max]
        f"[SWmTKEM]{{0,3}} M{{0,2}} [LYl]?L M? (?:{_SOME}|{_UNDER}) N {_CHARS}? P? [RMEG]?",
        f"[SWmTKEM]{{0,3}} (?:Y|M{{1,2}}b?L) (?:{_SOME}|{_UNDER}) N {_CHARS}? P? [RMEG]?",
        # lines [must be] at most 88 characters
        f"l S? (?:{_BOUND}|{_UNDER}) N {_CHARS} [RMEG]?",
        f"l [mbST]{{0,3}} N {_CHARS} [RMEG]",
        f"l [mb]{{0,2}} (?:G|{_UNDER}) N",
        # lines up to 120 are fine, we allow lines of up to 120: a permission that ends somewhere
        f"S? l T? {_BOUND} N {_CHARS}? (?:b A|z)",
        f"S l T? {_BOUND} N {_CHARS}?",
        f"{_BOUND} N (?:{_CHARS} P|c) (?:b A|z)",
        # lines must not exceed 88 characters, no line over 88, avoid lines longer than 88
        f"[lL] [mbn]{{0,2}} n [mbS]{{0,2}} [VE] N {_CHARS}",
        "L [mb]{0,2} n [mb]{0,2} V T? N",
        f"n [S]? [lL] [mb]{{0,2}} V N {_CHARS} P?",
        "n [S]? [lL] [mb]{0,2} V N",
        f"m? n V N (?:{_CHARS} P|L)",
        f"l [mbS]{{0,2}} V N {_CHARS} (?:Z|Q|b?nb?A)",
        # keep lines under 88 characters, limit lines to 88 columns, wrap at 88
        f"m? [KM] P?l (?:{_SOME}|{_UNDER}) N {_CHARS} [RMEG]?",
        f"m? W [lo]? [TEM]{{1,2}} N {_CHARS}",
        f"[lo] [mb]{{0,2}} W [TEM]{{1,2}} N {_CHARS}",
        # code must fit in 80 columns; stay within 80 columns
        f"o (?:{_BOUND}|{_UNDER}) N (?:c|uP)",
        "o [mb]{0,2} N (?:c|uP) [RMEG]",
        f"m? [KSM] o? (?:{_SOME}|{_UNDER}) N (?:c|uP)",
        # at most 88 characters per line; 88 characters per line maximum
        f"[mSK]{{0,2}} (?:{_BOUND}|{_UNDER}) N (?:{_CHARS} P|c|L)",
        f"[mSKT]{{0,2}} N (?:{_CHARS} P|c|L) b? [RMEG]",
        f"P [mbS]{{0,2}} (?:{_BOUND}|{_UNDER}) N {_CHARS}",
        # a limit of 88 characters per line; an 88 character line limit
        f"[mSKT]{{0,3}} M? N {_CHARS}? (?:L M?|l M)",
        # 88 characters is the limit for lines
        f"[mSK]{{0,2}} N {_CHARS} T? b? M (?:P|T[Ll])",
        f"[mS]{{1,2}} N {_CHARS} T M L",
    )
)

GRAMMARS: tuple[Grammar, ...] = (
    Grammar(Lexicon(BASE, {"n": "no|avoid|without"}, _ENGLISH), _FORMS),
    *(Grammar(Lexicon(words), _FORMS) for words in LINE_LENGTH_TABLES),
)
