"""Which files an import means, and that a guess is never made."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.code.modules import Modules
from graph.code.outline import CODE_LANGUAGES
from graph.code.repository import facts_of

PATHS = (
    "src/app/__init__.py", "src/app/price.py", "services/a/util.py", "services/b/util.py",
    "web/src/api.ts", "web/src/ui/index.tsx", "web/src/ui/button.js", "src/lib/x.ts",
    "go/price/price.go", "go/price/price_test.go", "java/acme/Price.java",
    "rust/src/lib.rs", "rust/src/price/mod.rs", "rust/src/price/tax.rs",
    "lib/shop/cart.rb", "include/price.h", "src/price.h",
)  # fmt: skip


@pytest.mark.parametrize(
    ("module", "importer", "files"),
    [
        ("app.price", "src/app/shop.py", ("src/app/price.py",)),
        (".price", "src/app/shop.py", ("src/app/price.py",)),
        (".", "src/app/shop.py", ("src/app/__init__.py",)),
        ("..price", "src/app/deep/shop.py", ("src/app/price.py",)),
        ("app", "tests/test_app.py", ("src/app/__init__.py",)),
        ("util", "services/a/main.py", ("services/a/util.py",)),
        ("util", "services/b/main.py", ("services/b/util.py",)),
        ("util", "tools/main.py", ()),
        ("os.path", "src/app/shop.py", ()),
        ("./api", "web/src/main.ts", ("web/src/api.ts",)),
        ("./api.js", "web/src/main.ts", ("web/src/api.ts",)),
        ("./ui", "web/src/main.ts", ("web/src/ui/index.tsx",)),
        ("../ui/button", "web/src/pages/a.ts", ("web/src/ui/button.js",)),
        ("@/lib/x", "src/main.ts", ("src/lib/x.ts",)),
        ("react", "web/src/main.ts", ()),
        ("../../../../etc/passwd", "web/src/main.ts", ()),
        ("example.com/acme/go/price", "go/main.go", ("go/price/price.go",)),
        ("fmt", "go/main.go", ()),
        ("acme.Price", "java/shop/Shop.java", ("java/acme/Price.java",)),
        ("crate::price", "rust/src/main.rs", ("rust/src/price/mod.rs",)),
        ("crate::price::tax", "rust/src/lib.rs", ("rust/src/price/tax.rs",)),
        ("self::tax", "rust/src/price/mod.rs", ("rust/src/price/tax.rs",)),
        ("super", "rust/src/price/tax.rs", ("rust/src/price/mod.rs",)),
        ("std::fmt", "rust/src/lib.rs", ()),
        ("shop/cart", "lib/shop.rb", ("lib/shop/cart.rb",)),
        ("./cart", "lib/shop/other.rb", ("lib/shop/cart.rb",)),
        ("price.h", "src/price.c", ("src/price.h",)),
        ("price.h", "app/main.c", ()),
        ("stdio.h", "src/price.c", ()),
    ],
)
def test_an_import_means_its_file_or_none(
    module: str, importer: str, files: tuple[str, ...]
) -> None:
    assert Modules(PATHS).files_of(module, importer) == files


@given(st.text(max_size=400), st.sampled_from([".py", ".ts", ".js", ".go", ".java", ".rs", ".rb",
                                               ".c", ".cpp", ".tsx"]))  # fmt: skip
def test_any_text_can_be_read_in_every_language(text: str, suffix: str) -> None:
    facts = facts_of(f"a{suffix}", text)
    lines = text.count("\n") + 1
    assert all(1 <= s.first_line <= s.last_line <= lines + 1 for s in facts.symbols)
    modules = Modules([f"a{suffix}", f"b{suffix}"])
    for one in facts.imports:
        assert set(modules.files_of(one.module, f"a{suffix}")) <= {f"a{suffix}", f"b{suffix}"}


def test_the_languages_are_those_that_are_promised() -> None:
    assert {"python", "javascript", "typescript", "go", "java", "rust", "ruby", "c", "cpp"} <= set(
        CODE_LANGUAGES
    )
