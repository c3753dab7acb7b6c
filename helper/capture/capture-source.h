/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CAPTURE_CAPTURE_SOURCE_H
#define NFSRDMA_HELPER_CAPTURE_CAPTURE_SOURCE_H

#include "wire/bytes.h"

#include <algorithm>
#include <string>
#include <tl/expected.hpp>

namespace ns3::nfsrdma
{

/// Where the octets of a capture come from, one part after the other.
class CaptureSource
{
  public:
    CaptureSource() = default;
    virtual ~CaptureSource() = default;
    CaptureSource(const CaptureSource&) = delete;
    CaptureSource& operator=(const CaptureSource&) = delete;

    /// \return the next \p count octets, fewer only at the end, valid until the next call; or why
    /// they cannot be read, on one line.
    [[nodiscard]] virtual tl::expected<ByteSpan, std::string> Take(std::size_t count) = 0;
};

/// Octets in memory. What Take() returns lies within them and stays valid.
class CaptureOctets : public CaptureSource
{
  public:
    /// \param octets outlive this object
    explicit CaptureOctets(ByteSpan octets)
        : m_left(octets)
    {
    }

    [[nodiscard]] tl::expected<ByteSpan, std::string> Take(std::size_t count) override
    {
        const ByteSpan taken = m_left.first(std::min<std::size_t>(count, m_left.size()));
        m_left = m_left.subspan(taken.size());
        return taken;
    }

  private:
    ByteSpan m_left;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CAPTURE_CAPTURE_SOURCE_H
