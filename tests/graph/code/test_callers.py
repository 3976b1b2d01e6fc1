"""Callers of changed definitions in nine languages: all that are, none that aren't."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from graph.code.callers import Caller, callers_of
from graph.code.changes import SymbolChange, changes_of
from graph.code.repository import MemoryCode


@dataclass(frozen=True)
class Scene:
    """A repository; `path` defines `name`, whose uses are `uses` ("path:line")."""

    files: dict[str, str]
    path: str
    name: str
    uses: frozenset[str]


PYTHON = Scene(
    {
        "app/price.py": "def total(items, rate):\n    return sum(items) * rate\n",
        "app/__init__.py": "from .price import total as cost\n",
        "app/shop.py": (
            "from app.price import total\n\n\ndef pay(items):\n    return total(items, 2)\n"
            "\n\ndef other(total):\n    return total(1)\n"
        ),
        "app/alias.py": (
            "from app import cost\nimport app.price as p\n\nx = cost([1], 3)\ny = p.total([1], 4)\n"
            "z = q.total([1], 4)\n# total(1, 2)\ns = 'total(1, 2)'\n"
        ),
        "other/price.py": "def total(a, b):\n    return a\n",
        "other/shop.py": "from other.price import total\n\nprint(total(1, 2))\n",
        "app/own.py": "def total(x):\n    return x\n\n\nprint(total(1))\n",
    },
    "app/price.py",
    "total",
    frozenset(
        {"app/__init__.py:1", "app/shop.py:1", "app/shop.py:5", "app/alias.py:1", "app/alias.py:4",
         "app/alias.py:5"}
    ),
)  # fmt: skip

TYPESCRIPT = Scene(
    {
        "src/price.ts": (
            "export function total(items: number[], rate: number): number {\n  return rate;\n}\n"
            "export default total;\n"
        ),
        "src/index.ts": "export { total as cost } from './price';\nexport * from './price';\n",
        "src/shop.tsx": (
            "import { total } from './price';\nexport const pay = (i: number[]) => total(i, 2);\n"
            "function other(total: any) {\n  return total(1);\n}\n"
        ),
        "src/alias.ts": (
            "import { cost } from './index';\nimport * as p from './price';\n"
            "import sum from './price.js';\nimport { total as t } from '.';\n"
            "cost([1], 3);\np.total([1], 4);\nsum([1], 5);\nt([], 6);\nq.total([1], 4);\n"
            "const s = 'total(1)'; // total(1)\n"
        ),
        "lib/price.ts": "export function total(a: number, b: number) { return a; }\n",
        "lib/shop.ts": "import { total } from './price';\ntotal(1, 2);\n",
        "src/old.js": "const { total: u } = require('./price');\nu([], 7);\n",
    },
    "src/price.ts",
    "total",
    frozenset(
        {"src/price.ts:4", "src/index.ts:1", "src/shop.tsx:1", "src/shop.tsx:2", "src/alias.ts:4",
         "src/alias.ts:1", "src/alias.ts:5", "src/alias.ts:6", "src/alias.ts:7", "src/alias.ts:8",
         "src/alias.ts:3", "src/old.js:1", "src/old.js:2"}
    ),
)  # fmt: skip

GO = Scene(
    {
        "price/price.go": (
            "package price\n\nfunc Total(items []int, rate int) int {\n\treturn rate\n}\n"
        ),
        "price/tax.go": "package price\n\nfunc Tax() int {\n\treturn Total(nil, 1)\n}\n",
        "shop/shop.go": (
            'package shop\n\nimport "example.com/acme/price"\n\nfunc Pay() int {\n'
            "\treturn price.Total(nil, 2)\n}\n"
        ),
        "shop/alias.go": (
            'package shop\n\nimport p "example.com/acme/price"\n\nvar x = p.Total(nil, 3)\n'
            "var y = other.Total(nil, 3)\n"
        ),
        "shop/own.go": "package shop\n\nfunc Total() int { return 1 }\n\nvar z = Total()\n",
    },
    "price/price.go",
    "Total",
    frozenset({"price/tax.go:4", "shop/shop.go:6", "shop/alias.go:5"}),
)

JAVA = Scene(
    {
        "src/acme/Price.java": (
            "package acme;\n\npublic class Price {\n  public int total(int a, int b) {\n"
            "    return a;\n  }\n  int twice() {\n"
            "    return total(1, 2) + this.total(3, 4);\n  }\n}\n"
        ),
        "src/shop/Shop.java": (
            "package shop;\n\nimport acme.Price;\n\nclass Shop {\n  int pay(Price price) {\n"
            "    return price.total(1, 2) + new Price().total(5, 6);\n  }\n"
            "  int other(Cart cart) {\n    return cart.total(1, 2);\n  }\n}\n"
        ),
        "src/acme/Near.java": (
            "package acme;\n\nclass Near extends Price {\n  int near() {\n"
            "    return total(7, 8);\n  }\n}\n"
        ),
        "src/other/Price.java": "package other;\n\nclass Price {\n  int total() { return 1; }\n}\n",
        "src/other/Use.java": (
            "package other;\n\nclass Use {\n  int use(Price p) { return p.total(); }\n}\n"
        ),
    },
    "src/acme/Price.java",
    "total",
    frozenset({"src/acme/Price.java:8", "src/shop/Shop.java:7", "src/acme/Near.java:5"}),
)

RUST = Scene(
    {
        "src/lib.rs": "mod price;\nmod shop;\nmod own;\npub use price::total as cost;\n",
        "src/price.rs": "pub fn total(a: i32, b: i32) -> i32 {\n    a\n}\n",
        "src/shop.rs": (
            "use crate::price::total;\nuse crate::price;\nuse crate::cost;\n\nfn pay() -> i32 {\n"
            "    total(1, 2) + price::total(3, 4) + cost(5, 6)\n}\n\nfn full() -> i32 {\n"
            "    crate::price::total(7, 8)\n}\n\nfn hidden() -> i32 {\n"
            "    let total = |x| x;\n    total(1)\n}\n"
        ),
        "src/own.rs": "fn total() -> i32 {\n    1\n}\n\nfn x() -> i32 {\n    total()\n}\n",
    },
    "src/price.rs",
    "total",
    frozenset(
        {"src/lib.rs:4", "src/shop.rs:1", "src/shop.rs:3", "src/shop.rs:6", "src/shop.rs:10"}
    ),
)

C = Scene(
    {
        "price.h": "int total(int a, int b);\n",
        "price.c": '#include "price.h"\nint total(int a, int b)\n{\n    return a;\n}\n',
        "shop.c": '#include "price.h"\nint pay(void)\n{\n    return total(1, 2);\n}\n',
        "all.h": '#include "price.h"\n',
        "deep.c": '#include "all.h"\nint deep(void) { return total(3, 4) + s.total(1); }\n',
        "own.c": "static int total(int a) { return a; }\nint own(void) { return total(1); }\n",
    },
    "price.c",
    "total",
    frozenset({"shop.c:4", "deep.c:2"}),
)

RUBY = Scene(
    {
        "lib/price.rb": "class Price\n  def total(a, b)\n    a\n  end\nend\n",
        "lib/shop.rb": (
            "require_relative 'price'\n\nclass Shop\n  def pay\n    price = Price.new\n"
            "    price.total(1, 2)\n  end\n\n  def other(cart)\n    cart.total(1)\n  end\nend\n"
        ),
    },
    "lib/price.rb",
    "total",
    frozenset({"lib/shop.rb:6"}),
)

CPP = Scene(
    {
        "price.hpp": "class Price {\n public:\n  int total(int a, int b) { return a; }\n};\n",
        "shop.cpp": (
            '#include "price.hpp"\nint pay(const Price& price) {\n  return price.total(1, 2);\n}\n'
            "int other(const Cart& cart) {\n  return cart.total(1, 2);\n}\n"
        ),
    },
    "price.hpp",
    "total",
    frozenset({"shop.cpp:3"}),
)

METHODS_PYTHON = Scene(
    {
        "app/price.py": "class Price:\n    def total(self, a, b):\n        return a\n",
        "app/shop.py": (
            "from app.price import Price\nfrom app.cart import Cart\n\n\nclass Shop:\n"
            "    def __init__(self, price: Price, cart: Cart):\n        self.price = price\n"
            "        self.cart = cart\n\n    def pay(self):\n"
            "        p = Price()\n        c = Cart()\n        return p.total(1, 2) + c.total(1)\n"
            "\n    def more(self):\n        return self.cart.total(1) + Price().total(3, 4)\n\n\n"
            "class Sale(Price):\n    def cheap(self):\n        return self.total(5, 6)\n"
        ),
        "app/cart.py": "class Cart:\n    def total(self, a):\n        return self.total(a)\n",
    },
    "app/price.py",
    "total",
    frozenset({"app/shop.py:13", "app/shop.py:16", "app/shop.py:21"}),
)

SCENES = {
    "python": PYTHON, "typescript": TYPESCRIPT, "go": GO, "java": JAVA, "rust": RUST, "c": C,
    "ruby": RUBY, "c++": CPP, "methods": METHODS_PYTHON,
}  # fmt: skip


def callers(scene: Scene, change: SymbolChange | None = None) -> tuple[Caller, ...]:
    code = MemoryCode(scene.files)
    symbol = next(s for s in code.facts(scene.path).symbols if s.name == scene.name)
    arities = change.arities if change else ((symbol.arity,) if symbol.arity else ())
    return callers_of(code, scene.path, symbol, arities)


@pytest.mark.parametrize("language", SCENES)
def test_every_use_is_found_and_none_is_invented(language: str) -> None:
    scene = SCENES[language]
    assert {f"{c.path}:{c.line}" for c in callers(scene)} == scene.uses


@pytest.mark.parametrize("language", SCENES)
def test_calls_fit_what_they_are_written_for(language: str) -> None:
    fitting = [c.fits for c in callers(SCENES[language]) if c.role == "call"]
    assert fitting
    assert all(fitting)


MORE_PARAMETERS = {
    "python": ("items, rate", "items, rate, *, code"),
    "typescript": ("rate: number", "rate: number, code: string"),
    "go": ("rate int", "rate int, code string"),
    "java": ("int a, int b", "int a, int b, int c"),
    "rust": ("a: i32, b: i32", "a: i32, b: i32, c: i32"),
    "c": ("int a, int b", "int a, int b, int c"),
    "ruby": ("a, b", "a, b, c"),
    "c++": ("int a, int b", "int a, int b, int c"),
    "methods": ("self, a, b", "self, a, b, c"),
}


@pytest.mark.parametrize("language", MORE_PARAMETERS)
def test_callers_that_still_pass_two_arguments_are_told(language: str) -> None:
    scene = SCENES[language]
    before = scene.files[scene.path]
    after = before.replace(*MORE_PARAMETERS[language])
    (change,) = [c for c in changes_of(scene.path, before, after) if c.kind == "parameters"]
    found = [c for c in callers(scene, change) if c.role == "call"]
    assert found
    assert {(c.fits, c.arguments.count if c.arguments else None) for c in found} == {(False, 2)}


@pytest.mark.parametrize("language", MORE_PARAMETERS)
def test_an_optional_parameter_breaks_nobody(language: str) -> None:
    optional = {
        "python": "items, rate, *, code=None", "typescript": "rate: number, code?: string",
        "go": "rate int, code ...string", "java": "int a, int b, int... c", "ruby": "a, b, c = 1",
        "c++": "int a, int b, int c = 1", "methods": "self, a, b, c=1", "c": "int a, int b, ...",
    }  # fmt: skip
    if language not in optional:
        return
    scene = SCENES[language]
    after = scene.files[scene.path].replace(MORE_PARAMETERS[language][0], optional[language])
    (change,) = [c for c in changes_of(scene.path, scene.files[scene.path], after)
                 if c.kind == "parameters"]  # fmt: skip
    assert all(c.fits for c in callers(scene, change) if c.role == "call")


@pytest.mark.parametrize("language", SCENES)
def test_a_renamed_function_is_known_by_its_body(language: str) -> None:
    scene = SCENES[language]
    before = scene.files[scene.path]
    after = before.replace(scene.name, "Renamed" if scene.name[0].isupper() else "renamed")
    (change,) = [c for c in changes_of(scene.path, before, after) if c.kind != "body"]
    assert change.kind == "renamed"
    assert change.old.name == scene.name
    assert change.new is not None
    assert change.new.name.lower() == "renamed"
    assert {f"{c.path}:{c.line}" for c in callers(scene, change)} == scene.uses


@pytest.mark.parametrize(
    ("language", "old", "new"),
    [
        ("typescript", "): number", "): string"),
        ("go", ") int {", ") string {"),
        ("java", "public int total", "public long total"),
        ("rust", "-> i32", "-> u64"),
        ("c", "int total", "long total"),
        ("python", "rate):", "rate) -> int:"),
    ],
)
def test_a_changed_return_type_is_a_change(language: str, old: str, new: str) -> None:
    scene = SCENES[language]
    before = scene.files[scene.path]
    found = changes_of(scene.path, before, before.replace(old, new, 1))
    assert [(c.kind, c.old.name) for c in found] == [("returns", scene.name)]


@pytest.mark.parametrize(
    ("language", "old", "new"),
    [
        ("typescript", "export function", "function"),
        ("java", "public int total", "private int total"),
        ("rust", "pub fn", "fn"),
        ("c", "int total", "static int total"),
    ],
)
def test_a_removed_export_is_a_change(language: str, old: str, new: str) -> None:
    scene = SCENES[language]
    before = scene.files[scene.path]
    found = changes_of(scene.path, before, before.replace(old, new, 1))
    assert [(c.kind, c.old.name) for c in found] == [("unexported", scene.name)]


@pytest.mark.parametrize("language", SCENES)
def test_a_file_that_is_gone_takes_its_definitions_along(language: str) -> None:
    scene = SCENES[language]
    found = changes_of(scene.path, scene.files[scene.path], None)
    assert scene.name in {c.old.name for c in found if c.kind == "removed"}


def test_a_changed_body_is_told_apart_from_an_untouched_one() -> None:
    before = "def f(a):\n    return a\n\n\ndef g(a):\n    return a\n"
    after = before.replace("return a\n\n\n", "return a + 1\n\n\n")
    found = changes_of("x.py", before, after, frozenset({2}))
    assert [(c.kind, c.old.name) for c in found] == [("body", "f")]


def test_spread_arguments_are_not_counted() -> None:
    scene = Scene(
        {"a.py": "def f(a, b):\n    return a\n", "b.py": "from a import f\nf(*x)\nf(**y)\nf(1)\n"},
        "a.py", "f", frozenset(),
    )  # fmt: skip
    assert [c.fits for c in callers(scene) if c.role == "call"] == [None, None, False]


def test_go_methods_are_found_through_what_makes_their_type() -> None:
    scene = Scene(
        {
            "price/price.go": (
                "package price\n\ntype Price struct{}\n\nfunc New() *Price { return &Price{} }\n\n"
                "func (p *Price) Total(a int) int {\n\treturn a\n}\n"
            ),
            "shop/shop.go": (
                'package shop\n\nimport "acme/price"\n\nfunc pay(given *price.Price) int {\n'
                "\tp := price.New()\n\tq := &price.Price{}\n\tr := cart.New()\n"
                "\treturn p.Total(1) + q.Total(2) + given.Total(3) +\n\t\tr.Total(4)\n}\n"
            ),
        },
        "price/price.go", "Total", frozenset(),
    )  # fmt: skip
    assert [c.line for c in callers(scene)] == [9]


def test_javascript_that_exports_by_module_exports() -> None:
    scene = Scene(
        {
            "a.js": "function f(a) { return a; }\nmodule.exports = { f, g: f };\n",
            "b.js": (
                "const { f } = require('./a');\nconst a = require('./a');\n"
                "f(1);\na.f(2);\na.g(3);\n"
            ),
        },
        "a.js", "f", frozenset(),
    )  # fmt: skip
    assert [f"{c.path}:{c.line}" for c in callers(scene) if c.role == "call"] == [
        "b.js:3", "b.js:4", "b.js:5",
    ]  # fmt: skip
