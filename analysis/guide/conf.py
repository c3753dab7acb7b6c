# SPDX-License-Identifier: GPL-2.0-only
"""Sphinx's configuration of the guide; make_docs.py passes the version."""

project = "NFS/RDMA cluster simulator"
author = "the authors of the NFS/RDMA cluster simulator"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
master_doc = "index"
# Links lead to headings as they do on the sites that show Markdown.
myst_heading_anchors = 4
html_theme = "sphinx_rtd_theme"
html_show_copyright = False
html_copy_source = False
# The commands are a shell's, and scenarios are INI files: neither is guessed to be Python.
highlight_language = "none"
