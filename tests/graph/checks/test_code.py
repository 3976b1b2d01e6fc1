"""Checks by syntax, in every language that is read: findings, and look-alikes that are none."""

from __future__ import annotations

import pytest

from graph.checks.languages import LANGUAGES
from graph.checks.specs import (
    Check,
    ForbiddenCall,
    ForbiddenImport,
    ForbiddenSyntax,
    MaxFileLines,
    MaxFunctionLines,
    MaxNesting,
    MaxParameters,
    Naming,
    QuoteStyle,
    RequiredDocstring,
    RequiredTypes,
)
from graph.checks.syntax import parse
from tests.graph.checks.changes import lines_found, run

PATHS = {
    "python": "a.py", "javascript": "a.js", "typescript": "a.ts", "tsx": "a.tsx", "go": "a.go",
    "rust": "a.rs", "java": "A.java", "c": "a.c", "cpp": "a.cpp", "csharp": "A.cs",
    "ruby": "a.rb", "php": "a.php", "kotlin": "a.kt", "swift": "a.swift", "bash": "a.sh",
}  # fmt: skip


def test_every_grammar_knows_the_kinds_that_are_asked_for() -> None:
    """ast-grep refuses a search for a kind that the grammar does not have."""
    for language in LANGUAGES:
        syntax = parse("", language)
        grammar = syntax.grammar
        roles = (grammar.comments, grammar.strings, grammar.calls, grammar.imports)
        more = (grammar.functions, grammar.methods, grammar.classes, grammar.interfaces)
        for kinds in (*roles, *more, grammar.blocks):
            assert syntax.find(kinds) == []


CALLS = [
    ("python", ("print",), "# print(1)\n'print(2)'\nprint(3)\nx.print(4)\nprint\n", [3]),
    ("python", ("os.system",), "os.system('x')\nsystem('x')\nos.\\\n  system(1)\n", [1, 4]),
    ("python", (".objects.all",), "", []),
    ("python", (".all",), "a.b.all()\nf()[0].all()\nall()\n", [1, 2]),
    ("javascript", ("console.log",), "// console.log(1)\nconsole.log(2);\nxconsole.log();\n", [2]),
    ("javascript", ("console.*",), "console\n  .warn(1);\nconsole;\n'console.log()';\n", [2]),
    ("javascript", ("eval", "Date"), "eval('x'); new Date();\na.eval();\n", [1, 1]),
    ("typescript", ("JSON.parse",), "const a = JSON?.parse<X>(b);\n", [1]),
    ("tsx", ("alert",), "const A = () => <a onClick={() => alert('alert()')} />;\n", [1]),
    ("go", ("fmt.Println", "panic"), 'func f() {\n// panic(1)\nfmt.Println("panic(2)")\n}\n', [3]),
    ("rust", (".unwrap", "println!"), 'fn f() {\nx.unwrap();\nprintln!("{}", y.unwrap());\n}\n',
     [2, 3, 3]),
    ("rust", ("std::process::exit",), 'fn f() { std::process::exit(1); "exit(1)"; }\n', [1]),
    ("java", ("System.out.println",),
     'class A { void f() {\nSystem.out.println("x");\nlog.println("System.out.println()");\n} }\n',
     [2]),
    ("c", ("gets", "strcpy"), 'void f() {\n/* gets(x) */\ngets(x);\nx = "strcpy(a)";\n}\n', [3]),
    ("cpp", ("std::system",), "void f() {\nstd::system(x);\nmy::system(x);\n}\n", [2]),
    ("csharp", ("Console.WriteLine",),
     'class A { void F() {\nConsole.WriteLine("x");\n// Console.WriteLine\n} }\n', [2]),
    ("ruby", ("puts", "binding.pry"), "puts 'x'\n# puts\nbinding.pry\nx = 'puts 1'\n", [1, 3]),
    ("php", ("var_dump", "echo", "die"),
     "<?php\nvar_dump($a);\necho 'var_dump($b)';\n# die();\ndie();\n", [2, 3, 5]),
    ("kotlin", ("println",), 'fun f() {\nprintln("x")\n// println()\nlog.println("x")\n}\n', [2]),
    ("swift", ("print",), 'func f() {\nprint("x")\n// print()\nlog.print("print()")\n}\n', [2]),
    ("bash", ("curl", "eval"), "# curl x\necho 'curl x'\ncurl x | sh\neval \"$x\"\n", [3, 4]),
]  # fmt: skip


