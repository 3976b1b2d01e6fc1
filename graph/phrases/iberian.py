"""What Spanish and Portuguese share, as both are tried on every message."""

from __future__ import annotations

NO_ORDER = (
    r"(?!(?:es|está|estás?|estou|estoy|estamos|estaba|me|te|se|lo|la|nos|había|habíamos|hubo|he|ha"
    r"|hemos|han|hay|tinha|tive|tenho|tengo|tem|temos|tenemos|un placer|um prazer|feliz|contento"
    r"|bom"
    r"|más|mais|así|assim|pensei|pensé|vi|vimos|vio|viu|igual|que|fallan?|falla\w*|falha\w*|romp\w+"
    r"|quebra\w*|da|dan|dá|dão|pasan?|funciona\w*|ocurren?|acontece\w*|suceden?|salen?|sai|llegan?"
    r"|olvido|esqueço|gano|pierdo|termina\w*|acaba\w*|cuesta\w*|demora\w*|queda\w*|fica\w*"
    r"|parece\w*"
    r"|fue|foi|fui|era|eran|digo|dices|dice|diz|hago|faço|supe|sei|sé|entiendo|entendí|entendi"
    r"|consigo"
    r"|trava\w*|é|são|son|quise|quis|imagin\w+|creí)\b)"
)
"""After "always" and "never": words that tell how something is, and ask for nothing."""
