/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_MALFORMED_SEGMENTS_H
#define NFSRDMA_FAULT_ADVERSARY_MALFORMED_SEGMENTS_H

#include "fault/adversary/connection-attack.h"

namespace ns3::nfsrdma
{

/**
 * \brief Connects and makes a Call as a good client does, then sends what breaks a rule of MPA or
 * DDP; the peer's Terminate says which it saw.
 *
 * Notes each malformed thing sent ("bad-crc", ...), and each Terminate received ("told 2/0/02
 * ..."). What the peer does not end is reset after HoldTime.
 */
class MalformedSegments : public ConnectionAttackRole
{
  public:
    enum Kind
    {
        BAD_CRC,         ///< The CRC of every FPDU is wrong; asks for CRCs at startup.
        BAD_MARKER,      ///< A marker that points elsewhere, or one that nobody asked for.
        LONG_ULPDU,      ///< ULPDU_Length says 65535, and little follows.
        UNKNOWN_QUEUE,   ///< An untagged message for queue 9.
        MSN_GAP,         ///< Message 5000 of queue 0 before the others.
        MO_OVERLAP,      ///< A second segment that begins inside the first.
        TERMINATE_STORM, ///< Terminate, again and again.
        ALL              ///< Each in its turn.
    };

    static TypeId GetTypeId();

    [[nodiscard]] Time GetHoldTime() const
    {
        return m_holdTime;
    }

  protected:
    [[nodiscard]] std::unique_ptr<RawStream> MakeAttempt(uint64_t number) override;

  private:
    int m_kind{ALL};
    Time m_holdTime;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_MALFORMED_SEGMENTS_H
