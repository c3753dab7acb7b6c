/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TOE_SEQUENCE_SPACE_H
#define NFSRDMA_TOE_SEQUENCE_SPACE_H

#include <cstdint>

namespace ns3::nfsrdma
{

/// A place in one direction of a connection: the SYN has 0, the first octet 1, the FIN the one
/// behind the last octet. It never wraps, and is negative for what lies before the connection.
using Position = int64_t;

/// Place of the first octet.
constexpr Position FIRST_OCTET = 1;

/**
 * \brief Sequence numbers of one direction as positions, so that nothing but this has to think of
 * their wrapping (RFC 9293 section 3.4).
 */
class SequenceSpace
{
  public:
    SequenceSpace() = default;

    /// \param initial sequence number of the SYN
    explicit SequenceSpace(uint32_t initial)
        : m_initial(initial)
    {
    }

    [[nodiscard]] uint32_t ToSequence(Position position) const
    {
        return m_initial + static_cast<uint32_t>(position);
    }

    /// \return the position of \p sequence that is nearest to \p near.
    [[nodiscard]] Position ToPosition(uint32_t sequence, Position near) const
    {
        return near + static_cast<int32_t>(sequence - ToSequence(near));
    }

  private:
    uint32_t m_initial{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TOE_SEQUENCE_SPACE_H
