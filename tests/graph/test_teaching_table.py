# ruff: noqa: E501 - one message a line reads best
"""Messages as people write them, and what of each becomes a rule."""

from __future__ import annotations

import pytest

from graph.teaching import Interpretation, interpret

Rows = list[tuple[str, object]]

TEACH: Rows = [
    ("@precedent remember: the maximum line length is 88 characters", ("the maximum line length is 88 characters", "line_length")),
    ("@precedent please remember that the max line length is 88.", ("the max line length is 88", "line_length")),
    ("remember that we use snake_case for function names", ("we use snake_case for function names", "naming")),
    ("from now on, use pathlib instead of os.path", ("use pathlib instead of os.path", "other")),
    ("new rule: never log access tokens", ("never log access tokens", "security")),
    ("Rule: imports must be absolute", ("imports must be absolute", "imports")),
    ("we decided that every bug fix needs a regression test", ("every bug fix needs a regression test", "tests")),
    ("We agreed to squash commits before merging", ("squash commits before merging", "process")),
    ("going forward all public functions need docstrings", ("all public functions need docstrings", "documentation")),
    ("always use structlog, never print", ("always use structlog, never print", "logging")),
    ("never catch bare exceptions", ("never catch bare exceptions", "errors")),
    ("note for the future: migrations must be reversible", ("migrations must be reversible", "database")),
    ("Convention: branch names start with the ticket id", ("branch names start with the ticket id", "naming")),
    ("hey @precedent, can you remember that we pin every dependency?", ("we pin every dependency", "dependencies")),
    ("<@U012ABCDEF> remember: lines are at most 100 characters", ("lines are at most 100 characters", "line_length")),
    ("<@U012ABCDEF> remember that List&lt;int&gt; is written list[int] in type hints", ("List&lt;int&gt; is written list[int] in type hints", "typing")),
    ("remember “use double quotes”", ("use double quotes", "formatting")),
    ("Please remember: don’t use print()", ("don’t use print()", "logging")),
    ("remeber: max line lenght is 88", ("max line lenght is 88", "line_length")),
    ("rember that tests live next to the code", ("tests live next to the code", "tests")),
    ("form now on use black", ("use black", "formatting")),
    ("use tabs from now on", ("use tabs", "formatting")),
    ("Function names are verbs, please remember that", ("Function names are verbs", "naming")),
    ("Max line length is 88. Please remember this!", ("Max line length is 88", "line_length")),
    ("**Remember:** use `pathlib`, not `os.path`", ("use `pathlib`, not `os.path`", "other")),
    ("we must never store passwords in plain text", ("we must never store passwords in plain text", "security")),
    ("when you touch the API, always bump the version", ("when you touch the API, always bump the version", "api")),
    ("tests must never hit the network", ("tests must never hit the network", "tests")),
    ("remember to add type hints to new functions", ("add type hints to new functions", "typing")),
    ("remember that lines may be up to one hundred and twenty characters long", ("lines may be up to one hundred and twenty characters long", "line_length")),
    ("remember: functions are at most forty lines", ("functions are at most forty lines", "other")),
    ("In the retro we decided to use conventional commits", ("use conventional commits", "process")),
    ("our convention is to return early", ("return early", "other")),
    ("team rule - no wildcard imports", ("no wildcard imports", "imports")),
    ("Please save this rule: feature flags are removed after a release", ("feature flags are removed after a release", "process")),
    ("we have a rule that errors are never swallowed", ("errors are never swallowed", "errors")),
    ("starting today we require two approvals per PR", ("we require two approvals per PR", "process")),
    ("in future, prefer composition over inheritance", ("prefer composition over inheritance", "other")),
    ("remember this: cache every read of the settings table", ("cache every read of the settings table", "performance")),
    ("OK @precedent so from now on we don't use moment.js", ("we don't use moment.js", "dependencies")),
    ("do not forget: SQL is always parameterised", ("SQL is always parameterised", "database")),
    ("the maximum line length is 100 characters", ("the maximum line length is 100 characters", "line_length")),
    ("> we should discuss\n\nRemember: no TODO without a ticket", ("no TODO without a ticket", "process")),
    ("@precedent remember: use the logger\n\n```python\nprint('remember: use tabs')\n```", ("use the logger", "logging")),
    ("remember that the maximum line length, which we discussed at length last week,\nis 88 characters", ("the maximum line length, which we discussed at length last week,\nis 88 characters", "line_length")),
]  # fmt: skip

