"""How people state rules on white space, indentation, line ends, quotes and open tasks.

Letters: n not, m must, b be, U use or leave, F is forbidden, A allowed, R is required; the others
stand at each grammar.
"""

from __future__ import annotations

from graph.checks.parser_grammar import NUMBER, Grammar, Lexicon, Reading, form, with_code
from graph.checks.phrases_base import BASE, FORBIDDEN, NO, REQUIRED
from graph.checks.specs import (
    Check,
    FinalNewline,
    ForbiddenTodo,
    Indentation,
    LineEndings,
    QuoteStyle,
    TodoNeedsTicket,
    TrailingWhitespace,
)

_RULE = {
    "F": FORBIDDEN,
    "R": REQUIRED,
    "A": "allowed|permitted|accepted|acceptable|used|be used|ok|okay|present|committed|added",
    "U": "use|using|leave|have|add|commit|include|introduce|contain|put|we use|usage of|"
         "keep|insert|leave behind|stick to|uses|has|enforce|the use of|use of|leaving|adding|"
         "maintain",
    "j": "and|or|nor|&|/|and no|or any",
}  # fmt: skip

# w trailing white space, W white space, e end with, l lines, D remove.
_TRAILING = {
    "": "code|in code|unnecessary|at all|lines|from lines|in your code|on lines|"
         "at the end of lines|at the ends of lines|at the end of each line|"
        "at end of lines|on any line|from your code|from all lines|from files|in files|"
        "at the end of a line|before committing|before you commit|from every line|files|"
        "on every line|in source files|from the end of lines|line|of code",
    "n": NO,
    "w": "trailing whitespace|trailing white space|trailing spaces|trailing whitespaces|"
         "trailing white spaces|trailing blanks|end of line whitespace|trailing space|"
         "whitespace at the end of lines|whitespace at the end of a line|trailing tabs|"
         "spaces at the end of lines|whitespace at the end of the line|trailing tabs or spaces|"
         "whitespace at end of line|whitespace at line ends|trailing whitespace characters|"
         "spaces at the end of a line|whitespace at the end of any line|line trailing whitespace|"
         "trailing spaces or tabs|white space at the end of lines|spaces at the end of the line|"
         "extra whitespace at the end of lines|trailing spaces and tabs|"
         "trailing whitespace at the end of lines|trailing whitespace at the ends of lines",
    "W": "whitespace|white space|spaces|spaces or tabs|a space|whitespaces",
    "e": "end in|end with|have trailing",
    "D": "remove|strip|delete|trim|clean up|get rid of|eliminate|be trimmed|be removed|"
         "be stripped|be deleted",
}  # fmt: skip
_TRAILING_ELSEWHERE = {
    "e": "行尾|行末",
    "W": "空格|空白",
    "n": "keine|kein|sin|sem|pas de|pas|não deixe|no dejes|no dejar|no deje|ne pas laisser|"
         "vermeide|évitez|evita|evite|aucun|aucune|请勿|不要|禁止|不允许|不得|不能|不要有|不要留|"
         "没有|不留|避免",
    "w": "leerzeichen am zeilenende|leerraum am zeilenende|"
         "espacios en blanco al final de las líneas|"
         "espacios al final de línea|espacios al final de las líneas|espacios en blanco al final|"
         "espacios al final de la línea|espacios en blanco al final de línea|espaços no final das "
         "linhas|espaços em branco no final das linhas|espaços no fim da linha|"
         "espaços em branco no fim das linhas|espaces en fin de ligne|d'espaces en fin de ligne|"
         "espaces en fin de lignes|espace en fin de ligne|行尾空格|行尾空白|尾随空格|行末空格|"
         "行末尾空格|末尾空格|行尾的空格",
    "p": "行末の空白|行末に空白|行末の空白文字|行末にスペース|行末のスペース|末尾の空白|行末空白",
    "q": "を残さない|を残さないでください|を残さないこと|を入れない|を入れないでください|"
         "は禁止|は禁止です|を入れないこと|は削除してください|を削除する|を削除してください|"
         "は残さないでください|は不要です",
    "": "bitte|por favor|en el código|no código|na|se|s'il vous plaît|laissez|de|ne|有|留|留有|"
        "出现|存在|代码|中|的|在",
}  # fmt: skip

