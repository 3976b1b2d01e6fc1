"""The two small projects of the seeded world, and what their pull requests change."""

from __future__ import annotations

LONG_LINE_LENGTH = 96
LONG_LINE_PATH = "billing/invoices.py"

_INVOICES = '''"""Invoices and what is still owed on them."""

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from billing.money import rounded


@dataclass(frozen=True)
class Line:
    """One position of an invoice; the price is for one piece, without tax."""

    description: str
    quantity: int
    unit_price: Decimal

    @property
    def total(self) -> Decimal:
        return self.unit_price * self.quantity


@dataclass
class Invoice:
    """What a customer owes, and by when."""

    number: str
    due: date
    lines: list[Line] = field(default_factory=list)
    paid: Decimal = Decimal(0)

    @property
    def total(self) -> Decimal:
        return rounded(sum((line.total for line in self.lines), Decimal(0)))

    @property
    def outstanding(self) -> Decimal:
        return max(self.total - self.paid, Decimal(0))

    def is_overdue(self, today: date) -> bool:
        return self.outstanding > 0 and today > self.due
'''

_MONEY = '''"""Rounding, in one place so that every total agrees."""

from decimal import ROUND_HALF_EVEN, Decimal

CENT = Decimal("0.01")


def rounded(amount: Decimal) -> Decimal:
    """To whole cents, halves to even."""
    return amount.quantize(CENT, rounding=ROUND_HALF_EVEN)
'''

_TEST_INVOICES = """from datetime import date
from decimal import Decimal

from billing.invoices import Invoice, Line


def test_total_is_rounded_once():
    invoice = Invoice("2041", date(2026, 3, 1), [Line("Seats", 3, Decimal("9.995"))])
    assert invoice.total == Decimal("29.98")


def test_a_paid_invoice_is_never_overdue():
    lines = [Line("Seats", 1, Decimal(10))]
    invoice = Invoice("2042", date(2026, 3, 1), lines, paid=Decimal(10))
    assert not invoice.is_overdue(date(2027, 1, 1))
"""

API_FILES = {
    "README.md": "# api\n\nBilling for Acme: invoices, payments and reminders.\n",
    "pyproject.toml": (
        '[project]\nname = "acme-billing"\nversion = "1.8.0"\nrequires-python = ">=3.11"\n'
    ),
    "billing/__init__.py": '"""Billing for Acme."""\n',
    "billing/invoices.py": _INVOICES,
    "billing/money.py": _MONEY,
    "tests/test_invoices.py": _TEST_INVOICES,
}

_LATE_FEES = '''
    def late_fee(self, today: date, daily_rate: Decimal) -> Decimal:
        """The fee since the due date, at most half of what is outstanding."""
        if not self.is_overdue(today):
            return Decimal(0)
        days = (today - self.due).days
        return rounded(min(self.outstanding * daily_rate * days, self.outstanding / Decimal(2)))
'''

API_CHANGES = {
    "billing/invoices.py": _INVOICES + _LATE_FEES,
    "tests/test_invoices.py": _TEST_INVOICES
    + """

def test_the_late_fee_stops_at_half():
    invoice = Invoice("2043", date(2026, 3, 1), [Line("Seats", 1, Decimal(10))])
    assert invoice.late_fee(date(2027, 3, 1), Decimal("0.01")) == Decimal(5)
""",
}
API_PULL_TITLE = "Charge a late fee on overdue invoices"
API_PULL_BODY = "The fee grows by the day and stops at half of what is outstanding."

_FORMAT = """const euro = new Intl.NumberFormat("en-IE", { style: "currency", currency: "EUR" });

/** An amount in cents as people read it. */
export function formatAmount(cents: number): string {
  return euro.format(cents / 100);
}
"""

_INVOICE_ROW = """import { formatAmount } from "../format";

export interface Invoice {
  number: string;
  dueOn: string;
  outstandingCents: number;
}

/** One row of the invoice table. */
export function invoiceRow(invoice: Invoice): string[] {
  return [invoice.number, invoice.dueOn, formatAmount(invoice.outstandingCents)];
}
"""

WEB_FILES = {
    "README.md": "# web\n\nThe customer portal.\n",
    "package.json": (
        '{\n  "name": "acme-portal",\n  "private": true,\n  "type": "module",\n'
        '  "scripts": { "test": "node --test" }\n}\n'
    ),
    "src/format.ts": _FORMAT,
    "src/invoices/row.ts": _INVOICE_ROW,
}

WEB_CHANGES = {
    "src/invoices/row.ts": _INVOICE_ROW.replace(
        "  return [invoice.number, invoice.dueOn, formatAmount(invoice.outstandingCents)];\n",
        """  const badge = isOverdue(invoice, new Date()) ? "overdue" : "";
  const amount = formatAmount(invoice.outstandingCents);
  return [invoice.number, invoice.dueOn, amount, badge];
""",
    )
    + """
/** Whether something is owed and the day on which it was due has passed. */
export function isOverdue(invoice: Invoice, today: Date): boolean {
  const day = today.toISOString().slice(0, 10);
  return invoice.outstandingCents > 0 && day > invoice.dueOn;
}
""",
}
WEB_PULL_TITLE = "Show a badge on overdue invoices"
WEB_PULL_BODY = "Customers asked why a reminder came; now the table says it."


def long_line() -> int:
    """Number of the added line of LONG_LINE_LENGTH characters in LONG_LINE_PATH."""
    lines = API_CHANGES[LONG_LINE_PATH].splitlines()
    return 1 + next(i for i, line in enumerate(lines) if len(line) == LONG_LINE_LENGTH)
