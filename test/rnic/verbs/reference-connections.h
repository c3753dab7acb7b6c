/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_RNIC_VERBS_REFERENCE_CONNECTIONS_H
#define NFSRDMA_TEST_RNIC_VERBS_REFERENCE_CONNECTIONS_H

#include "rnic/connect/cm-id.h"
#include "rnic/verbs/reference-model.h"

#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace ns3::nfsrdma::reference
{

/// A connection-manager id by the order in which the consumer got to know it.
using IdNumber = uint32_t;

struct IdRules
{
    enum class State
    {
        IDLE,
        LISTENING,
        CONNECTING,
        REQUESTED,
        ACCEPTED,
        ESTABLISHED,
        OVER, ///< Nothing more is reported, except requests that were on their way to a listener.
    };

    uint32_t host{0};
    State state{State::IDLE};
    uint16_t port{0};
    uint32_t remoteHost{0};
    std::optional<PairName> pair;
    std::optional<IdNumber> peer;
    std::vector<uint8_t> privateData; ///< What it gives to its peer.
    bool ended{false};                ///< Its end was reported.
    bool everListened{false};
    bool refused{false};   ///< The peer's consumer does not want it.
    bool disturbed{false}; ///< Something has happened that may keep it from being established.
};

/**
 * \brief The rules of the connection manager: which events an id may report, with which private
 * data, and that each connection comes to exactly one end.
 */
class ReferenceConnections
{
  public:
    using Ids = std::map<IdNumber, IdRules>;

    IdNumber Add(uint32_t host);
    IdRules& Get(IdNumber id);
    [[nodiscard]] const Ids& GetAll() const;

    /// \return whether the port is free and the id new.
    [[nodiscard]] bool MayListen(IdNumber id, uint16_t port) const;
    void Listening(IdNumber id, uint16_t port);
    /// \param usable \p pair is IDLE and no other id uses it
    void Connecting(IdNumber id,
                    const std::optional<PairName>& pair,
                    bool usable,
                    uint32_t remoteHost,
                    uint16_t port,
                    std::vector<uint8_t> privateData);
    void Accepted(IdNumber id,
                  const std::optional<PairName>& pair,
                  bool usable,
                  std::vector<uint8_t> privateData);
    void Rejected(IdNumber id, std::vector<uint8_t> privateData);
    /// The consumer disconnects, or stops listening.
    void Disconnected(IdNumber id);
    /// Something has happened to a pair that may keep its id from being established.
    void Disturb(const PairName& pair);
    /// As above, to a host.
    void Disturb(uint32_t host);

    /// A listener reports a request. \return the number of the new id
    [[nodiscard]] IdNumber Requested(IdNumber listener, const std::vector<uint8_t>& privateData);
    void Reported(IdNumber id, CmEventType type, const std::vector<uint8_t>& privateData);
    /// \return the id that \p pair is connected through, in RTS, and that of the peer.
    [[nodiscard]] std::pair<IdNumber, IdNumber> FindConnection(const PairName& pair) const;
    /// Nothing is left to happen.
    /// \param mayWait whether a pair may still wait for the first message of its peer
    void Settle(const std::function<bool(const PairName&)>& mayWait) const;

  private:
    void Disturb(IdRules& id);
    [[nodiscard]] bool IsListened(uint32_t host, uint16_t port) const;

    Ids m_ids;
    IdNumber m_next{1};
};

} // namespace ns3::nfsrdma::reference

#endif // NFSRDMA_TEST_RNIC_VERBS_REFERENCE_CONNECTIONS_H
