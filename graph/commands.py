"""The closed grammar of commands, the same in Slack, in GitHub comments and on the command line."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from difflib import get_close_matches
from typing import Literal, get_args

from graph.conventions import MODES, TOPICS, Mode, Topic

CommandName = Literal[
    "list", "show", "add", "edit", "forget", "restore", "undo", "approve", "dismiss", "history",
    "export", "import", "review", "why", "cancel", "pause", "resume", "help",
    "link", "unlink", "login", "logout", "confirm",
]  # fmt: skip
COMMANDS: tuple[CommandName, ...] = get_args(CommandName)


@dataclass(frozen=True)
class Command:
    """A command as it was meant. Fields that its grammar does not have keep their default.

    `ids` are normalised ("C7"). `text` is the rule of add and edit, as it was written; `argument`
    is the one word of link (owner/name), export ("json" or "markdown") and import (a path).
    For list, `argument` is a filter of `LIST_FILTERS`, or empty. `repository` is the prefix
    "repo:owner/name", with which a channel of several chooses. `until` is the last day of a rule
    ("2027-01-31"), or "never". `is_org` is the flag --org: the whole organisation is meant.
    """

    name: CommandName
    ids: tuple[str, ...] = ()
    text: str = ""
    argument: str = ""
    paths: tuple[str, ...] = ()
    topic: Topic | None = None
    mode: Mode | None = None
    repository: str | None = None
    until: str = ""
    is_org: bool = False


@dataclass(frozen=True)
class NotACommand:
    """Free words: teaching, a question, or nothing."""


@dataclass(frozen=True)
class UnknownCommand:
    """Meant as a command and not understood. `help` is one sentence that says what to write."""

    word: str
    help: str
    suggestion: str | None = None


Parsed = Command | NotACommand | UnknownCommand

_ALIASES: dict[str, CommandName] = {
    "conventions": "list", "convention": "list", "rules": "list", "ls": "list",
    "delete": "forget", "remove": "forget", "rm": "forget", "remember": "add", "new": "add",
    "accept": "approve", "reject": "dismiss", "log": "history", "stop": "cancel",
    "unpause": "resume", "update": "edit", "re-review": "review", "rereview": "review",
    "signin": "login", "signout": "logout", "commands": "help", "?": "help", "explain": "why",
    "unforget": "restore",
}  # fmt: skip
_CORE = {*COMMANDS, "delete", "conventions", "remember"}
_NEEDS_ID = {"show", "edit", "forget", "restore", "approve", "dismiss", "history"}
_ALONE = {
    "list", "undo", "review", "why", "cancel", "pause", "resume", "help", "unlink", "login",
    "logout", "confirm",
}  # fmt: skip
_OWN_LINK = {"me", "my account", "my github account", "my github"}

LIST_FILTERS = frozenset({"unused", "deleted", "proposed", "expired"})
_PREFIXES = {"conventions", "convention"}

_LONGEST_WORD = 14
_ID = re.compile(r"(?<![A-Za-z0-9_/.])#?([CcOo])-?(\d{1,9})(?![A-Za-z0-9_])")
_FILLER = {
    "please", "pls", "plz", "it", "this", "that", "again", "now", "the", "a", "all", "of", "our",
    "my", "me", "convention", "conventions", "rule", "rules", "and", "pr", "pull", "request",
    "current", "last", "for", "id", "proposal", "thanks", "everything", "one", "in", "as", "active",
    "review", "reviews", "reviewing", "out", "account", "github", "to", "here", "us",
}  # fmt: skip
_LISTING = re.compile(
    r"(?:(?:show|list|give|print|display|see|what are|what're|which are)(?: me| us)?(?: all)?"
    r"(?: of)?(?: the| our| your| my)?(?: current| active| saved| team)? (?:conventions|rules)"
    r"(?: please| again| we have| so far| do we have| you know| for this repo)*"
    r"|(?:what|which) (?:conventions|rules) (?:do we have|are there|are active|do you know|apply))",
    re.IGNORECASE,
)
_HELPING = re.compile(
    r"(?:(?:hello|hi|hey|good (?:morning|afternoon|evening)|hallo|hola|bonjour|olá|你好|您好"
    r"|こんにちは)(?: there| again| bot| everybody| everyone)?[\s,.!，。！]*)?"
    r"(?:what (?:can|could|do) you do(?: for (?:me|us))?(?: here)?|who are you"
    r"|what are you(?: for)?|what can (?:i|we) (?:do|say|ask|write)(?: you)?(?: here)?"
    r"|how (?:does (?:this|it)|do you) work"
    r"|how (?:do|can|should) (?:i|we) (?:use|talk to|teach) you(?: a rule| rules| something)?"
    r"|how (?:do|can) (?:i|we) (?:start|begin|get started)"
    r"|(?:what|which) commands (?:are there|do you (?:know|have|understand|take))"
    r"|was kannst du(?: alles)?|wie funktionierst du|wer bist du|qué puedes hacer|quién eres"
    r"|que sais-tu faire|qui es-tu|o que você (?:pode|sabe) fazer|quem é você"
    r"|你(?:能|会|可以)(?:做|干)(?:什么|啥)|你是谁|何ができ(?:る|ます)(?:の|か)?|あなたは誰(?:ですか)?)"
    r"[\s?.!？。！]*",
    re.IGNORECASE,
)
_ABOUT_RULES = re.compile(r"\b(?:rules?|conventions?|limit|policy|\d+)\b", re.IGNORECASE)
_FLAG = re.compile(
    r"(?:(?<=\s)|^)(?:--|[—–])(?P<name>[a-z]+)(?:=|\s+)(?P<value>\"[^\"]*\"|“[^”]*”|'[^']*'|\S+)",
    re.IGNORECASE,
)
_ORG_FLAG = re.compile(r"(?:(?<=\s)|^)(?:--|[—–])org(?:ani[sz]ation)?(?=\s|$)", re.IGNORECASE)
_MORE_PATHS = re.compile(r"\s+(?P<value>!?[\w.*@{}\[\]-]*[*/][\w./*@{}\[\],-]*)(?=\s|$)")
_AFTER_ID = re.compile(
    r"^[\s:=,]*(?:[-—–>]+\s+)?(?:(?:so (?:that )?it (?:says|reads)|to (?:say|read)"
    r"|to(?=:))[\s:]+)?",
    re.IGNORECASE,
)
_REPOSITORY = re.compile(r"repo:\s?([\w.-]{1,100}/[\w.-]{1,100})(?:\s+|$)", re.IGNORECASE)
_OWNER_NAME = re.compile(
    r"<?(?:https?://[^\s/]+/)?([\w.-]{1,100}/[\w.-]{1,100}?)(?:\.git)?/?(?:\|[^>]*)?>?"
)
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "「": "」", "`": "`"}
_FORMATS = {"json": "json", "markdown": "markdown", "md": "markdown", "agents.md": "markdown"}


def parse_command(text: str) -> Parsed:
    """Read a command from the words after the mention or the slash command.

    A word that is one letter away from a command is suggested and never executed.
    """
    text = text.strip().strip("\x00").strip()
    repository = None
    if prefix := _REPOSITORY.match(text):
        repository, text = prefix[1], text[prefix.end() :]
    if _LISTING.fullmatch(_first_line(text).rstrip(" ?.!")):
        return Command("list", repository=repository)
    if not text:
        return NotACommand()
    if _HELPING.fullmatch(text):
        return Command("help", repository=repository)
    word = text.split(maxsplit=1)[0]
    rest = text[len(word) :]
    if word.lower() in _PREFIXES and _is_bare_command(rest):
        word = rest.split(maxsplit=1)[0]  # "conventions list", as in Slack
        rest = rest.strip()[len(word) :]
    name = _command_named(word)
    if name is None:
        return _near_miss(word, rest.strip())
    if name == "list" and _first_line(rest).strip(" .!").lower() == "confirm":
        name, rest = "confirm", ""  # "conventions confirm", as the answer in a frozen one says it
    parsed = _parse_arguments(name, word, rest)
    return replace(parsed, repository=repository) if isinstance(parsed, Command) else parsed


def _is_bare_command(rest: str) -> bool:
    """Whether the word after "conventions" is a command itself, and no topic or sentence."""
    word = rest.split(maxsplit=1)[0] if rest.strip() else ""
    return word.lower() in _CORE - _PREFIXES - {"confirm"}


def _command_named(word: str) -> CommandName | None:
    key = word.lower().lstrip("/").rstrip(":,.!" if word != "?" else "")
    key = key[:-1] if len(key) > 1 and key.endswith("?") else key
    if key in _ALIASES:
        return _ALIASES[key]
    return key if key in COMMANDS else None


def _first_line(text: str) -> str:
    return text.split("\n", 1)[0].strip()


def _near_miss(word: str, rest: str) -> Parsed:
    """A slip of the keyboard in a short message is a command; a sentence is not."""
    key = word.lower().rstrip(":,.!?")
    if not 3 <= len(key) <= _LONGEST_WORD or not key.isalpha() or key in _CORE:
        return NotACommand()
    close = [c for c in get_close_matches(key, sorted(_CORE), 3, 0.7) if _is_one_slip(key, c)]
    is_short = len(rest.split()) <= 2 and "?" not in rest
    if not close or not (is_short or _ID.match(rest) or close[0] in {"add", "remember"}):
        return NotACommand()
    meant = " ".join([close[0], *ids_in(rest)])
    return UnknownCommand(word, f'I don\'t know "{key}". Did you mean "{meant}"?', close[0])


def _is_one_slip(typed: str, meant: str) -> bool:
    """One letter added, left out, changed, or two neighbours swapped."""
    if len(typed) == len(meant):
        wrong = [i for i, (a, b) in enumerate(zip(typed, meant, strict=True)) if a != b]
        if len(wrong) == 2 and wrong[1] == wrong[0] + 1:
            first, second = wrong
            return typed[first] == meant[second] and typed[second] == meant[first]
        return len(wrong) == 1
    short, long = sorted((typed, meant), key=len)
    return len(long) == len(short) + 1 and any(
        long[:i] + long[i + 1 :] == short for i in range(len(long))
    )


def _parse_arguments(name: CommandName, word: str, rest: str) -> Parsed:
    if name in {"add", "edit"}:
        return _parse_rule(name, word, rest.strip())
    line = _first_line(rest)
    if name == "link":
        return _parse_link(word, line)
    if name in {"export", "import"}:
        return _parse_file(name, word, line)
    ids = ids_in(line)
    left = _ID.sub(" ", line.lower())
    is_bare = all(w in _FILLER for w in re.findall(r"[^\s,.!?:;()]+", left))
    if name in _NEEDS_ID and ids and is_bare:
        return Command(name, ids)
    if name == "unlink" and line.strip(" .!").lower() in _OWN_LINK:
        return Command("logout")
    if name in _ALONE and is_bare and (not ids or name == "why"):
        return Command(name, ids)
    if name == "unlink" and (repository := _OWNER_NAME.fullmatch(line)):
        return Command(name, argument=repository[1])
    if name == "list":
        return _parse_filter(line)
    if name in _NEEDS_ID and (is_bare or _ABOUT_RULES.search(line)):
        return _without_id(name, word, line)
    return NotACommand()


def _parse_filter(line: str) -> Parsed:
    """`list naming`, `list --topic naming`, `conventions tests`."""
    command, left = _with_flags(Command("list"), line)
    if isinstance(command, UnknownCommand):
        return command
    topic = left.strip().lower().replace(" ", "_")
    if not topic and (command.topic or command.paths or command.is_org):
        return command
    words = [w for w in re.findall(r"\w+", left.lower()) if w not in _FILLER]
    if len(words) == 1 and words[0] in LIST_FILTERS:
        return replace(command, argument=words[0])
    return replace(command, topic=topic) if topic in TOPICS else NotACommand()


def ids_in(text: str) -> tuple[str, ...]:
    """Every convention id that a text names, once each and normalised: "c7" is "C7"."""
    return tuple(dict.fromkeys(f"{m[1].upper()}{int(m[2])}" for m in _ID.finditer(text)))


def _without_id(name: CommandName, word: str, line: str) -> Parsed:
    number = re.fullmatch(r"(?:rule |convention |number )*#?(\d{1,9})", line.strip(" .!"))
    ask = f'Did you mean "{word} C{number[1]}"?' if number else f'Say which one: "{word} C7".'
    return UnknownCommand(word, f'{ask} "list" shows every convention with its id.', name)


def _parse_rule(name: CommandName, word: str, rest: str) -> Parsed:
    ids: tuple[str, ...] = ()
    if name == "edit":
        target = _ID.match(rest)
        if target is None:
            if word.lower() != "edit":
                return NotACommand()
            return UnknownCommand(word, 'Say which convention: "edit C7 <the new rule>".', name)
        ids, rest = ids_in(target[0]), _AFTER_ID.sub("", rest[target.end() :])
        rest = re.sub(r"^(?:to say|to read|to|with)\b:?\s+", "", rest, flags=re.IGNORECASE)
    elif word.lower() == "new":
        return NotACommand()
    command, text = _with_flags(Command(name, ids), rest)
    if isinstance(command, UnknownCommand):
        return command
    text = unquoted(text.strip())
    is_flagged = command.paths or command.topic or command.mode or command.until
    if text or (name == "edit" and is_flagged):
        return replace(command, text=text)
    example = f'{name} {ids[0] + " " if ids else ""}"never log access tokens"'
    return UnknownCommand(word, f"Write the rule after it: {example}.", name)


def unquoted(text: str) -> str:
    """The text without one pair of quotation marks around the whole of it."""
    if len(text) > 2 and _QUOTES.get(text[0]) == text[-1] and text[0] not in text[1:-1]:
        return text[1:-1].strip()
    return text


def _with_flags(command: Command, text: str) -> tuple[Command | UnknownCommand, str]:
    """Take the flags out of a text; other dashes are the person's words."""
    if _ORG_FLAG.search(text):
        command, text = replace(command, is_org=True), _ORG_FLAG.sub("", text, count=1).strip()
    at = 0
    while flag := _FLAG.search(text, at):
        name, value = flag["name"].lower(), flag["value"].strip("\"“”'")
        end = flag.end()
        if name in {"path", "paths"}:
            paths = [p for p in value.split(",") if p]
            while name == "paths" and (more := _MORE_PATHS.match(text, end)):
                paths += [p for p in more["value"].split(",") if p]
                end = more.end()
            command = replace(command, paths=command.paths + tuple(paths))
        elif name == "topic":
            if (topic := value.lower()) not in TOPICS:
                return UnknownCommand(flag[0], f"The topics are {', '.join(TOPICS)}."), text
            command = replace(command, topic=topic)
        elif name == "mode":
            if (mode := value.lower()) not in MODES:
                return UnknownCommand(flag[0], f"The modes are {', '.join(MODES)}."), text
            command = replace(command, mode=mode)
        elif name == "until":
            if not _is_day(value):
                return UnknownCommand(flag[0], "Write the last day as --until 2027-01-31."), text
            command = replace(command, until=value.lower())
        else:
            at = flag.end("name")
            continue
        text = f"{text[: flag.start()].rstrip()} {text[end:].lstrip()}".strip()
        at = 0
    return command, text


