/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/sparse-file.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

/// A part of a request that lies in one page.
struct Piece
{
    uint64_t page;
    uint64_t pageOffset;
    uint64_t position;
    uint64_t length;
};

template <typename Visitor>
void
ForEachPiece(uint64_t offset, uint64_t length, Visitor&& visit)
{
    uint64_t position = 0;
    while (position < length)
    {
        Piece piece{};
        piece.page = (offset + position) / SparseFile::PAGE_SIZE;
        piece.pageOffset = (offset + position) % SparseFile::PAGE_SIZE;
        piece.position = position;
        piece.length = std::min(SparseFile::PAGE_SIZE - piece.pageOffset, length - position);
        visit(piece);
        position += piece.length;
    }
}

} // namespace

SparseFile::SparseFile(uint64_t size, Background background)
    : m_size(size),
      m_backgroundSize(background ? size : 0),
      m_background(std::move(background))
{
}

uint64_t
SparseFile::GetSize() const
{
    return m_size;
}

void
SparseFile::SetSize(uint64_t size)
{
    if (size < m_size)
    {
        const uint64_t cut = size % PAGE_SIZE;
        auto it = m_pages.lower_bound(size / PAGE_SIZE);
        if (cut != 0 && it != m_pages.end() && it->first == size / PAGE_SIZE)
        {
            std::fill(it->second->begin() + cut, it->second->end(), uint8_t{0});
            ++it;
        }
        while (it != m_pages.end())
        {
            m_pagesBeyond -= it->first >= GetBackgroundPages() ? 1 : 0;
            it = m_pages.erase(it);
        }
        m_backgroundSize = std::min(m_backgroundSize, size);
    }
    m_size = size;
}

void
SparseFile::Read(uint64_t offset, uint64_t length, const Sink& sink) const
{
    Page fromBackground;
    ForEachPiece(offset, length, [&](const Piece& piece) {
        const auto it = m_pages.find(piece.page);
        if (it != m_pages.end())
        {
            sink(piece.position, ByteSpan(*it->second).subspan(piece.pageOffset, piece.length));
        }
        else if (offset + piece.position < m_backgroundSize)
        {
            const auto out = MutableByteSpan(fromBackground).first(piece.length);
            FillFromBackground(offset + piece.position, out);
            sink(piece.position, out);
        }
    });
}

uint64_t
SparseFile::Read(uint64_t offset, MutableByteSpan out) const
{
    std::fill(out.begin(), out.end(), uint8_t{0});
    const uint64_t length = offset < m_size ? std::min<uint64_t>(out.size(), m_size - offset) : 0;
    Read(offset, length, [out](uint64_t position, ByteSpan octets) {
        std::copy(octets.begin(), octets.end(), out.begin() + position);
    });
    return length;
}

void
SparseFile::Write(uint64_t offset, uint64_t length, const Source& source)
{
    ForEachPiece(offset, length, [&](const Piece& piece) {
        Page& page = GetPageForWrite(piece.page, piece.length == PAGE_SIZE);
        source(piece.position, MutableByteSpan(page).subspan(piece.pageOffset, piece.length));
    });
    if (length != 0)
    {
        m_size = std::max(m_size, offset + length);
    }
}

void
SparseFile::Write(uint64_t offset, ByteSpan octets)
{
    Write(offset, octets.size(), [octets](uint64_t position, MutableByteSpan out) {
        const auto piece = octets.subspan(position, out.size());
        std::copy(piece.begin(), piece.end(), out.begin());
    });
}

uint64_t
SparseFile::GetUsed() const
{
    return (GetBackgroundPages() + m_pagesBeyond) * PAGE_SIZE;
}

uint64_t
SparseFile::GetBackgroundPages() const
{
    return (m_backgroundSize + PAGE_SIZE - 1) / PAGE_SIZE;
}

SparseFile::Page&
SparseFile::GetPageForWrite(uint64_t index, bool wholePage)
{
    auto& page = m_pages[index];
    if (!page)
    {
        page = std::make_unique<Page>();
        page->fill(0);
        m_pagesBeyond += index >= GetBackgroundPages() ? 1 : 0;
        if (!wholePage)
        {
            FillFromBackground(index * PAGE_SIZE, *page);
        }
    }
    return *page;
}

void
SparseFile::FillFromBackground(uint64_t offset, MutableByteSpan out) const
{
    const uint64_t covered =
        offset < m_backgroundSize ? std::min<uint64_t>(out.size(), m_backgroundSize - offset) : 0;
    if (covered != 0)
    {
        m_background(offset, out.first(covered));
    }
    std::fill(out.begin() + covered, out.end(), uint8_t{0});
}

} // namespace ns3::nfsrdma