# s spaces, t tabs, i for indentation, I indent, N the number of spaces.
_INDENT = {
    "": "code|character|characters|only|exclusively|per level|consistently|strictly|tab size|"
        "soft|in code|source|source code|actual|wide|files|hard|instead|in files",
    "n": f"{NO}|instead of|rather than|and not|not|, not|over",
    "s": "spaces|space|space characters|spaces only|space characters only|soft tabs",
    "t": "tabs|tab|tab characters|hard tabs|tabulators|tab characters only|literal tabs",
    "i": "for indentation|for indenting|to indent|for indents|indentation|indents|"
         "per indentation level|per indent|for each indentation level|for the indentation|"
         "for indenting code|for all indentation|as indentation|per indent level|to indent code|"
         "for each indent|per level of indentation|for each level of indentation|"
         "for each level|for code indentation|indent size|indentation level|for every indent",
    "I": "indent|indented with|indented using|indent with|indent using|indented by|indent by|"
         "indent your code with|indent code with|we indent with|indent your code using|"
         "indent code using|indentation with|indentation using|we indent using|indented|"
         "use an indent of|use an indentation of|use indentation of|have an indent of|"
         "use an indentation level of",
    "T": "with|using|by|of|in",
}  # fmt: skip
_INDENT_ELSEWHERE = {
    "": "bitte|por favor|de|la|el|para a|en lugar|en vez|im code|se|le|das|die|les|para|indentação",
    "U": "usa|usar|use|utilice|utiliza|verwende|verwenden|benutze|utilisez|utiliser|nutze",
    "s": "espacios|espaços|leerzeichen|espaces|des espaces",
    "t": "tabuladores|tabs|tabulações|tabulatoren|tabulations|tabuladores .|des tabulations",
    "n": "no|não|statt|anstatt|keine|en lugar de|en vez de|em vez de|au lieu de|pas de|pas|nicht|"
         "au lieu des|y no|e não|und nicht|et non|ao invés de|keinen",
    "i": "para indentar|para la indentación|para indentação|zum einrücken|pour l'indentation|"
         "para sangrar|zur einrückung|pour indenter|für die einrückung",
}  # fmt: skip
_INDENT_CHINESE = {
    "": "请|的|来|进行|我们|代码|一律|统一|个|必须|应|应该|要|和|作为|都",
    "U": "使用|用",
    "s": "空格",
    "t": "制表符|tab|tabs|tab键",
    "n": "不要|而不是|不要使用|而非|不使用|禁止使用|不用|请勿使用|禁止|不是|代替|不要用",
    "i": "缩进",
}  # fmt: skip

# f files, e end with, w a newline, g at the end of the file, D add.
_NEWLINE = {
    "": "source|text|code|single|one|exactly one|a single|just one|blank|there|and only one|"
        "ensure there is|python|and exactly one",
    "n": "avoid|no",
    "f": "file|files|source files|text files|source file|code files|of file",
    "e": "end with|end in|ends with|ends in|terminate with|be terminated by|be terminated with|"
         "finish with|end files with|end all files with|ending with|end on|end each file with|"
         "end every file with|end your files with|terminated by|terminated with|"
         "close files with|finish files with|end a file with|end the file with|ended with|"
         "be ended with|terminated with",
    "w": "newline|new line|newline character|trailing newline|line feed|final newline|linefeed|"
         "eol|newlines|new line character|trailing new line|empty line|blank line|newline char|"
         "line break",
    "h": "final newline|newline at end of file|newline at the end of file|newline at eof|"
         "newline at the end of the file|new line at the end of the file|newline at file end|"
         "trailing newline at end of file|new line at end of file|newline at the end of files|"
         "newline at the end of each file|newline at the end of every file|final newlines|"
         "new line at the end of every file|newline at the end|new line at the end of each file|"
         "new line at the end of file|newline at the end of all files|newline at end of files|"
         "blank line at the end of each file|trailing newline|new line at eof|"
         "newline at the end of a file|newline at the end of your files|trailing newlines|"
         "newline character at the end of the file|newline character at the end of each file|"
         "newline character at the end of every file|newline character at end of file|"
         "empty line at the end of the file|"
         "newline at the end of any file|empty line at the end of each file",
    "x": "without|missing|omit|forget|remove|lacking|that lack",
}  # fmt: skip

# u Unix ends, c Windows ends, E line endings.
_ENDINGS = {
    "": "code|for all files|in files|files|text|only|for|with|source|style|for line endings|in git|"
        "as line ending|as line endings|as the line ending|as end of line|"
        "characters|character|for source files|committed",
    "n": f"{NO}|instead of|rather than|and not|, not|over",
    "u": "lf|unix|\\n|`lf|`\\n|unix style|unix lf|linux|posix",
    "c": "crlf|windows|dos|\\r\\n|`crlf|`\\r\\n|windows style|dos style|cr lf",
    "E": "line endings|line ending|line ends|newlines|end of line|eol|line breaks|eols|"
         "line feeds|line terminators|end of line characters|endings|linefeeds|line end|linefeed|"
         "line feed",
    "T": "in|as|with|to",
}  # fmt: skip

