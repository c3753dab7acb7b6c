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
SparseFile::Read(uint64_t offset, uint64_t length, const Room& room) const
{
    ForEachPiece(offset, length, [&](const Piece& piece) {
        const auto it = m_pages.find(piece.page);
        if (it == m_pages.end() && offset + piece.position >= m_backgroundSize)
        {
            return;
        }
        for (uint64_t done = 0; done < piece.length;)
        {
            const auto out = room(piece.position + done, piece.length - done);
            if (it != m_pages.end())
            {
                std::copy_n(it->second->begin() + piece.pageOffset + done, out.size(), out.begin());
            }
            else
            {
                FillFromBackground(offset + piece.position + done, out);
            }
            done += out.size();
        }
    });
}

uint64_t
SparseFile::Read(uint64_t offset, MutableByteSpan out) const
{
    std::fill(out.begin(), out.end(), uint8_t{0});
    const uint64_t length = offset < m_size ? std::min<uint64_t>(out.size(), m_size - offset) : 0;
    Read(offset, length, [out](uint64_t position, uint64_t piece) {
        return out.subspan(position, piece);
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

uint64_t
SparseFile::FindData(uint64_t offset) const
{
    if (offset < m_backgroundSize)
    {
        return offset;
    }
    const uint64_t page = offset / PAGE_SIZE;
    const auto next = m_pages.lower_bound(page);
    if (next == m_pages.end())
    {
        return m_size;
    }
    return std::min(m_size, std::max(offset, next->first * PAGE_SIZE));
}

uint64_t
SparseFile::FindHole(uint64_t offset) const
{
    uint64_t at = std::max(offset, m_backgroundSize);
    uint64_t page = at / PAGE_SIZE;
    for (auto it = m_pages.find(page); it != m_pages.end() && it->first == page; ++it)
    {
        ++page;
        at = page * PAGE_SIZE;
    }
    return std::min(at, m_size);
}

void
SparseFile::Punch(uint64_t offset, uint64_t length)
{
    if (offset >= m_size || length == 0)
    {
        return;
    }
    const uint64_t end = length > m_size - offset ? m_size : offset + length;
    const auto zero = [this](uint64_t from, uint64_t to) {
        Write(from, to - from, [](uint64_t /* position */, MutableByteSpan octets) {
            std::fill(octets.begin(), octets.end(), uint8_t{0});
        });
    };
    const uint64_t overBackground = std::min(end, m_backgroundSize);
    if (offset < overBackground)
    {
        zero(offset, overBackground);
    }
    const uint64_t from = std::max(offset, overBackground);
    for (auto it = m_pages.lower_bound(from / PAGE_SIZE);
         it != m_pages.end() && it->first * PAGE_SIZE < end;)
    {
        const uint64_t first = std::max(from, it->first * PAGE_SIZE);
        const uint64_t last = std::min(end, (it->first + 1) * PAGE_SIZE);
        const bool whole = last - first == PAGE_SIZE || (last == m_size && first % PAGE_SIZE == 0);
        if (whole && it->first >= GetBackgroundPages())
        {
            --m_pagesBeyond;
            it = m_pages.erase(it);
            continue;
        }
        std::fill(it->second->begin() + first % PAGE_SIZE,
                  it->second->begin() + first % PAGE_SIZE + (last - first),
                  uint8_t{0});
        ++it;
    }
}

} // namespace ns3::nfsrdma