SEVERAL: Rows = [
    ("@precedent from now on:\n- tests go in tests/\n- never use sleep in tests\n\nThanks!", ["tests go in tests/", "never use sleep in tests"]),
    ("Remember:\n1. use black\n2. no prints\n3. lines at most 88 characters", ["use black", "no prints", "lines at most 88 characters"]),
    ("remember that max line length is 88 and functions must have docstrings", ["max line length is 88", "functions must have docstrings"]),
    ("please remember that we use black. Also, no print statements in src/. Thanks!", ["we use black", "no print statements in src/"]),
    ("new rules: 1) use isort 2) max 100 columns 3) no bare except", ["use isort", "max 100 columns", "no bare except"]),
    ("always use type hints; never use Any", ["always use type hints", "never use Any"]),
    ("We decided:\n* errors are logged once\n* every endpoint has a test", ["errors are logged once", "every endpoint has a test"]),
    ("remember to use pytest and never mock the database", ["use pytest", "never mock the database"]),
    ("remember: never log tokens. I'll push a fix soon.", ["never log tokens"]),
]  # fmt: skip

CORRECT: Rows = [
    ("actually, the maximum line length is 100", ("the maximum line length is 100", "line_length")),
    ("change the line length to 100", ("change the line length to 100", "line_length")),
    ("no, it's 100 now", ("it's 100 now", None)),
    ("C3 should be at most 120 characters", ("at most 120 characters", None)),
    ("update C3 to say: functions are at most 50 lines", ("functions are at most 50 lines", None)),
    ("instead of 88 use 100", ("use 100", None)),
    ("use 100 instead of 88", ("use 100", None)),
    ("the line length limit is now 120", ("the line length limit is now 120", "line_length")),
    ("The max line length is 100, not 88", ("The max line length is 100", "line_length")),
    ("please raise the line length limit from 88 to 100", ("raise the line length limit from 88 to 100", "line_length")),
    ("Correction: tests go in spec/", ("tests go in spec/", "tests")),
    ("sorry, we use camelCase for function names", ("we use camelCase for function names", "naming")),
    ("make it 100", ("make it 100", None)),
    ("not 88 but 100", ("not 88 but 100", None)),
]  # fmt: skip

FORGET: Rows = [
    ("forget C3", ("C3", None)),
    ("forget the line length rule", ("the line length rule", "line_length")),
    ("we no longer limit line length", ("we no longer limit line length", "line_length")),
    ("please drop the rule about docstrings", ("the rule about docstrings", "documentation")),
    ("C12 no longer applies", ("C12 no longer applies", None)),
    ("The naming convention is obsolete", ("The naming convention is obsolete", "naming")),
    ("you can forget what I said about imports", ("imports", "imports")),
    ("we don't require changelog entries any more", ("we don't require changelog entries any more", "documentation")),
    ("stop enforcing the 88 character limit", ("the 88 character limit", "line_length")),
    ("please delete the rule on tabs, thanks", ("the rule on tabs", "formatting")),
    ("no more line length limit", ("no more line length limit", "line_length")),
]  # fmt: skip

MODES: Rows = [
    ("ignore findings about line length in tests/", ("ignore findings about line length in tests/", "ignore")),
    ("please don't flag missing docstrings in scripts/", ("don't flag missing docstrings in scripts/", "ignore")),
    ("stop commenting on naming in migrations", ("stop commenting on naming in migrations", "ignore")),
    ("remember: don't report magic numbers in tests", ("don't report magic numbers in tests", "ignore")),
    ("for context, we use Python 3.11", ("we use Python 3.11", "context")),
    ("FYI we deploy from main every night", ("we deploy from main every night", "context")),
    ("never comment on the generated files", ("never comment on the generated files", "ignore")),
]  # fmt: skip

NOT_A_RULE: list[tuple[str, str]] = [
    ("hello!", "none"),
    ("thanks a lot, great review", "none"),
    ("never mind", "none"),
    ("don't remember this", "none"),
    ("please don't save that", "none"),
    ("lol", "none"),
    ("do you remember the limit?", "ask"),
    ("what did we decide about tests?", "ask"),
    ("remember when we broke production on a Friday?", "ask"),
    ("should we always use type hints?", "ask"),
    ("please fix line 3", "ask"),
    ("always happy to help", "ask"),
    ("never seen this before", "ask"),
    ("remember the milk", "ask"),
    ("remember to rebase this PR before merging", "ask"),
    ("ada said always use tabs", "ask"),
    ("I never use tabs", "ask"),
    ("it always fails on CI", "ask"),
    ("can you explain this function?", "ask"),
    ("why did you flag this line?", "ask"),
    ("```\nremember: use tabs\n```", "none"),
    ("> remember: use tabs\nI disagree with that", "ask"),
    ("how do I write `remember: use tabs`?", "ask"),
    ("change the timeout to 30", "ask"),
    ("rename this variable", "ask"),
    ("we decided to merge this as is", "ask"),
    ("remove the unused import", "ask"),
    ("forget it", "none"),
    ("on this pull request, ignore the migrations folder", "instruction"),
    ("for this PR only, don't comment on naming", "instruction"),
    ("just this once, skip the tests folder", "instruction"),
    ("what instructions do you have for this PR?", "instruction"),
    ("stop ignoring the migrations folder", "instruction"),
    ("answer me in Chinese", "preference"),
    ("keep it short", "preference"),
    ("from now on reply in German please", "preference"),
    ("delete 88 rule", "unknown_command"),
    ("lits", "unknown_command"),
    ("list", "command"),
    ("show C7", "command"),
]

