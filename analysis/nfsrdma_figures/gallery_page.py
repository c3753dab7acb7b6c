# SPDX-License-Identifier: GPL-2.0-only
"""The page of the gallery: HTML without anything from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from string import Template
from urllib.parse import quote

_PAGE = Template(
    """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Figures of the NFS/RDMA cluster simulator</title>
<style>
body { font: 16px/1.45 sans-serif; color: #111; background: #fff; max-width: 52rem; margin: 2rem auto; padding: 0 1rem }
nav ul { columns: 2; padding-left: 1.2rem }
figure { margin: 0 0 3rem; border-top: 1px solid #ccc; padding-top: 1rem }
img { max-width: 100%; height: auto }
figcaption { margin: .6rem 0 }
pre { background: #f3f3f3; padding: .5rem .7rem; overflow-x: auto; font-size: 13px }
</style>
</head>
<body>
<h1>Figures of the NFS/RDMA cluster simulator</h1>
<p>Each figure with the command that makes its data and the table that it shows. <code>./start figures</code> makes all of them.</p>
<nav>
<ul>
$contents
</ul>
</nav>
$figures
</body>
</html>
"""
)
_ITEM = Template('<li><a href="#$name">$title</a></li>')
_FIGURE = Template(
    """<figure id="$name">
<h2>$title</h2>
<a href="$pdf"><img src="$png" alt="$title" width="$width"></a>
<figcaption>$caption</figcaption>
<pre>$command</pre>
<p>Data: <a href="$data">$data_name</a> &middot; print: <a href="$pdf">$name.pdf</a></p>
</figure>"""
)


@dataclass(frozen=True)
class Exhibit:
    """A figure on the page; data is the path of its table, as the page sees it; width is in CSS pixels."""

    name: str
    title: str
    caption: str
    command: str
    data: str
    width: int


def render(exhibits: Iterable[Exhibit]) -> str:
    contents, figures = [], []
    for exhibit in exhibits:
        texts = {name: escape(getattr(exhibit, name)) for name in ("name", "title", "caption", "command")}
        contents.append(_ITEM.substitute(texts))
        figures.append(
            _FIGURE.substitute(
                texts,
                png=quote(f"{exhibit.name}.png"),
                pdf=quote(f"{exhibit.name}.pdf"),
                data=quote(exhibit.data),
                data_name=escape(exhibit.data),
                width=exhibit.width,
            )
        )
    return _PAGE.substitute(contents="\n".join(contents), figures="\n".join(figures))
