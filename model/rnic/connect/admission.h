/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_CONNECT_ADMISSION_H
#define NFSRDMA_RNIC_CONNECT_ADMISSION_H

#include "rnic/hardware/profile.h"

#include "ns3/address.h"
#include "ns3/nstime.h"
#include "ns3/simple-ref-count.h"

#include <array>
#include <cstdint>
#include <map>

namespace ns3::nfsrdma
{

/// What a peer, by its address without the port, may do to a listener. A count of 0: any number.
struct AdmissionLimits
{
    AdmissionLimits() = default;

    explicit AdmissionLimits(const RnicDefences& defences)
        : startups(defences.startupsPerPeer),
          connections(defences.connectionsPerPeer),
          rate(defences.connectionRate),
          burst(defences.connectionBurst),
          faults(defences.faultLimit),
          ignoreTime(defences.ignoreTime)
    {
    }

    uint32_t startups{0};    ///< Connections that have not come through MPA startup.
    uint32_t connections{0}; ///< Connections, those in startup included.
    uint32_t rate{0};        ///< New connections each second, in the long run.
    uint32_t burst{1};       ///< New connections at once, with a rate.
    uint32_t faults{0}; ///< Faults, each within ignoreTime of the one before, that are too many.
    Time ignoreTime;    ///< How long a peer with too many faults is not heard.

    /// \return whether there is any limit.
    [[nodiscard]] bool IsAny() const
    {
        return startups != 0 || connections != 0 || rate != 0 || faults != 0;
    }
};

/// What becomes of a new connection.
enum class AdmissionVerdict
{
    ADMIT,
    TOO_MANY_STARTUPS,
    TOO_MANY_CONNECTIONS,
    TOO_OFTEN,
    IGNORED
};

/// Number of verdicts.
inline constexpr std::size_t ADMISSION_VERDICTS = 5;

/**
 * \brief Decides which new connections of a peer a listener takes, by what the peer has and has
 * done: RFC 5044 section 7.1.2 rule 10 asks for such a guard against denial of service, and leaves
 * it to the implementation.
 *
 * A connection that is admitted is in startup until EndStartup(), and counts until End(). The rate
 * is that of a token bucket with room for a burst. A fault is what a careful peer never causes:
 * startup that fails or takes too long, a Terminate sent to it.
 *
 * Peers that have nothing, and have been quiet for long enough, are forgotten.
 */
class ConnectionAdmission : public SimpleRefCount<ConnectionAdmission>
{
  public:
    explicit ConnectionAdmission(const AdmissionLimits& limits);

    /// \return the verdict on a new connection of \p peer; ADMIT counts it.
    [[nodiscard]] AdmissionVerdict Admit(const Address& peer, Time now);

    /// A connection of \p peer is through with startup, whatever came of it.
    void EndStartup(const Address& peer)
    {
        --m_peers.at(peer).startups;
    }

    /// A connection of \p peer, through with startup, is over.
    void End(const Address& peer, Time now);
    /// \p peer has broken a rule.
    void CountFault(const Address& peer, Time now);

    /// \return peers that something is known of.
    [[nodiscard]] std::size_t GetPeerCount() const
    {
        return m_peers.size();
    }

    /// \return the address of \p endPoint without its port, if it has one.
    [[nodiscard]] static Address GetHost(const Address& endPoint);

  private:
    struct Peer
    {
        uint32_t startups{0};
        uint32_t connections{0};
        uint32_t faults{0};
        Time lastFault;
        Time ignoredUntil;
        Time bucketFull; ///< When the bucket has all its tokens again.
    };

    [[nodiscard]] AdmissionVerdict Judge(const Peer& peer, Time now) const;
    [[nodiscard]] bool IsQuiet(const Peer& peer, Time now) const;
    void Forget(Time now);

    AdmissionLimits m_limits;
    Time m_interval; ///< Between two connections, in the long run.
    std::map<Address, Peer> m_peers;
    std::size_t m_forgetAt{64}; ///< Peers at which the quiet ones are looked for.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_CONNECT_ADMISSION_H