@pytest.mark.parametrize(("language", "names", "text", "expected"), CALLS)
def test_forbidden_call(
    language: str, names: tuple[str, ...], text: str, expected: list[int]
) -> None:
    assert lines_found(ForbiddenCall(names), PATHS[language], text) == expected


IMPORTS = [
    ("python", "requests", "import requests\nimport requests_x\n# import requests\n", [1]),
    ("python", "os.path", "from os import (\n sep,\n path as p,\n)\nfrom os.path import (\n  x)\n",
     [3, 5]),
    ("python", "a", "import b, a.c as d\nfrom .a import x\nfrom a import *\n", [1, 3]),
    ("javascript", "lodash", ("import a from 'lodash/fp';\nconst b = require('lodash');\n"
     "import('lodash');\nexport * from 'lodash';\nimport c from 'lodash.get';\nf('lodash');\n"),
     [1, 2, 3, 4]),
    ("typescript", "@a/b", "import type { X } from '@a/b/c';\nimport y from '@a/bc';\n", [1]),
    ("go", "github.com/pkg/errors", 'import (\n\t"fmt"\n\tx "github.com/pkg/errors"\n)\n', [3]),
    ("rust", "std::fs", "use std::{io, fs::File};\nuse std::fsx;\nuse std::fs;\n", [1, 3]),
    ("java", "java.util.Date", "import java.util.Date;\nimport java.util.*;\n", [1]),
    ("java", "junit", "import static junit.Assert.x;\nimport org.junit.A;\n", [1]),
    ("c", "stdio.h", '#include <stdio.h>\n#include "my_stdio.h"\n// #include <stdio.h>\n', [1]),
    ("cpp", "boost", "#include <boost/any.hpp>\n#include <vector>\n", [1]),
    ("csharp", "System.Linq", "using System;\nusing L = System.Linq;\nusing System.Linq.X;\n",
     [2, 3]),
    ("ruby", "json", "require 'json'\nrequire_relative 'x/json'\nputs 'json'\n", [1]),
    ("php", "App\\Old", "<?php\nuse App\\Old\\A;\nuse App\\{Old\\B, New};\nuse App\\Olds;\n",
     [2, 3]),
    ("kotlin", "java.util.Date", "import java.util.Date as D\nimport java.util.*\n", [1]),
    ("swift", "UIKit", "import UIKit\nimport class UIKit.UIView\nimport Foundation\n", [1, 2]),
    ("bash", "lib.sh", "source ./lib.sh\n. lib.sh\necho lib.sh\n", [1, 2]),
]  # fmt: skip


@pytest.mark.parametrize(("language", "module", "text", "expected"), IMPORTS)
def test_forbidden_import(language: str, module: str, text: str, expected: list[int]) -> None:
    assert lines_found(ForbiddenImport((module,)), PATHS[language], text) == expected


CONSTRUCTS = [
    ("wildcard_import", "a.py", "from a import *\nfrom a import b\n", [1]),
    ("wildcard_import", "A.java", "import a.*;\nimport a.B;\n", [1]),
    ("relative_import", "a.py", "from . import a\nfrom .b import c\nfrom d import e\n", [1, 2]),
    ("relative_import", "a.ts", "import a from './a';\nimport b from 'b';\n", [1]),
    ("bare_except", "a.py", "try:\n x\nexcept:\n y\nexcept A:\n z\n", [3]),
    ("bare_except", "a.cpp", "void f() { try {\n} catch (...) {\n} catch (E e) { } }\n", [2]),
    ("broad_except", "a.py", "try:\n x\nexcept MyException:\n y\nexcept (A, Exception): z\n", [5]),
    ("broad_except", "A.java",
     "class A { void f() { try {\n} catch (IOError e) {\n} catch (Exception e) {\n} } }\n", [3]),
    ("empty_catch", "a.py", "try:\n x\nexcept A:\n pass\nexcept B:\n y\n", [3]),
    ("empty_catch", "a.js", "try {\n} catch (e) {\n}\ntry {} catch (e) { f(); }\n", [2]),
    ("empty_catch", "a.js", "try {\n} catch (e) {\n // as intended\n}\n", []),
    ("debugger", "a.js", "debugger;\n'debugger';\n", [1]),
    ("debugger", "a.py", "breakpoint()\nimport pdb; pdb.set_trace()\n", [1, 2]),
    ("debugger", "a.rb", "binding.pry\nbyebug\n", [1, 2]),
    ("var_declaration", "a.js", "var a;\nlet b;\n// var c;\n", [1]),
    ("any_type", "a.ts", "let a: any;\nlet any = 1;\nlet b: Foo<any>;\n", [1, 3]),
    ("non_null_assertion", "a.ts", "a!.b;\n!a;\n", [1]),
    ("non_null_assertion", "a.kt", "fun f() {\nval a = b!!\nval c = !d\n}\n", [2]),
    ("default_export", "a.js", "export default f;\nexport const x = 1;\n", [1]),
    ("goto", "a.c", "void f() {\ngoto end;\nend: ;\n}\n", [2]),
    ("mutable_default", "a.py", "def f(a=[], b=()):\n pass\ndef g(a: list = None):\n pass\n", [1]),
    ("global_statement", "a.py", "def f():\n global x\n", [2]),
    ("lambda_assignment", "a.py", "f = lambda: 1\ng(lambda: 2)\n", [1]),
    ("nested_ternary", "a.js", "a ? b : c;\na ? b : (c ? d : e);\n", [2]),
    ("nested_ternary", "a.py", "x = 1 if a else 2\ny = 1 if a else 2 if b else 3\n", [2]),
    ("loose_equality", "a.ts", "a == b;\na === b;\n'==';\na != b;\n", [1, 4]),
    ("unsafe_block", "a.rs", "fn f() {\nunsafe { }\n}\n", [2]),
    ("assert_statement", "a.py", "assert x\nself.assertTrue(x)\n", [1]),
    ("debugger", "a.txt", "debugger;\n", []),
]  # fmt: skip


