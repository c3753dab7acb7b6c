/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/explore/invariants.h"

#include "nfs/v3/status3.h"

#include <algorithm>
#include <functional>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

/// \return whether an operation of NFSv2 or v3 that names a file was sent again, and finds the
/// file made, or gone.
bool
IsDoneTwice(const RpcRecord& record)
{
    return record.program == NFS_PROGRAM && record.version <= NFS_V3 && record.transmissions > 1 &&
           (record.programStatus == static_cast<uint32_t>(Nfs3Status::EXIST) ||
            record.programStatus == static_cast<uint32_t>(Nfs3Status::NOENT));
}

} // namespace

/// The credits of one connection of a client, counted by what goes over it.
class Invariants::Credits
{
  public:
    using Tell = std::function<void(const std::string&)>;

    Credits(const Ptr<RpcRdmaClient>& transport, Tell tell)
        : m_transport(transport),
          m_tell(std::move(tell))
    {
        m_transport->TraceConnectWithoutContext("Connected",
                                                MakeCallback(&Credits::TakeConnected, this));
        m_transport->TraceConnectWithoutContext("CallSent", MakeCallback(&Credits::TakeCall, this));
        m_transport->TraceConnectWithoutContext("ReplyHeader",
                                                MakeCallback(&Credits::TakeReply, this));
        m_transport->TraceConnectWithoutContext("BadMessage",
                                                MakeCallback(&Credits::TakeBadMessage, this));
    }

    ~Credits()
    {
        m_transport->TraceDisconnectWithoutContext("Connected",
                                                   MakeCallback(&Credits::TakeConnected, this));
        m_transport->TraceDisconnectWithoutContext("CallSent",
                                                   MakeCallback(&Credits::TakeCall, this));
        m_transport->TraceDisconnectWithoutContext("ReplyHeader",
                                                   MakeCallback(&Credits::TakeReply, this));
        m_transport->TraceDisconnectWithoutContext("BadMessage",
                                                   MakeCallback(&Credits::TakeBadMessage, this));
    }

    Credits(const Credits&) = delete;
    Credits& operator=(const Credits&) = delete;

    /// A call has ended without a reply: once there was a grant, its credit is free.
    void TakeGivenUp(uint32_t xid)
    {
        if (m_hasGrant)
        {
            m_unanswered.erase(xid);
        }
    }

  private:
    void TakeConnected(uint32_t /* inlineSend */, uint32_t /* inlineReceive */)
    {
        m_unanswered.clear();
        m_hasGrant = false;
    }

    void TakeCall(const RpcRecord& record)
    {
        m_unanswered.insert(record.xid);
        const uint32_t granted = m_hasGrant ? m_transport->GetCredits() : 1;
        if (m_unanswered.size() > granted)
        {
            m_tell(m_hasGrant ? "more calls without a reply than credits were granted"
                              : "more than one call before the first grant");
        }
    }

    void TakeReply(const RpcRdmaHeader& header)
    {
        m_hasGrant = true;
        m_unanswered.erase(header.xid);
        if (header.credit == 0)
        {
            m_tell("a reply grants no credit");
        }
    }

    void TakeBadMessage(uint32_t xid, ReplyVerdict /* verdict */, ReplyFault /* fault */)
    {
        m_unanswered.erase(xid);
    }

    Ptr<RpcRdmaClient> m_transport;
    Tell m_tell;
    std::set<uint32_t> m_unanswered;
    bool m_hasGrant{false};
};

Invariants::Invariants(const Cluster& cluster)
    : m_cluster(cluster)
{
    for (uint32_t client = 0; client < cluster.GetClients().size(); ++client)
    {
        const auto name = GetClientName(client);
        for (const auto& transport : cluster.GetClients()[client].stack.transports)
        {
            m_credits.push_back(
                std::make_unique<Credits>(transport, [this, name](const std::string& what) {
                    Add(name, what);
                }));
        }
    }
}

Invariants::~Invariants() = default;

void
Invariants::TakeRpc(uint32_t client, const RpcRecord& record)
{
    const auto name = GetClientName(client);
    if (!m_ended.emplace(client, record.xid).second)
    {
        Add(name, "an RPC has ended twice");
    }
    if (IsDoneTwice(record))
    {
        Add(name, "a call that was sent again finds its own work done");
    }
    if (record.outcome == RpcOutcome::CANCELLED || record.outcome == RpcOutcome::TIMED_OUT)
    {
        for (const auto& credits : m_credits)
        {
            credits->TakeGivenUp(record.xid);
        }
    }
}

void
Invariants::CheckAtRest()
{
    for (uint32_t client = 0; client < m_cluster.GetClients().size(); ++client)
    {
        for (const auto& transport : m_cluster.GetClients()[client].stack.transports)
        {
            if (transport->GetPending() == 0 && transport->GetOutstanding() != 0)
            {
                Add(GetClientName(client), "a credit is held though no call waits");
            }
        }
    }
    for (uint32_t server = 0; server < m_cluster.GetServers().size(); ++server)
    {
        const auto& counts = m_cluster.GetServers()[server].transport->GetStatistics();
        const auto name = m_cluster.GetServerName(server);
        if (counts.exposedBytes != 0)
        {
            Add(name, "a reply is still exposed when nothing is under way");
        }
        else if (counts.exposedChunks !=
                 counts.exposedDone + counts.exposedExpired + counts.exposedLost)
        {
            Add(name, "replies that were exposed and releases of them are not as many");
        }
        if (counts.overruns != 0)
        {
            Add(name, "a message came without a Receive for it");
        }
    }
}

const std::vector<std::string>&
Invariants::GetBroken() const
{
    return m_broken;
}

std::string
Invariants::GetClientName(uint32_t client) const
{
    return m_cluster.GetHostName(m_cluster.GetClientHost(client));
}

void
Invariants::Add(const std::string& host, const std::string& what)
{
    std::string line = host;
    line += ": ";
    line += what;
    if (std::find(m_broken.begin(), m_broken.end(), line) == m_broken.end())
    {
        m_broken.push_back(line);
    }
}

} // namespace ns3::nfsrdma