LANGUAGES: Rows = [
    # Chinese
    ("记住：每行最多88个字符", ("teach", "每行最多88个字符", "line_length")),
    ("请记住，函数名使用下划线命名", ("teach", "函数名使用下划线命名", "naming")),
    ("从现在开始，所有公共函数都要写文档", ("teach", "所有公共函数都要写文档", "documentation")),
    ("新规则：禁止在日志里打印令牌", ("teach", "禁止在日志里打印令牌", "security")),
    ("我们决定使用 pytest", ("teach", "使用 pytest", "tests")),
    ("其实最大行长是100", ("correct", "最大行长是100", "line_length")),
    ("把行长改成100", ("correct", "把行长改成100", "line_length")),
    ("忘记行长的规则", ("forget", "行长的规则", "line_length")),
    ("我们不再限制行长了", ("forget", "我们不再限制行长了", "line_length")),
    ("你还记得行长限制吗？", "ask"),
    ("谢谢！", "none"),
    ("请用中文回答我", "preference"),
    ("在这个PR里忽略 migrations 目录", "instruction"),
    # Japanese
    ("覚えておいてください：1行は88文字までです", ("teach", "1行は88文字までです", "line_length")),
    ("1行は最大88文字と覚えておいてください", ("teach", "1行は最大88文字", "line_length")),
    ("今後は、すべての関数に型ヒントを付けてください", ("teach", "すべての関数に型ヒントを付けてください", "typing")),
    ("新しいルール：ログにトークンを出力しない", ("teach", "ログにトークンを出力しない", "security")),
    ("テストにはpytestを使うことにしました", ("teach", "テストにはpytestを使う", "tests")),
    ("行の長さを100文字に変更してください", ("correct", "行の長さを100文字に変更してください", "line_length")),
    ("88文字ではなく100文字です", ("correct", "88文字ではなく100文字です", "line_length")),
    ("行の長さのルールを忘れてください", ("forget", "行の長さのルールを忘れてください", "line_length")),
    ("行の長さの上限は何ですか？", "ask"),
    ("ありがとうございます！", "none"),
    ("日本語で答えてください", "preference"),
    ("このPRでは migrations フォルダを無視してください", "instruction"),
    # Spanish
    ("recuerda que la longitud máxima de línea es 88", ("teach", "la longitud máxima de línea es 88", "line_length")),
    ("A partir de ahora, usamos snake_case para los nombres de funciones", ("teach", "usamos snake_case para los nombres de funciones", "naming")),
    ("Nueva regla: nunca registrar contraseñas", ("teach", "nunca registrar contraseñas", "security")),
    ("Hemos decidido que cada corrección lleva una prueba", ("teach", "cada corrección lleva una prueba", "tests")),
    ("Siempre usar comillas dobles", ("teach", "Siempre usar comillas dobles", "formatting")),
    ("En realidad, la longitud máxima de línea es 100", ("correct", "la longitud máxima de línea es 100", "line_length")),
    ("cambia la longitud de línea a 100", ("correct", "cambia la longitud de línea a 100", "line_length")),
    ("olvida la regla de longitud de línea", ("forget", "la regla de longitud de línea", "line_length")),
    ("ya no limitamos la longitud de línea", ("forget", "ya no limitamos la longitud de línea", "line_length")),
    ("¿recuerdas el límite?", "ask"),
    ("gracias por la revisión", "none"),
    ("responde en español, por favor", "preference"),
    # German
    ("Merk dir: maximale Zeilenlänge ist 88 Zeichen", ("teach", "maximale Zeilenlänge ist 88 Zeichen", "line_length")),
    ("Bitte merke dir, dass wir pytest verwenden", ("teach", "wir pytest verwenden", "tests")),
    ("Ab jetzt gilt: keine Wildcard-Importe", ("teach", "keine Wildcard-Importe", "imports")),
    ("Neue Regel: Passwörter niemals loggen", ("teach", "Passwörter niemals loggen", "security")),
    ("Wir haben beschlossen, dass jede Funktion einen Docstring braucht", ("teach", "jede Funktion einen Docstring braucht", "documentation")),
    ("Eigentlich ist die maximale Zeilenlänge 100", ("correct", "ist die maximale Zeilenlänge 100", "line_length")),
    ("Ändere die Zeilenlänge auf 100", ("correct", "Ändere die Zeilenlänge auf 100", "line_length")),
    ("Vergiss die Regel zur Zeilenlänge", ("forget", "die Regel zur Zeilenlänge", "line_length")),
    ("Wir begrenzen die Zeilenlänge nicht mehr", ("forget", "Wir begrenzen die Zeilenlänge nicht mehr", "line_length")),
    ("Was haben wir zur Zeilenlänge beschlossen?", "ask"),
    ("Danke!", "none"),
    ("Antworte mir bitte auf Deutsch", "preference"),
    # Portuguese
    ("lembre-se: o tamanho máximo da linha é 88 caracteres", ("teach", "o tamanho máximo da linha é 88 caracteres", "line_length")),
    ("Lembra que usamos snake_case nos nomes de funções", ("teach", "usamos snake_case nos nomes de funções", "naming")),
    ("A partir de agora, todas as funções públicas precisam de docstring", ("teach", "todas as funções públicas precisam de docstring", "documentation")),
    ("Nova regra: nunca logar senhas", ("teach", "nunca logar senhas", "security")),
    ("Decidimos que cada correção precisa de um teste", ("teach", "cada correção precisa de um teste", "tests")),
    ("Na verdade, o comprimento máximo da linha é 100", ("correct", "o comprimento máximo da linha é 100", "line_length")),
    ("mude o limite de linha para 100", ("correct", "mude o limite de linha para 100", "line_length")),
    ("esqueça a regra do comprimento de linha", ("forget", "a regra do comprimento de linha", "line_length")),
    ("não limitamos mais o comprimento das linhas", ("forget", "não limitamos mais o comprimento das linhas", "line_length")),
    ("você se lembra do limite?", "ask"),
    ("obrigado!", "none"),
    ("responda em português", "preference"),
    # French
    ("retiens que la longueur maximale des lignes est de 88", ("teach", "la longueur maximale des lignes est de 88", "line_length")),
    ("À partir de maintenant, on utilise pytest", ("teach", "on utilise pytest", "tests")),
    ("oublie la règle sur la longueur des lignes", ("forget", "la règle sur la longueur des lignes", "line_length")),
]  # fmt: skip


