# SPDX-License-Identifier: GPL-2.0-only
"""Published measurements re-enacted: experiments, their bounds, and parameters fitted on them."""