# d double, s single, q quotes, k for strings, a except to avoid escaping.
_QUOTES = {
    "": "in code|consistently|only|around|quotation|code|literal|characters|marks|delimited by|"
        "enclosed in|everywhere|in|with|surrounded by|written|wrapped in|quoted with|as|"
        "defined with|quotes :|quotation marks :|string quotes :",
    "n": f"{NO}|instead of|rather than|and not|, not|over",
    "d": 'double quotes|double quote|double quoted|double quotation marks|`"|'
         "double quote marks",
    "s": "single quotes|single quote|single quoted|single quotation marks|`'|single quote marks",
    "k": "for strings|strings|string literals|string|for string literals|for all strings|"
         "on strings|for string|for every string|around strings|string quotes|quotes for strings|"
         "for quoting strings|to quote strings|string constants|literals|for string constants",
    "a": "except to avoid escaping|unless the string contains double quotes|"
         "unless the string contains single quotes|unless this avoids escaping|to avoid escaping|"
         "unless it avoids escaping|except to avoid escapes|unless escaping is needed|"
         "unless needed to avoid escaping|except when it avoids escaping|"
         "unless doing so avoids escaping|unless you need to avoid escaping",
}  # fmt: skip

# o TODO words, g ticket, x without, v reference.
_TODO = {
    "": "comment|comments|in code|markers|code|marker|in the code|behind|in comments|notes|"
        "in your code|tags|in source|in source code|associated|valid|corresponding|related|open|"
        "matching|in it|merge|merged|into|number|next to it|jira|github|existing|tracking|linked|"
        "in master|in main|on main|in production code|style|annotations|statements|left",
    "n": NO,
    "o": with_code("todo|todos|fixme|fixmes|hack|xxx|to do's|todo's|hacks"),
    "g": "ticket|issue|issue number|ticket number|issue link|tickets|ticket id|github issue|"
         "jira ticket|issues|bug number|link to an issue|link to a ticket|issue reference|"
         "ticket reference|jira key|reference to an issue|reference to a ticket|issue id|"
         "jira id|link to the issue|link to a github issue|reference to a github issue|"
         "reference to the issue|link to the ticket|link to its issue|link to a jira ticket|"
         "an issue number|a ticket number|link to an open issue|tracking issue|issue url",
    "x": "without|that lack|lacking|missing|that do not have|without an accompanying",
    "v": "reference|link to|include|have|mention|be linked to|refer to|cite|contain|carry|"
         "point to|reference to|be accompanied by|be tied to|needs|need|be associated with|"
         "come with|link|has|be followed by|name|require|be tracked by|be backed by|requires|state|"
         "be tracked in|references|must have|tracked in",
}  # fmt: skip


def _indentation(reading: Reading) -> Indentation | None:
    if NUMBER in reading.letters and reading.has("spaces") and reading.number() == 1:
        return None  # one space stands between words; nobody indents with it
    return Indentation("spaces" if reading.has("spaces") else "tabs")


def _quotes(reading: Reading) -> QuoteStyle:
    return QuoteStyle("double" if reading.has("double") else "single")


def _endings(reading: Reading) -> LineEndings:
    return LineEndings("lf" if reading.has("lf") else "crlf")


def _todo_words(reading: Reading) -> tuple[str, ...]:
    names = {"t": "TODO", "f": "FIXME", "h": "HACK", "x": "XXX"}
    return tuple(dict.fromkeys(names[key.lstrip("`")[0]] for key in reading.keys("o")))


def _todo_ticket(reading: Reading) -> Check:
    return TodoNeedsTicket(words=_todo_words(reading))


def _todo(reading: Reading) -> Check:
    return ForbiddenTodo(words=_todo_words(reading))


