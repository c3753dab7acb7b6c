# SPDX-License-Identifier: GPL-2.0-only
"""Octets of a capture file, one part after the other, uncompressed on the way if it is gzip."""

from __future__ import annotations

import gzip
import os
import stat
import zlib
from pathlib import Path

from .errors import CaptureError

_GZIP_MAGIC = b"\x1f\x8b"


class OctetSource:
    """A file from its start; CaptureError when it cannot be opened or read."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            kind = os.stat(path).st_mode
            if stat.S_ISDIR(kind):
                raise CaptureError(f"{path}: is a directory")
            if not stat.S_ISREG(kind):
                raise CaptureError(f"{path}: is no regular file")
            self._file = open(path, "rb")
            start = self._file.read(len(_GZIP_MAGIC))
            self._file.seek(0)
        except OSError as error:
            raise CaptureError(f"{path}: {error.strerror}") from None
        except ValueError:
            raise CaptureError(f"{str(path)!r}: is no file name") from None
        self._is_gzip = start == _GZIP_MAGIC
        self._stream = gzip.GzipFile(fileobj=self._file) if self._is_gzip else self._file
        self._taken = 0

    def __enter__(self) -> OctetSource:
        return self

    def __exit__(self, *_) -> None:
        self._file.close()

    def take(self, count: int) -> bytes:
        """The next count octets, fewer only at the end."""
        try:
            octets = self._stream.read(count)
        except gzip.BadGzipFile as error:
            if self._taken and str(error).startswith("Not a gzipped file"):
                return b""  # What follows a whole gzip file is passed over, as gzip does.
            raise CaptureError(f"{self._path}: damaged gzip file ({error})") from None
        except EOFError:
            raise CaptureError(f"{self._path}: damaged gzip file (it ends too early)") from None
        except zlib.error as error:
            raise CaptureError(f"{self._path}: damaged gzip file ({_reason(error)})") from None
        except OSError as error:
            raise CaptureError(f"{self._path}: {error.strerror or error}") from None
        self._taken += len(octets)
        return octets


def _reason(error: zlib.error) -> str:
    return str(error).rpartition(": ")[2]
