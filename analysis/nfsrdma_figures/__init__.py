# SPDX-License-Identifier: GPL-2.0-only
"""Figures of simulation results."""