@pytest.mark.parametrize(("construct", "path", "text", "expected"), CONSTRUCTS)
def test_forbidden_syntax(construct: str, path: str, text: str, expected: list[int]) -> None:
    check = ForbiddenSyntax(construct)  # type: ignore[arg-type]
    assert lines_found(check, path, text) == expected


SIZES: list[tuple[Check, str, str, list[int]]] = [
    (MaxFunctionLines(3), "a.py", "def f():\n 1\n 2\n\n@x\ndef g():\n 1\n 2\n 3\n", [6]),
    (MaxFunctionLines(3), "a.go", "func f() {\n1\n2\n}\nfunc g() {\n1\n}\n", [1]),
    (MaxFunctionLines(2), "a.js", "const f = () => {\n 1;\n};\n", [1]),
    (MaxFunctionLines(2), "a.rb", "def f\n 1\nend\n", [1]),
    (MaxParameters(2), "a.py", "class A:\n def f(self, a, b): pass\n def g(self, a, b, c): pass\n",
     [3]),
    (MaxParameters(2), "a.py", "def f(a, /, b, *, c): pass\ndef g(a, *, b): pass\n", [1]),
    (MaxParameters(2), "a.ts", "function f(this: X, a, b) {}\nfunction g(a, b, {c, d}) {}\n", [2]),
    (MaxParameters(2), "a.go", "func (r R) f(a, b int) {}\nfunc g(a, b int, c string) {}\n", [2]),
    (MaxParameters(1), "a.rs", "impl A {\nfn f(&self, a: X) {}\nfn g(a: X, b: X) {}\n}\n", [3]),
    (MaxParameters(1), "a.c", "int f(void) {}\nint *g(int a, int b) {}\n", [2]),
    (MaxParameters(1), "a.cpp", "int A::f(int a, int b = 1) { return 1; }\n", [1]),
    (MaxParameters(1), "A.java", "class A {\nint f(int a) {}\nint g(int a, X... b) {}\n}\n", [3]),
    (MaxParameters(1), "A.cs", "class A {\nvoid F(int a) {}\nvoid G(int a, int b) {}\n}\n", [3]),
    (MaxParameters(1), "a.kt", "fun f(a: Int) = 1\nfun g(a: Int, b: Int) = 1\n", [2]),
    (MaxParameters(1), "a.swift", "func f(a: Int) {}\nfunc g(a: Int, b: Int) {}\n", [2]),
    (MaxParameters(1), "a.php", "<?php\nfunction f($a) {}\nfunction g($a, $b) {}\n", [3]),
    (MaxNesting(2), "a.py", "def f():\n if a:\n  for b in c:\n   if d:\n    pass\n", [4]),
    (MaxNesting(1), "a.py", "if a:\n pass\nelif b:\n pass\nelif c:\n pass\n", []),
    (MaxNesting(1), "a.js", "if (a) {} else if (b) {} else if (c) {}\n", []),
    (MaxNesting(1), "a.js", "if (a) {\n f(() => {\n if (b) {\n while (c) {}\n }\n });\n}\n", [4]),
    (MaxNesting(1), "a.go", "func f() {\nif a {\n} else if b {\nfor {\n}\n}\n}\n", [4]),
    (MaxNesting(1), "a.rs", "fn f() {\nif a { } else if b {\nloop { }\n}\n}\n", [3]),
]  # fmt: skip


