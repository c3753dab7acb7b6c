# SPDX-License-Identifier: GPL-2.0-only
"""Arithmetic over numbers that runs have left and over published values.

    after.rpcs_per_second / before.rpcs_per_second
    one.average_bps / 1e9, two.average_bps / 1e9
    R07[1] / R07[0]

A name with dots is asked of who evaluates; a published row is a number, or the list of the numbers in its value.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable

Number = float

_BINARY = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
_FUNCTIONS = {"min": min, "max": max, "abs": abs}


class ExpressionError(Exception):
    """got is the part that is wrong, expected what could stand there."""

    def __init__(self, got: str, expected: str) -> None:
        super().__init__(f"{got}: {expected}")
        self.got = got
        self.expected = expected


class Expression:
    """One expression, or several with commas between."""

    def __init__(self, text: str) -> None:
        self.text = text
        try:
            body = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise ExpressionError(text, "an expression of +, -, *, /, min, max, abs, numbers and names") from error
        self._parts = body.elts if isinstance(body, ast.Tuple) else [body]
        self.names: list[str] = []
        for part in self._parts:
            self._collect(part)

    def __len__(self) -> int:
        return len(self._parts)

    def evaluate(self, look_up: Callable[[str], float | list[float]]) -> list[Number]:
        """A value for each part; a name alone may be a list, which then gives as many."""
        values: list[Number] = []
        for part in self._parts:
            value = self._value(part, look_up)
            values += value if isinstance(value, list) else [value]
        return values

    def _collect(self, node: ast.expr) -> None:
        if isinstance(node, (ast.Name, ast.Attribute)):
            self.names.append(_dotted(node))
        elif isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
            self._collect(node.left)
            self._collect(node.right)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            self._collect(node.operand)
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int):
            self._collect(node.value)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS and not node.keywords:
            for argument in node.args:
                self._collect(argument)
        elif not (isinstance(node, ast.Constant) and type(node.value) in (int, float)):
            raise ExpressionError(ast.unparse(node), "an expression of +, -, *, /, min, max, abs, numbers and names")

    def _value(self, node: ast.expr, look_up: Callable[[str], float | list[float]]) -> float | list[float]:
        if isinstance(node, (ast.Name, ast.Attribute)):
            return look_up(_dotted(node))
        if isinstance(node, ast.Constant):
            return float(node.value)
        if isinstance(node, ast.Subscript):
            found = self._value(node.value, look_up)
            numbers = found if isinstance(found, list) else [found]
            index = node.slice.value
            if not -len(numbers) <= index < len(numbers):
                raise ExpressionError(ast.unparse(node), f"a place from 0 to {len(numbers) - 1}")
            return numbers[index]
        if isinstance(node, ast.UnaryOp):
            return -self._number(node.operand, look_up)
        if isinstance(node, ast.Call):
            return _FUNCTIONS[node.func.id](*(self._number(argument, look_up) for argument in node.args))
        left, right = self._number(node.left, look_up), self._number(node.right, look_up)
        if isinstance(node.op, ast.Div) and right == 0:
            raise ExpressionError(ast.unparse(node.right), "a divisor that is not 0")
        return _BINARY[type(node.op)](left, right)

    def _number(self, node: ast.expr, look_up: Callable[[str], float | list[float]]) -> float:
        value = self._value(node, look_up)
        if isinstance(value, list):
            if len(value) != 1:
                raise ExpressionError(ast.unparse(node), f"one of its {len(value)} numbers, such as {ast.unparse(node)}[0]")
            return value[0]
        return value


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    raise ExpressionError(ast.unparse(node), "a name")
