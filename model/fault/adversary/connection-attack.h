/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_CONNECTION_ATTACK_H
#define NFSRDMA_FAULT_ADVERSARY_CONNECTION_ATTACK_H

#include "fault/adversary/raw-mpa-stream.h"
#include "fault/adversary/role.h"

#include "ns3/enum.h"

#include <map>
#include <memory>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief A client that opens connections to its server again and again, each for an attempt at
 * something: octets on TCP, no NFS client behind them.
 *
 * A connection is opened each Interval while fewer than Connections are open, until Attempts have
 * been made. When the role stops, what is open is reset.
 */
class ConnectionAttackRole : public AdversaryRole
{
  public:
    static TypeId GetTypeId();

    /// \return attempts made so far.
    [[nodiscard]] uint64_t GetAttempts() const
    {
        return m_made;
    }

    /// \return connections open now.
    [[nodiscard]] std::size_t GetOpen() const
    {
        return m_streams.size();
    }

    // For attempts only.

    /// A rule is broken, or this came of it.
    void Note(const std::string& what);
    /// A connection is over: it is forgotten from an event.
    void Retire();

  protected:
    void DoDispose() override;

    void DoStart() override
    {
        Tick();
    }

    void DoStop() override;

    /// Begins an attempt. \param number from 0
    [[nodiscard]] virtual std::unique_ptr<RawStream> MakeAttempt(uint64_t number) = 0;

    /// Connects \p stream, and asks for what this host's RNIC would, with \p privateData.
    void Start(RawMpaStream& stream, ByteVector privateData, bool crc = false) const;

  private:
    void Tick();
    void ForgetOver();

    uint32_t m_connections{0};
    uint64_t m_attempts{0};
    Time m_interval;
    uint64_t m_made{0};
    std::map<uint64_t, std::unique_ptr<RawStream>> m_streams; ///< By number.
    EventId m_tick;
    EventId m_forget;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_CONNECTION_ATTACK_H
