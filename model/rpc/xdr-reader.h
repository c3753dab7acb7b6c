/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_XDR_READER_H
#define NFSRDMA_RPC_XDR_READER_H

#include "wire/byte-reader.h"

#include <cstdint>
#include <string>

namespace ns3::nfsrdma
{

/**
 * \brief Reads XDR items (RFC 4506). Failure is sticky, as in ByteReader; a bool other than 0 or 1,
 * a nonzero pad and a length above its limit fail.
 */
class XdrReader
{
  public:
    explicit XdrReader(ByteSpan octets);

    uint32_t ReadU32()
    {
        return m_reader.ReadU32();
    }

    uint64_t ReadU64()
    {
        return m_reader.ReadU64();
    }

    bool ReadBool();
    /// \return \p length octets, uncopied, their pad skipped.
    ByteSpan ReadFixedOpaque(uint32_t length);
    /// \return a variable-length opaque of at most \p limit octets, uncopied.
    ByteSpan ReadOpaque(uint32_t limit);
    std::string ReadString(uint32_t limit);

    void Fail()
    {
        m_reader.Fail();
    }

    [[nodiscard]] bool Ok() const
    {
        return m_reader.Ok();
    }

    [[nodiscard]] std::size_t Position() const
    {
        return m_reader.Position();
    }

    [[nodiscard]] std::size_t Remaining() const
    {
        return m_reader.Remaining();
    }

    [[nodiscard]] ByteSpan Rest() const
    {
        return m_reader.Rest();
    }

  private:
    ByteReader m_reader;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_XDR_READER_H
