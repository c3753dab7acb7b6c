/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_CM_ID_H
#define NFSRDMA_RNIC_CM_ID_H

#include "rnic/rnic-device.h"

#include "ns3/inet-socket-address.h"

namespace ns3::nfsrdma
{

enum class CmEventType
{
    CONNECT_REQUEST, ///< On a listener; newId is the id of the request.
    ESTABLISHED,
    REJECTED,        ///< The peer refused; its private data.
    CONNECT_ERROR,   ///< Startup failed.
    UNREACHABLE,     ///< TCP refused or timed out.
    DISCONNECTED,
};

const char* ToString(CmEventType type);

class CmId;

/// An event of the connection manager.
struct CmEvent
{
    CmEventType type{CmEventType::ESTABLISHED};
    Ptr<CmId> newId;        ///< CONNECT_REQUEST.
    ByteVector privateData; ///< Of the peer, without the enhanced block.
    uint32_t ird{0}; ///< Inbound reads this side may have to serve (peer's ORD, or negotiated).
    uint32_t ord{0}; ///< Outbound reads this side may have (peer's IRD, or negotiated).
};

/// Parameters of Connect() and Accept().
struct CmConnectionParameters
{
    ByteVector privateData; ///< At most 508 octets.
    uint32_t responderResources{0}; ///< IRD to offer.
    uint32_t initiatorDepth{0};     ///< ORD to ask for.
};

/**
 * \brief A connection-manager id, as rdma_cm_id: a listener, or one connection.
 *
 * Events come through the event callback, from simulator events. After DISCONNECTED, REJECTED,
 * CONNECT_ERROR or UNREACHABLE the queue pair is in ERROR and its work flushed.
 */
class CmId : public Object
{
  public:
    static TypeId GetTypeId();

    /// \return a new id on \p device.
    static Ptr<CmId> Create(Ptr<RnicDevice> device);

    using EventCallback = Callback<void, Ptr<CmId>, const CmEvent&>;
    void SetEventCallback(EventCallback callback);

    /// Listens on a TCP port; \return false when it is taken.
    bool Listen(uint16_t port);
    /// Connects \p pair (state IDLE) to \p remote as MPA initiator.
    void Connect(Ptr<QueuePair> pair,
                 const InetSocketAddress& remote,
                 const CmConnectionParameters& parameters);
    /// Accepts a CONNECT_REQUEST id with \p pair.
    void Accept(Ptr<QueuePair> pair, const CmConnectionParameters& parameters);
    /// Refuses a CONNECT_REQUEST id.
    void Reject(ByteSpan privateData);
    /// Disconnects, or stops listening.
    void Disconnect();

    [[nodiscard]] Ptr<QueuePair> GetQueuePair() const;
    [[nodiscard]] Address GetPeerAddress() const;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_CM_ID_H
