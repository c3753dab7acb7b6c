/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_RPCRDMA_PROPERTY_GUARDED_BUFFER_H
#define NFSRDMA_TEST_RPCRDMA_PROPERTY_GUARDED_BUFFER_H

#include "host/memory.h"

#include <algorithm>

namespace ns3::nfsrdma
{

/// Memory of a program, with octets before and after it that nobody may touch.
class GuardedBuffer
{
  public:
    static constexpr uint32_t GUARD = 4096;

    GuardedBuffer(Ptr<HostMemory> memory, uint32_t shift, const ByteVector& content)
        : m_start(GUARD + shift),
          m_length(static_cast<uint32_t>(content.size())),
          m_buffer(memory, m_start + m_length + GUARD)
    {
        m_buffer.Write(0, ByteVector(m_buffer.GetLength(), OPEN));
        m_buffer.Write(m_start, content);
    }

    [[nodiscard]] uint64_t GetAddress() const
    {
        return m_buffer.GetAddress() + m_start;
    }

    [[nodiscard]] ByteVector Read() const
    {
        ByteVector octets(m_length);
        m_buffer.Read(m_start, octets);
        return octets;
    }

    /// \return whether the octets around the memory are untouched.
    [[nodiscard]] bool IsGuarded() const
    {
        const ByteVector all = ReadAll();
        const auto isOpen = [](uint8_t octet) { return octet == OPEN; };
        return std::all_of(all.begin(), all.begin() + m_start, isOpen) &&
               std::all_of(all.begin() + m_start + m_length, all.end(), isOpen);
    }

    /// The RPC has ended: from now on nobody may touch any of it.
    void Close()
    {
        m_buffer.Write(0, ByteVector(m_buffer.GetLength(), CLOSED));
    }

    /// \return whether nothing was written since Close().
    [[nodiscard]] bool IsUntouched() const
    {
        const ByteVector all = ReadAll();
        return std::all_of(all.begin(), all.end(), [](uint8_t octet) { return octet == CLOSED; });
    }

  private:
    static constexpr uint8_t OPEN = 0xa5;
    static constexpr uint8_t CLOSED = 0x5a;

    [[nodiscard]] ByteVector ReadAll() const
    {
        ByteVector all(m_buffer.GetLength());
        m_buffer.Read(0, all);
        return all;
    }

    uint32_t m_start;
    uint32_t m_length;
    HostBuffer m_buffer;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_RPCRDMA_PROPERTY_GUARDED_BUFFER_H
