#! /usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Examples that ns-3's test.py runs where the repository is contrib/nfsrdma: name, whether to run it, and under valgrind."""

cpp_examples = [
    ("two-nodes", "True", "True"),
    ("two-nodes --mtu=9000 --octets=262144", "True", "False"),
    ("two-rnics", "True", "True"),
]

python_examples = []