def read(message: str) -> Interpretation:
    said = interpret(message, handle="precedent")
    for teaching in said.teachings:
        assert teaching.quote in message
    return said


def rules(said: Interpretation) -> list[str]:
    return [t.quote for t in said.teachings]


@pytest.mark.parametrize(("message", "expected"), TEACH)
def test_one_rule_is_taught_in_the_persons_words(message: str, expected: tuple[str, str]) -> None:
    said = read(message)
    assert [(t.kind, t.quote, t.topic) for t in said.teachings] == [("teach", *expected)]


@pytest.mark.parametrize(("message", "expected"), SEVERAL)
def test_several_rules_of_one_message_are_taken_apart(message: str, expected: list[str]) -> None:
    assert rules(read(message)) == expected


@pytest.mark.parametrize(("message", "expected"), CORRECT)
def test_a_correction_is_told_from_a_new_rule(
    message: str, expected: tuple[str, str | None]
) -> None:
    said = read(message)
    assert [(t.kind, t.quote) for t in said.teachings] == [("correct", expected[0])]
    if expected[1]:
        assert said.teachings[0].topic == expected[1]


@pytest.mark.parametrize(("message", "expected"), FORGET)
def test_a_withdrawal_names_what_to_forget(message: str, expected: tuple[str, str | None]) -> None:
    said = read(message)
    assert [(t.kind, t.quote) for t in said.teachings] == [("forget", expected[0])]
    if expected[1]:
        assert said.teachings[0].topic == expected[1]


@pytest.mark.parametrize(("message", "expected"), MODES)
def test_silence_and_facts_are_modes_of_a_rule(message: str, expected: tuple[str, str]) -> None:
    said = read(message)
    assert [(t.quote, t.mode) for t in said.teachings] == [expected]


@pytest.mark.parametrize(("message", "kind"), NOT_A_RULE)
def test_what_is_no_rule_teaches_nothing(message: str, kind: str) -> None:
    said = read(message)
    assert (said.kind, rules(said)) == (kind, [])


@pytest.mark.parametrize(("message", "expected"), LANGUAGES)
def test_people_teach_in_their_own_language(message: str, expected: object) -> None:
    said = read(message)
    if isinstance(expected, str):
        assert (said.kind, rules(said)) == (expected, [])
    else:
        assert [(t.kind, t.quote, t.topic) for t in said.teachings] == [expected]
