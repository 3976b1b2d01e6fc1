"""Line lengths in other languages than English; the letters are those of the English phrases."""

from __future__ import annotations

_GERMAN: dict[str, str] = {
    "": "die|der|das|den|bitte|alle|immer|eine|sein|werden|jede|einer|eines|ist|haben|wir|unsere|"
        "beträgt|bleiben|darf|dürfen|sollen|sollte|sollten|soll|muss|müssen|in|einem|pro datei",
    "L": "zeilenlänge|zeilenlaenge|länge der zeilen|länge einer zeile|zeilenbreite",
    "l": "zeilen|zeile|codezeilen|codezeile",
    "M": "maximale|maximal|max|maximum|max .|begrenzt auf|beschränkt auf|auf maximal|auf höchstens|"
         "höchstlänge",
    "E": "höchstens|nicht mehr als|bis zu|nicht länger als|nie länger als|"
         "nicht breiter als|nicht über",
    "V": "überschreiten|übersteigen|länger als|mehr als|breiter als|über",
    "n": "nicht|keine|nie|niemals|kein",
    "K": "begrenze|begrenzen|beschränke|halte|haltet",
    "T": "auf|von",
    "X": "unter|weniger als|kürzer als",
    "u": "zeichen|zeichen lang|zeichen breit",
    "c": "spalten",
    "P": "pro zeile|je zeile",
    "R": "nicht überschreiten|nicht übersteigen",
}  # fmt: skip
_FRENCH: dict[str, str] = {
    "": "les|la|le|une|un|des|de|est|doivent|doit|toutes|tous|être|pas|par fichier|d'une|du|ne|"
        "s'il vous plaît|svp|nos|code|fixée à|avoir|faire|sont",
    "L": "longueur de ligne|longueur des lignes|longueur d'une ligne|largeur de ligne|"
         "longueur de la ligne|longueur des lignes de code",
    "l": "lignes|ligne|lignes de code|ligne de code",
    "Y": "longueur maximale des lignes|longueur maximale de ligne|longueur maximale d'une ligne|"
         "longueur maximale de la ligne|longueur maximum des lignes|longueur maximum d'une ligne|"
         "longueur maximum de ligne|taille maximale des lignes|taille maximale d'une ligne",
    "M": "maximum|max|maximum de|limitées à|limitée à|limitez à|max .",
    "E": "au plus|au maximum|pas plus de|ne doivent pas dépasser|ne doit pas dépasser|"
         "ne dépassent pas|ne dépasse pas|ne doivent pas faire plus de|ne pas dépasser|"
         "ne doit jamais dépasser|ne doivent jamais dépasser|jusqu'à",
    "X": "moins de|inférieure à",
    "K": "limiter|limitez|gardez",
    "T": "à",
    "u": "caractères|caracteres|caractères de long",
    "c": "colonnes",
    "P": "par ligne",
    "R": "ou moins",
}  # fmt: skip
_SPANISH: dict[str, str] = {
    "": "las|la|el|los|de|del|una|un|es|deben|debe|todas|todos|tener|ser|por favor|código|"
        "nuestras|cada|será|siempre|son|está",
    "L": "longitud de línea|longitud de las líneas|longitud de linea|longitud de las lineas|"
         "longitud de una línea|ancho de línea|longitud de la línea",
    "l": "líneas|línea|lineas|linea|líneas de código|lineas de codigo",
    "Y": "longitud máxima de línea|longitud máxima de las líneas|longitud maxima de linea|"
         "longitud máxima de una línea|longitud máxima de la línea|largo máximo de línea|"
         "longitud máxima de cada línea|longitud maxima de las lineas|"
         "largo máximo de las líneas|longitud máxima por línea",
    "M": "máximo|maximo|máximo de|máx|max|limitadas a|limitada a|máx .",
    "E": "como máximo|a lo sumo|no más de|no deben superar|no debe superar|no pueden superar|"
         "no deben exceder|no debe exceder|no superar|no exceder|hasta|no pueden exceder|"
         "nunca más de|no deben pasar|no deben tener más de|no debe tener más de|no puede superar|"
         "no puede exceder|nunca deben superar|no deben sobrepasar|no debe sobrepasar",
    "X": "menos de|por debajo de",
    "K": "limita|limite|limitar|mantén",
    "T": "a",
    "u": "caracteres|caracteres de largo",
    "c": "columnas",
    "P": "por línea|por linea",
    "R": "o menos",
}  # fmt: skip
_PORTUGUESE: dict[str, str] = {
    "": "as|o|os|da|das|de|do|uma|um|é|devem|deve|todas|todos|ter|ser|por favor|código|são|"
        "nossas|cada|sempre|está",
    "L": "comprimento de linha|comprimento da linha|comprimento das linhas|tamanho da linha|"
         "tamanho de linha|largura da linha",
    "l": "linhas|linha|linhas de código|linha de código",
    "Y": "comprimento máximo da linha|comprimento máximo de linha|comprimento máximo das linhas|"
         "tamanho máximo da linha|tamanho máximo de linha|tamanho máximo das linhas|"
         "comprimento máximo de uma linha",
    "M": "máximo|maximo|máximo de|max|limitadas a|limitada a|max .",
    "E": "no máximo|não mais que|não mais de|não devem ultrapassar|não deve ultrapassar|"
         "não devem exceder|não deve exceder|não podem ultrapassar|não pode ultrapassar|"
         "não podem exceder|não pode exceder|não devem passar de|não deve passar de|até|"
         "não devem ter mais de|não deve ter mais de|não devem ter mais que|não ultrapassar",
    "X": "menos de|abaixo de",
    "K": "limite|limitar|mantenha",
    "T": "a|em",
    "u": "caracteres",
    "c": "colunas",
    "P": "por linha",
    "R": "ou menos",
}  # fmt: skip
_CHINESE: dict[str, str] = {
    "": "的|为|是|请|所有|代码|应|应该|必须|设置为|设为|要|我们|在|之|每个|都|需|需要|每",
    "L": "行长|行长度|行宽|行的长度|单行长度|每行长度|一行的长度|每行的长度|"
         "代码行长|代码行长度|行宽度|每行字符数",
    "l": "行|每行|单行|每一行|一行|每行代码|单行代码|代码行|一行代码",
    "Y": "最大行长|最大行长度|最大行宽|行最大长度|每行最大长度|最大行宽度",
    "M": "限制为|限制在|上限|最大|控制在|上限为|最大值|限制",
    "E": "不超过|不得超过|不能超过|最多|不要超过|不应超过|不可超过|至多|最长|"
         "不多于|不允许超过|不应该超过|禁止超过|最大不超过|小于等于|必须不超过",
    "X": "少于|小于",
    "u": "字符|个字符|个字|字",
    "c": "列",
    "R": "以内|之内|内|及以内",
}  # fmt: skip
_JAPANESE: dict[str, str] = {
    "": "は|の|を|が|に|で|と|する|してください|です|ください|こと|べて|コード|必ず|"
        "とする|にする|とします|にしてください|します|としてください|にします",
    "L": "行の長さ|行長|一行の長さ|1行の長さ|行の文字数|1行の文字数|行の幅",
    "l": "1行|一行|行|各行|1行あたり|一行あたり|1行につき",
    "Y": "最大行長|行の最大長|行の最大文字数|1行の最大文字数|行の最大の長さ|"
         "最大行数の長さ|行長の最大値|行の長さの上限|行の長さの最大値",
    "M": "最大|上限|最大で|最大でも",
    "u": "文字|文字数",
    "c": "桁|カラム|列",
    "R": "以内|以下|まで|を超えない|を超えないこと|を超えてはいけない|"
         "を超えてはならない|を超えないようにしてください|を超えないでください",
}  # fmt: skip

LINE_LENGTH_TABLES: tuple[dict[str, str], ...] = (
    _GERMAN, _FRENCH, _SPANISH, _PORTUGUESE, _CHINESE, _JAPANESE
)  # fmt: skip