@pytest.mark.parametrize(("check", "path", "text", "expected"), SIZES)
def test_size(check: Check, path: str, text: str, expected: list[int]) -> None:
    assert lines_found(check, path, text) == expected


def test_sizes_are_told_only_where_the_change_touches() -> None:
    old = "def f(a, b, c):\n    1\n    2\n    3\n\n\ndef g():\n    1\n"
    new = old.replace("def g():\n    1\n", "def g():\n    2\n")
    assert lines_found(MaxFunctionLines(3), "a.py", new, old) == []
    longer = old.replace("    3\n", "    3\n    4\n")
    assert lines_found(MaxFunctionLines(3), "a.py", longer, old) == [5]
    assert lines_found(MaxParameters(2), "a.py", longer, old) == []


def test_a_file_is_too_long_only_when_it_grew() -> None:
    long = "x\n" * 50
    (violation,) = run(MaxFileLines(20), {"a.py": long + "y\n"}, {"a.py": long}).violations
    assert (violation.measured, violation.limit, violation.anchor) == (51, 20, None)
    assert run(MaxFileLines(20), {"a.py": long[2:]}, {"a.py": long}).violations == ()
    assert run(MaxFileLines(51), {"a.py": long + "y\n"}, {"a.py": long}).violations == ()


NAMES: list[tuple[Naming, str, str, list[int]]] = [
    (Naming("function", "snake_case"), "a.py", "def a_b(): pass\ndef aB(): pass\n", [2]),
    (Naming("function", "snake_case"), "a.py", "def __init__(): pass\ndef _a(): pass\n", []),
    (Naming("function", "snake_case"), "a.py", "def setUp(self): pass\n", []),
    (Naming("function", "camelCase"), "a.js", "function aB() {}\nconst a_b = () => 1;\n", [2]),
    (Naming("function", "camelCase"), "A.java", "class A {\nA() {}\nvoid B() {}\n}\n", [3]),
    (Naming("method", "snake_case"), "a.rb", "class A\ndef aB; end\ndef a_b?; end\nend\n", [2]),
    (Naming("class", "PascalCase"), "a.py", "class AB: pass\nclass a_b: pass\n", [2]),
    (Naming("class", "PascalCase"), "a.go", "type A struct{}\ntype a_b struct{}\n", [2]),
    (Naming("interface", pattern="I[A-Z].*"), "a.ts", "interface IA {}\ninterface B {}\n", [2]),
    (Naming("interface", pattern=".*er"), "a.go",
     "type Reader interface{}\ntype X interface{}\n", [2]),
    (Naming("constant", "UPPER_CASE"), "a.py", "A_B = 1\nab = 2\nx = f()\n__all__ = 1\n", [2]),
    (Naming("constant", "UPPER_CASE"), "A.java",
     "class A {\nstatic final int AB = 1;\nstatic final int ab = 1;\nint c = 1;\n}\n", [3]),
    (Naming("constant", "UPPER_CASE"), "a.rs", "const AB: i32 = 1;\nconst Ab: i32 = 1;\n", [2]),
    (Naming("constant", "UPPER_CASE"), "a.php", "<?php\nconst A = 1;\nconst b = 1;\n", [3]),
    (Naming("variable", "snake_case"), "a.py", "def f():\n aB = 1\n a_b, cD = 2\n self.xY = 1\n",
     [2, 3]),
    (Naming("variable", "camelCase"), "a.ts", "let a_b = 1;\nlet aB = 2;\n", [1]),
    (Naming("variable", "snake_case"), "a.rs", "fn f() { let aB = 1; let mut c_d = 2; }\n", [1]),
    (Naming("parameter", "snake_case"), "a.py", "def f(aB, c_d: int = 1): pass\n", [1]),
    (Naming("parameter", "camelCase"), "A.java", "class A { void f(int a_b, int c) {} }\n", [1]),
]  # fmt: skip


@pytest.mark.parametrize(("check", "path", "text", "expected"), NAMES)
def test_naming(check: Naming, path: str, text: str, expected: list[int]) -> None:
    assert lines_found(check, path, text) == expected


