# SPDX-License-Identifier: GPL-2.0-only
"""What makes a result one that others can check: scenarios resolved, archives of runs, sensitivity to costs."""
