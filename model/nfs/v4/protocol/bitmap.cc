/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/protocol/types.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3::nfsrdma
{

Nfs4Bitmap::Nfs4Bitmap(std::initializer_list<uint32_t> bits)
{
    for (const uint32_t bit : bits)
    {
        Set(bit);
    }
}

Nfs4Bitmap
Nfs4Bitmap::FromWords(std::initializer_list<uint32_t> words)
{
    Nfs4Bitmap bitmap;
    for (const uint32_t word : words)
    {
        NS_ASSERT(bitmap.m_count < MAX_WORDS);
        bitmap.m_words.at(bitmap.m_count++) = word;
    }
    bitmap.Trim();
    return bitmap;
}

void
Nfs4Bitmap::Set(uint32_t bit)
{
    NS_ASSERT(bit < 32 * MAX_WORDS);
    m_count = std::max(m_count, bit / 32 + 1);
    m_words.at(bit / 32) |= 1U << (bit % 32);
}

void
Nfs4Bitmap::Clear(uint32_t bit)
{
    if (bit / 32 < m_count)
    {
        m_words.at(bit / 32) &= ~(1U << (bit % 32));
    }
}

bool
Nfs4Bitmap::Has(uint32_t bit) const
{
    return (GetWord(bit / 32) >> (bit % 32) & 1U) != 0;
}

bool
Nfs4Bitmap::IsEmpty() const
{
    return std::all_of(m_words.begin(), m_words.end(), [](uint32_t word) { return word == 0; });
}

uint32_t
Nfs4Bitmap::GetWord(uint32_t index) const
{
    return index < m_count ? m_words.at(index) : 0;
}

uint32_t
Nfs4Bitmap::GetWords() const
{
    return m_count;
}

void
Nfs4Bitmap::SetWords(uint32_t words)
{
    NS_ASSERT(words <= MAX_WORDS);
    std::fill(m_words.begin() + words, m_words.end(), 0);
    m_count = words;
}

void
Nfs4Bitmap::Trim()
{
    while (m_count > 0 && m_words.at(m_count - 1) == 0)
    {
        --m_count;
    }
}

uint32_t
Nfs4Bitmap::GetSize() const
{
    return 4 + 4 * m_count;
}

void
Nfs4Bitmap::Encode(XdrWriter& writer) const
{
    writer.WriteU32(m_count);
    for (uint32_t i = 0; i < m_count; ++i)
    {
        writer.WriteU32(m_words.at(i));
    }
}

Nfs4Bitmap
Nfs4Bitmap::Decode(XdrReader& reader)
{
    Nfs4Bitmap bitmap;
    const uint32_t count = reader.ReadU32();
    if (count > MAX_WORDS)
    {
        reader.Fail();
        return bitmap;
    }
    bitmap.m_count = count;
    for (uint32_t i = 0; i < count; ++i)
    {
        bitmap.m_words.at(i) = reader.ReadU32();
    }
    return bitmap;
}

bool
operator==(const Nfs4Bitmap& a, const Nfs4Bitmap& b)
{
    for (uint32_t i = 0; i < Nfs4Bitmap::MAX_WORDS; ++i)
    {
        if (a.GetWord(i) != b.GetWord(i))
        {
            return false;
        }
    }
    return true;
}

bool
operator!=(const Nfs4Bitmap& a, const Nfs4Bitmap& b)
{
    return !(a == b);
}

Nfs4Bitmap
operator&(const Nfs4Bitmap& a, const Nfs4Bitmap& b)
{
    Nfs4Bitmap both;
    for (uint32_t bit = 0; bit < 32 * Nfs4Bitmap::MAX_WORDS; ++bit)
    {
        if (a.Has(bit) && b.Has(bit))
        {
            both.Set(bit);
        }
    }
    return both;
}

Nfs4Bitmap
operator|(const Nfs4Bitmap& a, const Nfs4Bitmap& b)
{
    Nfs4Bitmap either;
    for (uint32_t bit = 0; bit < 32 * Nfs4Bitmap::MAX_WORDS; ++bit)
    {
        if (a.Has(bit) || b.Has(bit))
        {
            either.Set(bit);
        }
    }
    return either;
}

} // namespace ns3::nfsrdma
