/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_XDR_WRITER_H
#define NFSRDMA_RPC_XDR_WRITER_H

#include "wire/bytes.h"

#include <cstdint>
#include <string_view>

namespace ns3::nfsrdma
{

/// Appends XDR items (RFC 4506) to octets it owns.
class XdrWriter
{
  public:
    void WriteU32(uint32_t value);
    void WriteU64(uint64_t value);

    void WriteBool(bool value)
    {
        WriteU32(value ? 1 : 0);
    }

    /// Fixed-length opaque, padded.
    void WriteFixedOpaque(ByteSpan octets);
    /// Variable-length opaque: length word, octets, pad.
    void WriteOpaque(ByteSpan octets);
    void WriteString(std::string_view text);

    /// Makes room for \p octets in all, so that writing them allocates once.
    void Reserve(std::size_t octets)
    {
        m_octets.reserve(octets);
    }

    [[nodiscard]] std::size_t GetSize() const
    {
        return m_octets.size();
    }

    [[nodiscard]] const ByteVector& GetOctets() const
    {
        return m_octets;
    }

    /// \return the octets; the writer is empty afterwards.
    [[nodiscard]] ByteVector Take();
    /// Overwrites the word at \p offset, which must be written already.
    void PatchU32(std::size_t offset, uint32_t value);

  private:
    void Pad(std::size_t length);

    ByteVector m_octets;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_XDR_WRITER_H
