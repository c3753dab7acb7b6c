/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/guarantees.h"

#include "ns3/callback.h"
#include "ns3/nstime.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <sstream>

namespace ns3::nfsrdma
{

/// What was seen of one transport of a client.
class Guarantees::Client
{
  public:
    Client(std::string host, Ptr<RpcRdmaClient> transport)
        : m_host(std::move(host)),
          m_transport(transport)
    {
        m_transport->TraceConnectWithoutContext("CallSent", MakeCallback(&Client::NoteCall, this));
        m_transport->TraceConnectWithoutContext("Connected",
                                                MakeCallback(&Client::NoteConnected, this));
        m_transport->TraceConnectWithoutContext("DoneSent", MakeCallback(&Client::NoteDone, this));
    }

    ~Client()
    {
        m_transport->TraceDisconnectWithoutContext("CallSent",
                                                   MakeCallback(&Client::NoteCall, this));
        m_transport->TraceDisconnectWithoutContext("Connected",
                                                   MakeCallback(&Client::NoteConnected, this));
        m_transport->TraceDisconnectWithoutContext("DoneSent",
                                                   MakeCallback(&Client::NoteDone, this));
    }

    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    [[nodiscard]] const std::string& GetHost() const
    {
        return m_host;
    }

    [[nodiscard]] const RpcRdmaClient& GetTransport() const
    {
        return *m_transport;
    }

    [[nodiscard]] uint64_t GetMostOutstanding() const
    {
        return m_mostOutstanding;
    }

    [[nodiscard]] uint64_t GetUncovered() const
    {
        return m_uncovered;
    }

    [[nodiscard]] uint64_t GetLongestSend() const
    {
        return m_longestSend;
    }

    [[nodiscard]] uint64_t GetLongestReceive() const
    {
        return m_longestReceive;
    }

    [[nodiscard]] bool HasContinued() const
    {
        return m_hasContinued;
    }

    [[nodiscard]] uint64_t GetMissingReceives() const
    {
        return m_missingReceives;
    }

    [[nodiscard]] uint64_t GetNoticesBeyond() const
    {
        return m_noticesBeyond;
    }

  private:
    void NoteCall(const RpcRecord& /* record */)
    {
        m_hasContinued = m_hasContinued || m_transport->GetReplyMessages() > 1;
        m_missingReceives = std::max(m_missingReceives, m_transport->CountMissingReceives());
        const uint32_t outstanding = m_transport->GetOutstanding();
        m_mostOutstanding = std::max<uint64_t>(m_mostOutstanding, outstanding);
        m_uncovered += outstanding > m_transport->GetCredits() ? 1 : 0;
    }

    void NoteDone(uint32_t /* xid */, bool onCall)
    {
        if (!onCall)
        {
            m_noticesBeyond = std::max(m_noticesBeyond, m_transport->CountNoticesBeyond());
        }
    }

    void NoteConnected(uint32_t inlineSend, uint32_t inlineReceive)
    {
        m_longestSend = std::max<uint64_t>(m_longestSend, inlineSend);
        m_longestReceive = std::max<uint64_t>(m_longestReceive, inlineReceive);
    }