_INDENT_FORMS = tuple(
    form(f"(?P<{name}>{pattern})", _indentation)
    for name, a, o in (("spaces", "N?sN?", "t"), ("tabs", "t", "N?s"))
    for pattern in (
        f"m?U{a}i,?(?:j?nU?{o}i?)?",
        f"m?U{a},?j?nU?{o}i?",
        f"m?U{a}i?[,.]?j?m?nU{o}i?",
        f"{a},?n{o}i?",
        f"{a}i",
        f"i?m?b?U?{a}i?[,.]?j?nU?{o}i?",
        f"i[mb]?U?[T]?{a}(?:[,.]?j?nU?{o})?",
        f"i?[mb]*[IU]T?{a}i?(?:[,.]?j?nU?{o})?",
        f"m?[IU]?T?{a}i?(?:[,.]?j?m?nU?{o}i?)",
        f"m?IT?{a}",
        f"m?nU?{o}i?(?:[,.]?j?m?U?{a}i?)?",
        f"m?nI{o}",
        f"{o}i?(?:[mb]*F|[mb]*nb?A)",
        f"{o}i?F(?:[,.]?U{a}i?)?",
    )
)

_FORBIDS = ("m?nU?{x}", "{x}F", "{x}[mb]*n[mb]*A")


def _forbids(what: str) -> tuple[str, ...]:
    """A thing forbidden outright: "no X", "don't use X", "X is not allowed"."""
    return tuple(pattern.replace("{x}", what) for pattern in _FORBIDS)


GRAMMARS: tuple[Grammar, ...] = (
    Grammar(
        Lexicon(BASE, _RULE, _TRAILING),
        tuple(
            form(pattern, lambda *_: TrailingWhitespace())
            for pattern in (*_forbids("w(?:jw)?"), "m?nb?e[Ww]", "m?Dw", "w[mb]*D", "nWe")
        ),
    ),
    Grammar(
        Lexicon(_TRAILING_ELSEWHERE),
        tuple(form(pattern, lambda *_: TrailingWhitespace()) for pattern in ("nw", "pq", "en[Ww]")),
    ),
    Grammar(Lexicon(BASE, _RULE, _INDENT), _INDENT_FORMS, commas=True),
    Grammar(Lexicon(_INDENT_ELSEWHERE), _INDENT_FORMS, commas=True),
    Grammar(Lexicon(_INDENT_CHINESE), _INDENT_FORMS, commas=True),
    Grammar(
        Lexicon(BASE, _RULE, _NEWLINE),
        tuple(
            form(pattern, lambda *_: FinalNewline())
            for pattern in (
                "f[mb]*e[wh]",
                "m?e[wh]",
                "m?Uh",
                "f[mb]*U?h",
                "hR",
                "nfx[wh]",
                "f[mb]*Uh",
                "m?nxh",
                "fx[wh]F",
                "h[mb]*A",
                "m?fe[wh]",
            )
        ),
    ),
    Grammar(
        Lexicon(BASE, _RULE, _ENDINGS),
        tuple(
            form(f"(?P<{name}>{pattern})", _endings)
            for name, a, o in (("lf", "u", "c"), ("crlf", "c", "u"))
            for pattern in (
                f"m?U{a}E?(?:{a})?E?(?:n{o}E?)?",
                f"{a}{a}?E{a}?",
                f"E[mb]*U?T?{a}{a}?(?:n{o})?",
                f"m?nU?{o}E",
                f"{o}E?F",
                f"{o}E?[mb]*nA",
                f"{a}E{a}?R",
                f"m?U?T?{a}E?n{o}E?",
                f"[mb]*U?T?{a}{a}?E",
            )
        ),
    ),
    Grammar(
        Lexicon(BASE, _RULE, _QUOTES),
        tuple(
            form(f"(?P<{name}>{pattern})a?", _quotes)
            for name, a, o in (("double", "d", "s"), ("single", "s", "d"))
            for pattern in (
                f"m?Uk?{a}k?(?:nU?{o}k?)?",
                f"k[mb]*U?{a}k?(?:n{o})?",
                f"{a}n{o}k?",
                f"{a}k",
                f"{a}kn{o}",
                f"m?nU{o}k?(?:U{a}k?)?",
                f"{o}k?F",
            )
        ),
    ),
    Grammar(
        Lexicon(BASE, _RULE, _TODO),
        (
            *(
                form(pattern, _todo_ticket)
                for pattern in (
                    "(?P<o>o(?:jo)*)m?[vU]g",
                    "nU?o(?:jo)*xg",
                    "m?U?go(?:jo)*",
                    "oxgF",
                    "o(?:jo)*xg[mb]*nA",
                    "o(?:jo)*[mb]*vg",
                    "o(?:jo)*mg",
                    "m?nUo(?:jo)*xg",
                )
            ),
            *(form(pattern, _todo) for pattern in _forbids("o(?:jo)*")),
        ),
    ),
)