@pytest.mark.parametrize(
    ("check", "path", "found"),
    [
        (Naming("file", "kebab-case"), "src/my-file.spec.ts", 0),
        (Naming("file", "kebab-case"), "src/myFile.ts", 1),
        (Naming("file", "snake_case"), "__init__.py", 0),
        (Naming("file", "snake_case"), ".gitignore", 0),
        (Naming("file", pattern=r"test_.*\.py"), "tests/a_test.py", 1),
    ],
)
def test_file_naming(check: Naming, path: str, found: int) -> None:
    assert len(run(check, {path: "x\n"}).violations) == found
    assert run(check, {path: "x\n"}, {path: "y\n"}).violations == ()


DOCUMENTS: list[tuple[Check, str, str, list[int]]] = [
    (RequiredDocstring("function"), "a.py",
     'def f():\n  """D."""\ndef g():\n  1\ndef _h(): 1\ndef test_i(): 1\n', [3]),
    (RequiredDocstring("function", public_only=False), "a.py", "def _f(): 1\n", [1]),
    (RequiredDocstring("function"), "a.py",
     'def f():\n  """D."""\n  def inner(): 1\n', []),
    (RequiredDocstring("class"), "a.py", "class A:\n  pass\ndef f(): 1\n", [1]),
    (RequiredDocstring("any"), "a.py", 'class A:\n  """D."""\n  def f(self): 1\n', [3]),
    (RequiredDocstring("function"), "a.ts",
     "/** D. */\nexport function f() {}\nexport function g() {}\nfunction h() {}\n", [3]),
    (RequiredDocstring("function"), "a.go", "// F does.\nfunc F() {}\n\nfunc G() {}\nfunc h() {}\n",
     [4]),
    (RequiredDocstring("function"), "a.rs",
     "/// D.\n#[inline]\npub fn f() {}\n\n// no\npub fn g() {}\n", [6]),
    (RequiredDocstring("any"), "A.java",
     "/** D. */\npublic class A {\n\npublic void f() {}\nvoid g() {}\n}\n", [4]),
    (RequiredTypes(), "a.py", "def f(a: int) -> int: 1\ndef g(a): 1\n", [2]),
    (RequiredTypes("return"), "a.py", "def f(a): 1\ndef g(a) -> int: 1\n", [1]),
    (RequiredTypes("parameters"), "a.py",
     "class A:\n def f(self, a: int = 1, *b: int): 1\n def g(self, c=1): 1\n", [3]),
    (RequiredTypes(), "a.ts", "function f(a: X): Y {}\nfunction g(a: X) {}\n", [2]),
    (RequiredTypes(), "a.php", "<?php\nfunction f(int $a): int {}\nfunction g($a): int {}\n", [3]),
    (QuoteStyle("double"), "a.py",
     "a = 'x'\nb = \"y\"\nc = 'say \"hi\"'\nd = '''z'''\ne = f\"{f('x')}\"\n", [1]),
    (QuoteStyle("single"), "a.ts", "a = \"x\";\nb = 'y';\nc = `z`;\nd = \"it's\";\n", [1]),
    (QuoteStyle("single"), "a.tsx", 'const A = <a b="c">{f("d")}</a>;\n', [1]),
]  # fmt: skip


@pytest.mark.parametrize(("check", "path", "text", "expected"), DOCUMENTS)
def test_document(check: Check, path: str, text: str, expected: list[int]) -> None:
    assert lines_found(check, path, text) == expected


def test_a_suggestion_of_other_quotes_changes_only_quotes() -> None:
    text = "é = f('a', 'b')  # don't\nx = {'k': \"v\"}\n"
    lines = text.split("\n")
    for violation in run(QuoteStyle("double"), {"a.py": text}).violations:
        assert violation.line is not None
        assert violation.suggestion is not None
        lines[violation.line - 1] = violation.suggestion
    assert "\n".join(lines) == 'é = f("a", "b")  # don\'t\nx = {"k": "v"}\n'


def test_a_module_needs_documentation_when_it_is_new() -> None:
    check = RequiredDocstring("module")
    assert len(run(check, {"a.py": "x = 1\n"}).violations) == 1
    assert run(check, {"a.py": '"""D."""\nx = 1\n', "b.py": ""}).violations == ()
    assert run(check, {"a.py": "x = 2\n"}, {"a.py": "x = 1\n"}).violations == ()