    std::string m_host;
    Ptr<RpcRdmaClient> m_transport;
    uint64_t m_mostOutstanding{0};
    uint64_t m_uncovered{0}; ///< Calls sent without a credit.
    uint64_t m_longestSend{0};
    uint64_t m_longestReceive{0};
    bool m_hasContinued{false}; ///< Replies may have come in parts.
    uint64_t m_missingReceives{0};
    uint64_t m_noticesBeyond{0};
};

namespace
{

/// A guarantee of what Subject is.
template <typename Subject>
struct Row
{
    Guarantee guarantee;
    std::string what;
    std::string limit;
    std::function<uint64_t(const Subject&)> getUsed;
    /// None: the policy is not in force, or has no bound.
    std::function<std::optional<uint64_t>(const Subject&)> getBound;
};

uint64_t
GetCount(const ObjectBase& object, const std::string& name)
{
    UintegerValue value;
    object.GetAttribute(name, value);
    return value.Get();
}

std::string
GetText(const ObjectBase& object, const std::string& name)
{
    StringValue value;
    object.GetAttribute(name, value);
    return value.Get();
}

std::optional<uint64_t>
GetBoundUnlessZero(uint64_t bound)
{
    return bound == 0 ? std::nullopt : std::optional<uint64_t>(bound);
}

std::optional<uint64_t>
GetTimeout(const RpcRdmaServer& server)
{
    TimeValue value;
    server.GetAttribute("ReadChunkTimeout", value);
    return GetBoundUnlessZero(static_cast<uint64_t>(value.Get().GetNanoSeconds()));
}

std::optional<uint64_t>
GetNoneIf(bool inForce)
{
    return inForce ? std::optional<uint64_t>(0) : std::nullopt;
}

bool
IsTakenBack(const std::string& strategy)
{
    return strategy == "frwr" || strategy == "memory-window" || strategy == "regular";
}

const char* const CREDIT_GRANT = "model/rpcrdma/policy/credit-grant.h";
const char* const RECEIVE_BUDGET = "model/rpcrdma/server/receive-budget.h";
const char* const MEMORY_LIMIT = "model/rpcrdma/server/memory-limit.h";
const char* const READ_CHUNK = "model/rpcrdma/policy/read-chunk.h";
const char* const REPLY_EXPOSER = "model/rpcrdma/server/reply-exposer.h";
const char* const INLINE_THRESHOLD = "model/rpcrdma/policy/inline-threshold.h";
const char* const CREDIT_WINDOW = "model/rpcrdma/client/credit-window.h";
const char* const REPLY_MECHANISM = "model/rpcrdma/policy/reply-mechanism.h";
const char* const PULL_NOTICE = "model/rpcrdma/policy/pull-notice.h";
const char* const CHUNK_REGISTRAR = "model/rpcrdma/registration/chunk-registrar.h";

const std::vector<Row<RpcRdmaServer>>&
GetServerRows()
{
    using Server = RpcRdmaServer;
    static const std::vector<Row<Server>> rows{
        {{"server_credit_grant, all",
          "credits of a connection <= server_credits",
          "peak at every grant",
          CREDIT_GRANT},
         "credits of a connection",
         "server_credits",
         [](const Server& server) { return server.GetStatistics().grantPeak; },
         [](const Server& server) {
             return std::optional<uint64_t>(server.GetStatistics().grantLimit);
         }},
        {{"server_credit_grant, all",
          "credits of a connection <= Receives posted for it",
          "each reply",
          CREDIT_GRANT},
         "replies with credits that no Receive stands behind",
         "Receives posted",
         [](const Server& server) { return server.GetStatistics().creditsUncovered; },
         [](const Server& /* server */) { return GetNoneIf(true); }},
        {{"requested, fair-share, adaptive",
          "credits of a reply <= credits that its call requests",
          "each reply",
          CREDIT_GRANT},
         "replies that grant more than was requested",
         "credits requested",
         [](const Server& server) { return server.GetStatistics().grantsUnasked; },
         [](const Server& server) {
             const auto policy = GetText(server, "CreditGrant");
             return GetNoneIf(policy == "requested" || policy == "fair-share" ||
                              policy == "adaptive");
         }},
        {{"fair-share",
          "receive buffers of all connections <= server_shared_receives",
          "peak at every buffer taken",
          CREDIT_GRANT},
         "receive buffers",
         "server_shared_receives",
         [](const Server& server) { return server.GetStatistics().receivesPeak; },
         [](const Server& server) {
             return GetText(server, "CreditGrant") == "fair-share"
                        ? std::optional<uint64_t>(GetCount(server, "SharedReceives"))
                        : std::nullopt;
         }},
        {{"server_receive_memory_limit",
          "octets of all receive buffers <= server_receive_memory_limit",
          "peak at every buffer taken",
          RECEIVE_BUDGET},
         "octets of receive buffers",
         "server_receive_memory_limit",
         [](const Server& server) { return server.GetStatistics().receiveOctetsPeak; },
         [](const Server& server) {
             return GetBoundUnlessZero(GetCount(server, "ReceiveMemoryLimit"));
         }},
        {{"server_memory_limit",
          "octets of receive buffers, Send contexts and sinks of RDMA Reads <= server_memory_limit",
          "peak at every charge",
          MEMORY_LIMIT},
         "octets of receive buffers, Send contexts and sinks",
         "server_memory_limit",
         [](const Server& server) { return server.GetStatistics().memoryHeldPeak; },
         [](const Server& server) { return GetBoundUnlessZero(GetCount(server, "MemoryLimit")); }},
        {{"never, announced-only",
          "replies provided as Read chunk = 0",
          "each reply that is exposed",
          READ_CHUNK},
         "replies provided as Read chunk",
         "server_read_chunk_policy",
         [](const Server& server) { return server.GetStatistics().exposedChunks; },
         [](const Server& server) {
             const auto policy = GetText(server, "ReadChunkPolicy");
             return GetNoneIf(policy == "never" || policy == "announced-only");
         }},
        {{"server_max_exposed_bytes",
          "octets exposed on a connection <= server_max_exposed_bytes",
          "peak at every reply that is exposed",
          REPLY_EXPOSER},
         "octets exposed on a connection",
         "server_max_exposed_bytes",
         [](const Server& server) { return server.GetStatistics().exposedHeldPeak; },
         [](const Server& server) {
             return GetBoundUnlessZero(GetCount(server, "MaxExposedBytes"));
         }},
        {{"server_max_pending_read_chunks",
          "Read chunks of a connection without a notice <= server_max_pending_read_chunks",
          "peak at every reply that is exposed",
          REPLY_EXPOSER},
         "Read chunks of a connection without a notice",
         "server_max_pending_read_chunks",
         [](const Server& server) { return server.GetStatistics().exposedWaitingPeak; },
         [](const Server& server) {
             return GetBoundUnlessZero(GetCount(server, "MaxPendingReadChunks"));
         }},
        {{"server_read_chunk_timeout",
          "time that a Read chunk waits for its notice <= server_read_chunk_timeout",
          "peak at every release",
          REPLY_EXPOSER},
         "ns that a Read chunk waited for its notice",
         "server_read_chunk_timeout",
         [](const Server& server) {
             return static_cast<uint64_t>(server.GetStatistics().exposedTimePeak.GetNanoSeconds());
         },
         [](const Server& server) { return GetTimeout(server); }},
    };
    return rows;
}

template <typename Subject>
std::vector<Row<Subject>>
MakeRegistrationRows(const std::string& key)
{
    return {
        {{"frwr, memory-window, regular",
          "STags that a peer can use after their RPC = 0",
          "each piece of memory that is released",
          CHUNK_REGISTRAR},
         "STags that a peer can use after their RPC",
         key,
         [](const Subject& end) { return end.GetRegistrationStatistics().leftValid; },
         [](const Subject& end) {
             return GetNoneIf(IsTakenBack(GetText(end, "RegistrationStrategy")));
         }},
        {{"cache",
          "registrations <= pieces of memory not found in the cache",
          "counts at the end",
          CHUNK_REGISTRAR},
         "registrations",
         "pieces of memory not found in the cache",
         [](const Subject& end) { return end.GetRegistrationStatistics().registrations; },
         [](const Subject& end) {
             return GetText(end, "RegistrationStrategy") == "cache"
                        ? std::optional<uint64_t>(end.GetRegistrationStatistics().misses)
                        : std::nullopt;
         }},
    };
}

template <typename Client>
std::vector<Row<Client>>
MakeClientRows()
{
    return {
        {{"requester",
          "calls outstanding <= credits granted",
          "each call that is sent",
          CREDIT_WINDOW},
         "calls sent without a credit",
         "credits granted",
         [](const Client& client) { return client.GetUncovered(); },
         [](const Client& /* client */) { return GetNoneIf(true); }},
        {{"client_slots",
          "calls outstanding <= client_slots",
          "each call that is sent",
          CREDIT_WINDOW},
         "calls outstanding",
         "client_slots",
         [](const Client& client) { return client.GetMostOutstanding(); },
         [](const Client& client) {
             return std::optional<uint64_t>(GetCount(client.GetTransport(), "Slots"));
         }},
        {{"client_reply_messages",
          "Sends that replies to calls outstanding may still take <= Receives posted",
          "each call that is sent",
          REPLY_MECHANISM},
         "Receives that replies in parts may want for",
         "Receives posted",
         [](const Client& client) { return client.GetMissingReceives(); },
         [](const Client& client) {
             return GetNoneIf(client.HasContinued() &&
                              GetText(client.GetTransport(), "ReceiveRefill") == "every-message" &&
                              GetText(client.GetTransport(), "ReceiveOrder") ==
                                  "before-completion");
         }},
        {{"client_pull_notice, all",
          "calls outstanding and RDMA_DONE not known to be received <= credits granted and "
          "Receives "
          "kept for RDMA_DONE",
          "each RDMA_DONE that is sent",
          PULL_NOTICE},
         "calls and RDMA_DONE beyond the Receives that there are",
         "credits granted and Receives kept for RDMA_DONE",
         [](const Client& client) { return client.GetNoticesBeyond(); },
         [](const Client& /* client */) { return GetNoneIf(true); }},
        {{"client_inline_policy, server_inline_policy",
          "largest Send to the server <= client_inline_send",
          "each connection",
          INLINE_THRESHOLD},
         "octets of the largest Send to the server",
         "client_inline_send",
         [](const Client& client) { return client.GetLongestSend(); },
         [](const Client& client) {
             return std::optional<uint64_t>(GetCount(client.GetTransport(), "InlineSend"));
         }},
        {{"client_inline_policy, server_inline_policy",
          "largest Send to the client <= client_inline_receive",
          "each connection",
          INLINE_THRESHOLD},
         "octets of the largest Send to the client",
         "client_inline_receive",
         [](const Client& client) { return client.GetLongestReceive(); },
         [](const Client& client) {
             return std::optional<uint64_t>(GetCount(client.GetTransport(), "InlineReceive"));
         }},
    };
}

template <typename Subject>
void
Append(std::vector<GuaranteeUse>& uses,
       const std::string& host,
       const std::vector<Row<Subject>>& rows,
       const Subject& subject)
{
    for (const auto& row : rows)
    {
        if (const auto bound = row.getBound(subject))
        {
            uses.push_back(
                {host, row.guarantee.policy, row.what, row.getUsed(subject), *bound, row.limit});
        }
    }
}

template <typename Subject>
void
Append(std::vector<Guarantee>& guarantees, const std::vector<Row<Subject>>& rows)
{
    for (const auto& row : rows)
    {
        guarantees.push_back(row.guarantee);
    }
}

} // namespace

Guarantees::Guarantees(const Cluster& cluster)
    : m_cluster(cluster)
{
    for (uint32_t client = 0; client < cluster.GetClients().size(); ++client)
    {
        for (const auto& transport : cluster.GetClients()[client].stack.transports)
        {
            m_clients.push_back(
                std::make_unique<Client>(cluster.GetHostName(cluster.GetClientHost(client)),
                                         transport));
        }
    }
}

Guarantees::~Guarantees() = default;

std::vector<GuaranteeUse>
Guarantees::List() const
{
    static const auto clientRows = MakeClientRows<Client>();
    static const auto ofServers =
        MakeRegistrationRows<RpcRdmaServer>("server_registration_strategy");
    static const auto ofClients =
        MakeRegistrationRows<RpcRdmaClient>("client_registration_strategy");
    std::vector<GuaranteeUse> uses;
    for (uint32_t server = 0; server < m_cluster.GetServers().size(); ++server)
    {
        const auto& transport = *m_cluster.GetServers()[server].transport;
        Append(uses, m_cluster.GetServerName(server), GetServerRows(), transport);
        Append(uses, m_cluster.GetServerName(server), ofServers, transport);
    }
    for (const auto& client : m_clients)
    {
        Append(uses, client->GetHost(), clientRows, *client);
        Append(uses, client->GetHost(), ofClients, client->GetTransport());
    }
    return uses;
}

std::vector<Guarantee>
Guarantees::GetRows()
{
    std::vector<Guarantee> guarantees;
    Append(guarantees, GetServerRows());
    Append(guarantees, MakeClientRows<Client>());
    Append(guarantees, MakeRegistrationRows<RpcRdmaClient>("client_registration_strategy"));
    return guarantees;
}

std::vector<std::string>
FindBroken(const std::vector<GuaranteeUse>& uses)
{
    std::vector<std::string> lines;
    for (const auto& use : uses)
    {
        if (use.used > use.bound)
        {
            std::ostringstream line;
            line << use.host << ": " << use.policy << ": " << use.what << " " << use.used
                 << ", at most " << use.bound << " (" << use.limit << ")";
            lines.push_back(line.str());
        }
    }
    return lines;
}

} // namespace ns3::nfsrdma
