/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_TCP_REVERSE_CALLER_H
#define NFSRDMA_RPC_TCP_REVERSE_CALLER_H

#include "rpc/client-transport.h"
#include "rpc/tcp/record-carrier.h"

#include "ns3/event-id.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Calls of a server to a program on one client, over the TCP connection that the client has
 * made: the back channel of NFSv4.1 (RFC 8881 section 2.10.3.1).
 *
 * It belongs to the client, not to a connection: calls wait while there is none, and those without
 * a reply are sent again on the next.
 */
class RpcTcpReverseCaller : public RpcClientTransport
{
  public:
    static TypeId GetTypeId();

    /// Memory that items of calls are in.
    void SetHostMemory(Ptr<HostMemory> memory)
    {
        m_memory = memory;
    }

    void Submit(std::unique_ptr<RpcTransportCall> call) override;
    bool Cancel(uint32_t xid) override;

    [[nodiscard]] uint32_t GetPending() const override
    {
        return m_calls.size();
    }

    [[nodiscard]] std::vector<std::string> DescribeWaiting() const override;

    /// Calls go over \p carrier, the connection of this number, from now on.
    void Attach(uint64_t connection, const std::shared_ptr<RpcRecordCarrier>& carrier);
    /// The connection has ended. Nothing happens when another one is used.
    void Detach(uint64_t connection);

    [[nodiscard]] bool IsAttached() const
    {
        return m_connection != 0;
    }

    /// \return the number of the connection that is used; 0: none.
    [[nodiscard]] uint64_t GetConnection() const
    {
        return m_connection;
    }

    /// A reply with \p xid has come.
    void HandleReply(uint32_t xid, const ByteVector& record);

  protected:
    void DoDispose() override;

  private:
    struct Pending
    {
        std::unique_ptr<RpcTransportCall> call;
        EventId timer;
    };

    void Send(RpcTransportCall& call);
    void Finish(uint32_t xid, RpcOutcome outcome, RpcReceivedMessage&& message);

    Ptr<HostMemory> m_memory;
    Time m_timeout;
    uint64_t m_connection{0};
    std::weak_ptr<RpcRecordCarrier> m_carrier;
    std::map<uint64_t, Pending> m_calls;  ///< By order of submission.
    std::map<uint32_t, uint64_t> m_byXid; ///< Order by XID.
    uint64_t m_nextOrder{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_TCP_REVERSE_CALLER_H
