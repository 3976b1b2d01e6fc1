"""Which topic of the closed list a rule is about, told by its words."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from graph.conventions import Topic

_SURE = 3
"""Weight of words that leave no doubt. A lower best score is answered as a guess."""

_READ_CHARACTERS = 300
"""A rule says what it is about early; the rest of a long one is reasons and examples."""

_NUMBER = (
    r"(?:\d{2,3}|(?:forty|fifty|sixty|seventy|eighty|ninety|(?:one |a )?hundred)\b[ \w-]{0,20}?)"
)

# Topic, weight, pattern. Weights add up once per pattern; ties go to the topic that stands first.
_WORDS: tuple[tuple[Topic, int, str], ...] = (
    (
        "line_length",
        9,
        (r"\bline[- _]?(?:len|lenght|length|lengt|width|limit)|\b(?:max|maximum)[- ]line"
        r"|\b(?:long|longer|short) lines\b|\blines? too long"
        r"|\blines?\b.{0,50}\b(?:char(?:acter)?s?|columns?|cols?|wide|long(?:er)?)\b"
        rf"|\blines?\b[^.,;]{{0,24}}\b(?:under|over|at most|at|to|exceed|below|past|than|beyond)"
        rf" (?:the )?(?:column )?{_NUMBER}(?! lines)"
        r"|\b(?:char(?:acter)?s?|columns?|cols?)\b.{0,24}\b(?:per|a|each|in a|on a) line"
        r"|\bwrap\b.{0,20}\b(?:at|after|to)\b.{0,12}\d|\bcolumn limit|\bright margin|\be501\b"
        rf"|\b{_NUMBER}[- ](?:columns?|cols?)\b(?! (?:in|of) (?:the )?(?:table|schema))"
        r"|行长|行宽|行の長さ|行の最大|行の幅|一行の|[1１]行(?:の|は|あたり)|每行|单行"
        r"|一行(?:最多|不|最长|代码)"
        r"|行最(?:大|长)|行.{0,6}(?:文字|字符)|(?:文字|字符).{0,6}行"
        r"|zeilenl[äa]e?nge|zeilenbreite|zeilen?\b.{0,40}\bzeichen|zeichen pro zeile|zeilenlimit"
        r"|(?:longitud|largo|ancho|longueur|comprimento|largura|tamanho|límite|limite|tamaño)"
        r"(?: máxim[oa]| maximum| maximale?)? (?:de |da |das |des |por )?(?:la |las |l[ií]nea"
        r"|linha|ligne)"
        r"|\bl[ií]neas?\b.{0,50}\b(?:caracteres|columnas)|\blinhas?\b.{0,50}\b(?:caracteres"
        r"|colunas)"
        r"|\blignes?\b.{0,50}\b(?:caractères|colonnes)|(?:caract[eè]res|columnas|colunas).{0,12}"
        r"(?:por|par|de) (?:l[ií]nea|linha|ligne)"),
    ),
    (
        "tests",
        4,
        (r"\b(?:unit|integration|e2e|end-to-end|regression|smoke|snapshot|property)[- ]?tests?\b"
        r"|\btest(?:s|ed|ing)? (?:case|name|method|class|function|file)s?\b|\bpytest|\bunittest"
        r"|\bjest\b|\bvitest|\bmocha\b|\bjunit|\brspec|\bhypothesis\b|\btestify|\bplaywright"
        r"|\bcypress"
        r"|\bfixtures?\b|\bmock(?:s|ed|ing)?\b|\bmonkeypatch|\btest coverage|\bcoverage\b"
        r"|\bassertions?\b"
        r"|\bflaky\b|\btestify\b|单元测试|单测|测试用例|覆盖率|ユニットテスト|单体测试"
        r"|単体テスト|モック"
        r"|pruebas? unitarias?|unit-?tests?|testes? unit[áa]rios?|tests? unitaires?|testabdeckung"),
    ),
    (
        "tests",
        3,
        r"\btests?\b(?! (?:folder|director))|\btesting\b|测试|テスト|\bpruebas?\b|\btestes?\b",
    ),
    (
        "tests",
        7,
        (r"\b(?:needs?|requires?|must have|has to have|gets?|comes? with|precisam? de|necesitan?"
        r"|brauch(?:t|en)|benötig(?:t|en)|nécessitent?|doi(?:t|vent) avoir)"
        r" (?:(?!to\b)[\w-]+ ){0,3}?(?:tests?|testes?|pruebas?)\b"),
    ),
    ("naming", 7, r"(?:\b|_)(?:snake|kebab)[_ -]?case|\b(?:camel|pascal)[_ -]?case"),
    (
        "naming",
        5,
        (r"(?:\b|_)snake[_ -]?case|\bcamel[_ -]?case|\bpascal[_ -]?case|\bkebab[_ -]?case"
        r"|\bupper[_ -]?case"
        r"|\bnaming\b|\bnamed?\b.{0,30}\b(?:after|like|with)|\bvariable names?|\b(?:function"
        r"|class|method"
        r"|file|branch|table|column|field|module|package|constant|test)s? names?\b"
        r"|\bprefix(?:ed|es)?\b|\bsuffix(?:ed|es)?\b|\babbreviat|\bhungarian\b|\bsingle[- ]letter"
        r"|\bcapitali[sz]|命名|驼峰|下划线|変数名|関数名|クラス名|スネークケース|キャメルケース"
        r"|変数の名前"
        r"|变量名|函数名|类名|表名|文件名|ファイル名|テーブル名"
        r"|nombres? de|nomenclatura|(?:variablen|funktions|klassen|methoden|datei)namen?|benennung"
        r"|nomes? d[eao]s?\b|noms? d[e'’]|nommage|\bpréfix|\bpräfix|\bprefij|\bprefix"),
    ),
    ("naming", 3, (r"\bnam(?:e|es|ed)\b|命名|名前|\bnombres?\b|\bnomes?\b|\bnoms?\b|\bbenannt"
                  r"|\bnamen\b")),
    (
        "imports",
        5,
        (r"\bimport(?:s|ed|ing)?\b|\bisort\b|\brequire\(|\bcircular depend|导入|インポート"
        r"|\bimportaci|\bimportaç|\bimporte\b|\bimporta[rm]?\b|\bimportieren"),
    ),
    (
        "typing",
        5,
        (r"\btype[- ]?(?:hint|annotation|check|safe)\w*|\btyped\b|\btyping\b|\bmypy\b|\bpyright\b"
        r"|\bannotat\w+|\b(?:return|argument|parameter) types?\b|\bTypedDict\b|\bgenerics?\b"
        r"|\bmissing types?\b|\bas any\b"
        r"|\b(?:use|avoid|no|never|of|type) any\b(?= types?|$|[.,;!]| in )|`any`|\bts-ignore"
        r"|\btype: ignore|\bOptional\[|\bstrict mode\b|类型注解|类型提示|类型标注|型ヒント"
        r"|型注釈|型アノテーション"
        r"|anotaci(?:ón|ones) de tipo|typannotation|typhinweis|type-?hints?|anotaç\w+ de tipo"
        r"|typage"
        r"|\btipado\b|\btipagem\b|annotations? de type|\bany型|\bany类型"),
    ),
    (
        "documentation",
        5,
        (r"\bdocstrings?\b|\bdocument(?:ed|ation|ing)?\b|\breadme\b|\bchangelog\b|\bjavadoc|\bjsdoc"
        r"|\bgodoc|\b(?:code )?comments?\b|\bdocs?\b|\btypos?\b|文档|注释|ドキュメント|コメント"
        r"|ドックストリング"
        r"|documenta|comentarios?\b|comentários?\b|dokumenta|dokumentier|kommentare?\b"
        r"|commentaires?\b"),
    ),
    (
        "logging",
        6,
        (r"\blog(?:s|ged|ging|ger|gers)?\b|\bprint(?:s|f|ln)?\b|\bconsole\.log|\bstructlog|\bloguru"
        r"|\bsystem\.out|日志|打印|ログ|ロギング|\blogs?\b|\bregistros? de log|\bprotokollier"
        r"|\bjournalis"),
    ),
    (
        "errors",
        5,
        (r"\bexceptions?\b|\bexcept\b|\berror[s]?\b|\bcatch(?:es|ing)?\b|\btry\b|\brais(?:e|es"
        r"|ing)\b"
        r"|\bthrow(?:s|n|ing)?\b|\bpanics?\b|\bunwrap\b|\bswallow|\btraceback|\bretry|\bretries\b"
        r"|异常|错误|例外|エラー|excepci|exceç|\berrores?\b|\berros?\b|ausnahmen?\b|fehler\b"
        r"|\berreurs?\b"),
    ),
    (
        "security",
        7,
        (r"\bsecrets?\b|\bpasswords?\b|\bcredentials?\b|\b(?:access|api|auth\w*|bearer)"
        r" ?(?:tokens?|keys?)\b"
        r"|\bapi[- ]?keys?\b|\btokens?\b|\bsql injection|\bxss\b|\bcsrf|\bencrypt|\bhash(?:ed"
        r"|ing)? pass"
        r"|\bjwts?\b|\blocal ?storage\b|\bsaniti[sz]|\bescap(?:e|ed|ing) (?:user|html|input)"
        r"|\beval\b|\bpickle\b|\byaml\.load\b"
        r"|\bsecurity\b|\bvulnerab|\bpii\b|\bpersonal data|\bgdpr|\bauthenticat|\bauthori[sz]"
        r"|\bmd5\b|\bsha1\b"
        r"|密码|密钥|令牌|安全|パスワード|秘密|トークン|セキュリティ|認証|个人信息|個人情報"
        r"|contraseñas?|credenciales|seguridad|passw[öo]rt|geheimnis|zugangsdaten|sicherheit"
        r"|senhas?\b"
        r"|segredos?\b|credenciais|segurança|mots? de passe|sécurité|\bsecretos?\b"
        r"|personenbezogen"),
    ),
    (
        "dependencies",
        5,
        (r"\bdependenc(?:y|ies)\b|\bthird[- ]party\b|\blibrar(?:y|ies)\b|\bpackages?\b"
        r"|\bpinn?(?:ed|ing)?\b"
        r"|\block ?files?\b|\brequirements\.txt|\bpackage\.json|\bnpm\b|\byarn\b|\bpnpm\b"
        r"|\bpoetry\b"
        r"|\bpip\b|\buv\b|\bmoment(?:\.?js)?\b|\blodash\b|\bjquery\b|\brequests\b|\bhttpx\b"
        r"|\bdate-fns\b"
        r"|\bversions? of\b|\bvendor(?:ed|ing)?\b|\bpydantic\b|\baxios\b|\bpandas\b|\bpolars\b"
        r"|依赖|第三方|依存|ライブラリ|パッケージ"
        r"|dependencias?|dependências?|abhängigkeit|bibliothek|biblioteca|librer[ií]a|dépendances?"
        r"|bibliothèque"),
    ),
    (
        "database",
        5,
        (r"\bdatabases?\b|\bdb\b|\bsql\b|\bmigrations?\b|\bqueries\b|\bquery\b|\borm\b"
        r"|\bindex(?:es)? on"
        r"|\bforeign keys?|\btransactions?\b|\bpostgres\w*|\bmysql\b|\bschemas?\b|\bselect \*"
        r"|\btables?\b|\b(?:drop|add|rename|nullable) (?:a |the |any )?columns?\b"
        r"|\bn\+1|\bsqlalchemy|\balembic|\bdjango orm|数据库|迁移|事务|查询|データベース"
        r"|マイグレーション|クエリ"
        r"|トランザクション|base de datos|bases de datos|consultas?\b|migraciones?|datenbank"
        r"|migration"
        r"|banco de dados|migraç|base de données|requêtes?\b"),
    ),
    (
        "api",
        5,
        (r"\bapis?\b(?![- ]?keys?)|\bendpoints?\b|\brest\b|\bgraphql\b|\bhttp\b|\bstatus codes?\b"
        r"|\bjson\b|\bopenapi|\bswagger|\bbackwards?[- ]compatib\w*|\bbreaking changes?\b"
        r"|\bpublic method"
        r"|\bpaginat|\brpc\b|\broutes?\b|接口|エンドポイント|インターフェース|\bschnittstelle"
        r"|\bpúblic[oa]s? api"),
    ),
    (
        "performance",
        6,
        (r"\bperforman\w+|\bcach(?:e|ed|ing)\b|\bslow\b|\bn\+1\b|\bbatch(?:es|ed)?\b|\bmemory\b"
        r"|\blatency"
        r"|\btime ?outs?\b|\basync\b|\bblocking\b|\bo\(n|\bthread pool|性能|缓存|パフォーマンス"
        r"|キャッシュ"
        r"|\brendimiento|\bdesempenho|\bleistung|\bcaché\b|\bquadratic"),
    ),
    (
        "formatting",
        5,
        (r"\btabs?\b|\bspaces?\b|\bindent\w*|\bwhite ?space|\bblank lines?|\bsingle quotes?"
        r"|\bdouble quotes?"
        r"|\bquotes\b|\bsemi-?colons?\b|\bbraces?\b|\btrailing (?:commas?|space|whitespace)"
        r"|\bblack\b"
        r"|\bprettier\b|\bruff format|\bgofmt\b|\bclang-format|\bformatt(?:ing|ed|er)\b"
        r"|\bf-?strings?\b"
        r"|\bnewlines?\b|\bblank line|\bbrackets?\b|\beslint\b|\bruff\b|\blinter\b|\bstyle\b"
        r"|\btrailing\b"
        r"|缩进|空格|制表符|格式化|分号|引号|インデント|スペース|タブ|フォーマット|セミコロン"
        r"|引用符|空行"
        r"|sangr[ií]a|espacios\b|tabulador|comillas|punto y coma|einrück\w*|leerzeichen|tabulator"
        r"|anführungszeichen|semikolon|indenta\w+|espaços\b|aspas\b|ponto e vírgula|tabulaç"
        r"|espaces\b"
        r"|guillemets|point-virgule|formatier|formatea|formata"),
    ),
    (
        "process",
        5,
        (r"\bpull requests?\b|\bprs?\b|\bcommits?\b|\bcommit messages?\b|\bbranch(?:es)?\b"
        r"|\bmerg(?:e|es|ed|ing)"
        r"|\brebas\w+|\bsquash\w*|\brelease[sd]?\b|\bdeploy\w*|\bapprov(?:al|als|ed|e)\b"
        r"|\breviewers?\b"
        r"|\bcode owners?\b|\btickets?\b|\bjira\b|\bfridays?\b|\bfeature flags?\b|\bci\b"
        r"|\bhotfix\w*"
        r"|\btodos?\b|\bfixme|\bsemver|\bcode reviews?\b|\bfeature toggles?"
        r"|提交|合并|分支|发布|部署|上线|コミット|マージ|ブランチ|プルリク|レビュー|リリース"
        r"|デプロイ"
        r"|\bramas?\b|fusion\w+|desplieg\w+|despleg\w+|\brevisi[óo]n|\bzweig|\bfreigabe"
        r"|\bmensagens? de commit"
        r"|\bmensajes? de commit|\bversionsverwaltung|\brevisão|\brevisor\w*|\bfusionn\w+"
        r"|\bbranches?\b"
        r"|\bgenehmig\w+|\bmesclar|\bimplantar|\bfreitags?\b|\bviernes\b|\bsextas?\b"
        r"|\bvendredis?\b|周五|金曜"),
    ),
)  # fmt: skip
_SCRIPT_CHANGE = re.compile(
    r"(?<=[\u3040-\u30ff\u3400-\u9fff])(?=[A-Za-z0-9])"
    r"|(?<=[A-Za-z0-9])(?=[\u3040-\u30ff\u3400-\u9fff])"
)
_NOT_CODE_LINES = re.compile(
    r"\b(?:commit|subject|summary line|first line|title)\b|提交信息|コミットメッセージ",
    re.IGNORECASE,
)
_BARE_LENGTH = re.compile(
    r"\b(?:max(?:imum|imal)?|limit|at most|no more than|up to"
    r"|under)?\b.{0,12}(?<!\d)\d{2,3}(?!\d).{0,3}"
    r"(?:char(?:acter)?s?|columns?|cols?|zeichen|caracteres|caract[eè]res|字符|文字)",
    re.IGNORECASE,
)
_IN_A_PLACE = re.compile(
    r"(?:\b(?:in|inside|under|within|for|en|im|in der|em|nos|dans|except in|outside)\s+)?"
    r"(?:the\s+|our\s+|los\s+|den\s+|os\s+|les\s+)?`?[\w.*-]*/[\w./*-]*`?(?:\s+(?:folder"
    r"|director\w+))?"
    r"|\b(?:in|inside|for|en|im|em|dans) (?:the |our |los |den |os |les )?(?:unit |integration )?"
    r"(?:tests?|test files|pruebas|testes|docs|migrations?|scripts|examples)\b(?! (?:names?"
    r"|cases?|must))"
    r"|\bin (?:tests?|migrations?|docs) (?:folder|director\w+)|(?:测试|テスト)(?:代码|文件"
    r"|コード)?(?:里|中|では|内)",
    re.IGNORECASE,
)

_ASIDE = re.compile(
    r"\b(?:no|without(?: any)?) exceptions?\b(?=\s*(?:$|[.!,;]))|\be\.g\..*$", re.IGNORECASE
)
"""How strictly a rule is meant, and an example of it: neither is what it is about."""


@lru_cache(maxsize=1_024)
def topic_of(rule: str) -> tuple[Topic, bool]:
    """The topic of a rule, and whether its words leave no doubt.

    What the rule is about counts, not where it applies: "no prints in tests" is about logging.
    Without a telling word the answer is ("other", False).
    """
    text = _spaced(_ASIDE.sub(" ", rule[:_READ_CHARACTERS]))
    subject = _IN_A_PLACE.sub(" ", text)
    scores = _scores(subject) or _scores(text)
    if not scores:
        is_length = bool(_BARE_LENGTH.search(text)) and not _NOT_CODE_LINES.search(text)
        return ("line_length" if is_length else "other"), False
    best = max(scores.values())
    leaders = [topic for topic, score in scores.items() if score == best]
    second = max((s for t, s in scores.items() if t != leaders[0]), default=0)
    return leaders[0], best >= _SURE and best > second


def _spaced(text: str) -> str:
    """The text and once more with spaces around its Latin words, where it has other scripts.

    "printではなくlogger" has no word boundary that a pattern could stand on.
    """
    spaced = _SCRIPT_CHANGE.sub(" ", text)
    return text if spaced == text else f"{text} | {spaced}"


@cache
def _compiled() -> tuple[tuple[Topic, int, re.Pattern[str]], ...]:
    return tuple((topic, weight, re.compile(p, re.IGNORECASE)) for topic, weight, p in _WORDS)


def _scores(text: str) -> dict[Topic, int]:
    scores: dict[Topic, int] = {}
    for topic, weight, pattern in _compiled():
        if topic == "line_length" and _NOT_CODE_LINES.search(text):
            continue
        if pattern.search(text):
            scores[topic] = max(weight, scores.get(topic, 0))
    return scores