def _is_day(value: str) -> bool:
    try:
        return value.lower() == "never" or bool(date.fromisoformat(value))
    except ValueError:
        return False


def _parse_link(word: str, line: str) -> Parsed:
    words = re.sub(r"^(?:this channel )?(?:to|with)\s+", "", line, flags=re.IGNORECASE)
    if repository := _OWNER_NAME.fullmatch(words.strip()):
        return Command("link", argument=repository[1])
    if len(words.split()) > 2:
        return NotACommand()
    return UnknownCommand(word, 'Name the repository: "link owner/name".', "link")


def _parse_file(name: CommandName, word: str, line: str) -> Parsed:
    if _ORG_FLAG.search(line):
        parsed = _parse_file(name, word, _ORG_FLAG.sub("", line, count=1))
        return replace(parsed, is_org=True) if isinstance(parsed, Command) else parsed
    words = re.sub(r"^(?:--format(?:=|\s+)|as\s+|from\s+|to\s+)", "", line.strip())
    if not words:
        return Command(name, argument="markdown" if name == "export" else "")
    if name == "import":
        is_path = len(words.split()) == 1 and any(c in words for c in "./")
        return Command(name, argument=words) if is_path else NotACommand()
    if words.lower() in _FORMATS:
        return Command(name, argument=_FORMATS[words.lower()])
    if len(words.split()) > 2:
        return NotACommand()
    return UnknownCommand(word, 'The formats are "export markdown" and "export json".', "export")
