/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_CONNECT_CM_EVENT_H
#define NFSRDMA_RNIC_CONNECT_CM_EVENT_H

#include "mpa/byte-stream.h"
#include "wire/bytes.h"
#include "wire/ring.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace ns3::nfsrdma
{

enum class CmEventType
{
    CONNECT_REQUEST, ///< On a listener; newId is the id of the request.
    ESTABLISHED,
    REJECTED,      ///< The peer refused; its private data.
    CONNECT_ERROR, ///< Startup failed.
    UNREACHABLE,   ///< TCP refused or timed out.
    DISCONNECTED,
    DEVICE_REMOVAL, ///< The device is gone, and the connection or its request with it.
    ADDR_CHANGE,    ///< A bond has failed over to another hardware address; nothing has ended.
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
    /// How TCP has ended, when that is what ended the connection.
    std::optional<StreamEnd> streamEnd{};
};

/**
 * \brief The events of one connection-manager id on their way to its consumer, in order.
 */
class CmEventQueue
{
  public:
    using Deliver = std::function<void(const CmEvent& event)>;

    /// \param deliver is called for each event; may destroy this object
    explicit CmEventQueue(Deliver deliver);
    ~CmEventQueue();
    CmEventQueue(const CmEventQueue&) = delete;
    CmEventQueue& operator=(const CmEventQueue&) = delete;

    /// Delivers \p event at \p due, but not before the one added before it.
    void Add(CmEvent event, Time due);

    [[nodiscard]] bool IsEmpty() const
    {
        return m_pending.empty();
    }

    /// \return what has not been delivered, and will not be.
    Ring<CmEvent> Clear();

  private:
    struct Pending
    {
        CmEvent event;
        Time due;
    };

    void Next();

    Deliver m_deliver;
    Ring<Pending> m_pending;
    EventId m_delivery;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_CONNECT_CM_EVENT_H
