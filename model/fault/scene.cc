/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/scene.h"

#include "fault/nfs-status.h"
#include "fault/word-list.h"
#include "link/least-mtu.h"
#include "nfs/v2/acl-messages2.h"
#include "nfs/v2/types2.h"
#include "nfs/v3/acl-messages3.h"
#include "nfs/v3/status3.h"
#include "nfs/v4/protocol/operation-rules.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr const char* CLIENTS = "clients";
constexpr const char* SERVERS = "servers";

std::optional<uint32_t>
GetMinorVersion(const std::string& nfsVersion)
{
    if (nfsVersion.substr(0, 2) != "4.")
    {
        return std::nullopt;
    }
    return static_cast<uint32_t>(nfsVersion.back() - '0');
}

/// \return the last word of \p name: "GETACL" of "NFSACL3 GETACL".
std::string
GetLastWord(const std::string& name)
{
    return name.substr(name.rfind(' ') + 1);
}

/// \return whether a fault is about connections, memory or queues of RDMA.
bool
IsOfRdma(HostFaultKind kind)
{
    switch (kind)
    {
    case HostFaultKind::RNIC_RESET:
    case HostFaultKind::RNIC_REMOVE:
    case HostFaultKind::QP_ERROR:
    case HostFaultKind::REGISTRATION_FAILURE:
    case HostFaultKind::REGION_SHORTAGE:
    case HostFaultKind::CQ_OVERFLOW:
    case HostFaultKind::SLOW_RECEIVER:
        return true;
    default:
        return false;
    }
}

/// \return whether a fault is about a server, of which a host may have several.
bool
IsOfServer(HostFaultKind kind)
{
    return kind == HostFaultKind::RESTART || kind == HostFaultKind::THREAD_STALL ||
           kind == HostFaultKind::STORAGE_STALL || kind == HostFaultKind::SLOT_SHRINK;
}

class Checker
{
  public:
    Checker(const FaultSpec& spec, const FaultScene& scene)
        : m_spec(spec),
          m_scene(scene)
    {
    }

    std::optional<FaultError> Check()
    {
        CheckWhere();
        CheckWhen();
        CheckWhat();
        return m_error;
    }

  private:
    void Fail(std::string got, std::string expected, std::vector<std::string> candidates = {})
    {
        if (!m_error)
        {
            m_error = FaultError{std::move(got), std::move(expected), std::move(candidates)};
        }
    }

    void CheckHost(const std::string& name, bool groups)
    {
        const auto hosts = m_scene.FindHosts(name);
        if (hosts.empty() || (!groups && (name == CLIENTS || name == SERVERS)))
        {
            auto names = m_scene.GetHostNames();
            const std::string range = "server-0 to server-" + std::to_string(m_scene.servers - 1) +
                                      ", client-0 to client-" + std::to_string(m_scene.clients - 1);
            if (groups)
            {
                names.insert(names.end(), {CLIENTS, SERVERS});
            }
            Fail(name, "a host, " + range + (groups ? ", or clients, or servers" : ""), names);
        }
    }

    void CheckWhere()
    {
        const auto& where = m_spec.where;
        for (const auto& name : {where.first, where.second})
        {
            if (!name.empty())
            {
                CheckHost(name, true);
            }
        }
        const bool pair =
            where.form == FaultWhere::Form::FROM_TO || where.form == FaultWhere::Form::BETWEEN;
        if (!m_error && pair && AreAlike(where.first, where.second))
        {
            Fail(where.second, "a host that talks with " + where.first);
        }
        if (where.connection != 0 && !pair)
        {
            Fail("connection", "a pair of hosts with it: between HOST and HOST, or from and to");
        }
    }

    /// Clients talk with servers only.
    [[nodiscard]] bool AreAlike(const std::string& one, const std::string& other) const
    {
        return m_scene.IsServer(m_scene.FindHosts(one).front()) ==
               m_scene.IsServer(m_scene.FindHosts(other).front());
    }

    void CheckWhen()
    {
        const auto& when = m_spec.when;
        const bool isTimed = when.mode == FaultWhen::Mode::AT;
        if (isTimed && m_spec.what.GetPlace() == FaultPlace::FRAME)
        {
            Fail("at",
                 "an event, whose frame is met: " + std::string(m_spec.what.GetWord()) +
                     " needs one, such as '1st segment after 10ms'");
        }
        if (when.before && *when.before <= when.after)
        {
            Fail("before", "a time after that of 'after', or after 0");
        }
        if (!isTimed)
        {
            CheckEvent();
        }
    }

    void CheckEvent()
    {
        const auto& event = m_spec.when.event;
        const std::string name(ToString(event.kind));
        if (m_scene.tcp && event.kind >= FaultEventKind::MPA_REQUEST &&
            event.kind <= FaultEventKind::RDMA_ERROR)
        {
            Fail(name, "an event of TCP or RPC: with cluster.transport = tcp there is no RDMA");
        }
        if (event.kind == FaultEventKind::RDMA_DONE && !m_scene.readChunks)
        {
            Fail(name,
                 "an event that occurs: rdma-done needs Read chunks, "
                 "rpcrdma.client_read_chunk_extension, server_read_chunk_extension and "
                 "server_read_chunk_policy");
        }
        if (event.kind == FaultEventKind::SEND_INVALIDATE && !m_scene.remoteInvalidation)
        {
            Fail(name,
                 "an event that occurs: send-invalidate needs "
                 "rpcrdma.client_remote_invalidation, server_invalidation and "
                 "rnic.send_with_invalidate");
        }
        if (event.kind == FaultEventKind::SEND_SOLICITED)
        {
            Fail(name, "an event that occurs: NFS over RDMA sends no solicited Sends");
        }
        if (event.xid && event.kind < FaultEventKind::RDMA_MSG)
        {
            Fail("xid", "an event that has an XID: rdma-msg to rdma-error, rpc-call, rpc-reply");
        }
        CheckProcedure();
    }

    void CheckProcedure()
    {
        const auto& event = m_spec.when.event;
        if (event.program.empty())
        {
            return;
        }
        const auto names = GetProcedureNames(event.program, m_scene.nfsVersion);
        if (names.empty())
        {
            Fail(event.program,
                 "a program that is called over RDMA with nfs.version " + m_scene.nfsVersion);
        }
        else if (!event.procedure.empty() &&
                 std::find(names.begin(), names.end(), event.procedure) == names.end())
        {
            Fail(event.procedure,
                 "what " + event.program + " has with nfs.version " + m_scene.nfsVersion + ": " +
                     JoinWords(names),
                 names);
        }
    }

    void CheckWhat()
    {
        const auto& what = m_spec.what;
        const std::string word(what.GetWord());
        const auto place = what.GetPlace();
        if (word == "corrupt")
        {
            CheckCorrupt();
        }
        if (word == "mtu" && m_scene.ipv6 && what.count < LEAST_IPV6_MTU)
        {
            Fail(std::to_string(what.count),
                 "an MTU of at least " + std::to_string(LEAST_IPV6_MTU) +
                     ", with topology.ip = ipv6 (RFC 8200 section 5)");
        }
        if (place == FaultPlace::NETWORK)
        {
            CheckSides();
        }
        if (place == FaultPlace::FRAME || place == FaultPlace::NETWORK)
        {
            return;
        }
        if (place == FaultPlace::HOST && what.host.kind == HostFaultKind::ANSWER)
        {
            CheckAnswer();
            return;
        }
        const auto host = GetActionHost(m_spec);
        if (host.empty())
        {
            Fail(word, "the host it is about: on HOST");
            return;
        }
        const bool isServer = place == FaultPlace::HOST && m_scene.FindServer(host).has_value();
        const auto machine = isServer ? host.substr(0, host.rfind('.')) : host;
        if (isServer && !IsOfServer(what.host.kind))
        {
            Fail(host, machine + ", the host, for " + word + ", which all its servers share");
        }
        CheckHost(machine, false);
        if (place == FaultPlace::HOST && !m_error)
        {
            CheckHostFault(machine, word);
        }
    }

    void CheckAnswer()
    {
        const auto& event = m_spec.when.event;
        const auto& fault = m_spec.what.host;
        if (const auto flaw = FindFlaw(fault); !flaw.empty())
        {
            Fail("answer", flaw);
        }
        else if (m_spec.when.mode == FaultWhen::Mode::AT ||
                 event.kind != FaultEventKind::RPC_CALL || event.program != "nfs" ||
                 event.procedure == "NULL")
        {
            Fail("answer", "a call of NFS to answer, such as 3rd nfs GETATTR call");
        }
        else if (!m_spec.what.on.empty())
        {
            Fail("on", "the end of the sentence: whoever gets the call answers");
        }
        else if (!FindNfsError(fault.status, m_scene.nfsVersion))
        {
            Fail(fault.status,
                 "an error of nfs.version " + m_scene.nfsVersion + " such as " +
                     std::string(GetNfsErrorExample(m_scene.nfsVersion)));
        }
    }

    void CheckCorrupt()
    {
        const auto& what = m_spec.what;
        const auto kind = m_spec.when.event.kind;
        const bool hasFpdu = kind >= FaultEventKind::FPDU;
        if ((what.beforeCrc || what.octet || what.field != nullptr) && !hasFpdu)
        {
            Fail(std::string(ToString(kind)),
                 "an event of an FPDU, from fpdu to rpc-reply, to change it there");
        }
        const bool noPayload = kind == FaultEventKind::ACK || kind == FaultEventKind::SYN ||
                               kind == FaultEventKind::FIN || kind == FaultEventKind::RST;
        if (noPayload)
        {
            Fail(std::string(ToString(kind)), "an event with payload, to change bits of it");
        }
    }

    void CheckSides()
    {
        std::vector<std::size_t> seen;
        for (const auto& side : m_spec.what.sides)
        {
            for (const auto& name : side)
            {
                CheckHost(name, true);
                for (const auto host : m_scene.FindHosts(name))
                {
                    const bool again = std::find(seen.begin(), seen.end(), host) != seen.end();
                    if (again)
                    {
                        Fail(name, "each host once");
                    }
                    seen.push_back(host);
                }
            }
        }
    }

    void CheckHostFault(const std::string& host, const std::string& word)
    {
        const auto& fault = m_spec.what.host;
        if (m_scene.tcp && IsOfRdma(fault.kind))
        {
            Fail(word, "a fault of hosts without RDMA: cluster.transport is tcp");
        }
        const bool isServer = m_scene.IsServer(m_scene.FindHosts(host).front());
        if (IsOfServer(fault.kind) && !isServer)
        {
            Fail(host, "a server, for " + word);
        }
        if (fault.kind == HostFaultKind::CRASH && !isServer && !m_scene.whyNoClientCrashes.empty())
        {
            Fail(host, m_scene.whyNoClientCrashes);
        }
        if (const auto flaw = FindFlaw(fault); !flaw.empty())
        {
            Fail(word, flaw);
        }
        const auto number = m_scene.FindHosts(host).front();
        const uint32_t ports = number < m_scene.ports.size() ? m_scene.ports[number] : 1;
        if (IsOfPort(fault.kind) && fault.amount > ports)
        {
            Fail(word, "a port of " + host + ", which has " + std::to_string(ports));
        }
        if (!fault.peer.empty())
        {
            CheckHost(fault.peer, false);
            if (!m_error && AreAlike(fault.peer, host))
            {
                Fail(fault.peer, "a host that " + host + " talks with");
            }
        }
    }

    const FaultSpec& m_spec;
    const FaultScene& m_scene;
    std::optional<FaultError> m_error;
};

} // namespace

std::vector<std::string>
FaultScene::GetHostNames() const
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < servers; ++i)
    {
        names.push_back("server-" + std::to_string(i));
    }
    for (std::size_t i = 0; i < clients; ++i)
    {
        names.push_back("client-" + std::to_string(i));
    }
    return names;
}

std::vector<std::size_t>
FaultScene::FindHosts(const std::string& name) const
{
    const auto names = GetHostNames();
    std::vector<std::size_t> hosts;
    for (std::size_t host = 0; host < names.size(); ++host)
    {
        if (names[host] == name || name == (IsServer(host) ? SERVERS : CLIENTS))
        {
            hosts.push_back(host);
        }
    }
    return hosts;
}

std::optional<uint32_t>
FaultScene::FindServer(const std::string& name) const
{
    const auto dot = name.rfind('.');
    const auto hosts =
        dot == std::string::npos ? std::vector<std::size_t>() : FindHosts(name.substr(0, dot));
    if (hosts.size() != 1 || !IsServer(hosts.front()))
    {
        return std::nullopt;
    }
    for (uint32_t server = 0; serversPerHost > 1 && server < serversPerHost; ++server)
    {
        if (name.substr(dot + 1) == std::to_string(server))
        {
            return server;
        }
    }
    return std::nullopt;
}

std::optional<FaultError>
CheckFault(const FaultSpec& spec, const FaultScene& scene)
{
    return Checker(spec, scene).Check();
}

std::string
GetActionHost(const FaultSpec& spec)
{
    if (!spec.what.on.empty())
    {
        return spec.what.on;
    }
    return spec.where.form == FaultWhere::Form::ON ? spec.where.first : std::string();
}

std::vector<std::string>
GetProcedureNames(const std::string& program, const std::string& nfsVersion)
{
    std::vector<std::string> names;
    const auto minor = GetMinorVersion(nfsVersion);
    if (program == "nfs" && minor)
    {
        names = {"NULL", "COMPOUND"};
        for (uint32_t op = NFS4_FIRST_OP; op <= NFS4_LAST_OP; ++op)
        {
            if (IsLegal(op, *minor))
            {
                names.emplace_back(ToString(static_cast<Nfs4Op>(op)));
            }
        }
    }
    else if (program == "nfs" && nfsVersion == "3")
    {
        for (uint32_t procedure = 0; procedure < NFS3_PROCEDURES; ++procedure)
        {
            names.emplace_back(ToString(static_cast<Nfs3Procedure>(procedure)));
        }
    }
    else if (program == "nfs")
    {
        for (uint32_t procedure = 0; procedure < NFS2_PROCEDURES; ++procedure)
        {
            names.emplace_back(ToString(static_cast<Nfs2Procedure>(procedure)));
        }
    }
    else if (program == "nfsacl" && nfsVersion == "3")
    {
        for (uint32_t procedure = 0; procedure < NFSACL3_PROCEDURES; ++procedure)
        {
            names.push_back(GetLastWord(ToString(static_cast<NfsAcl3Procedure>(procedure))));
        }
    }
    else if (program == "callback" && minor && *minor > 0)
    {
        names = {"CB_NULL", "CB_COMPOUND"};
        for (auto op = static_cast<uint32_t>(Nfs4CbOp::GETATTR);
             op <= static_cast<uint32_t>(Nfs4CbOp::OFFLOAD);
             ++op)
        {
            if (IsLegalCallback(op, *minor))
            {
                names.emplace_back(ToString(static_cast<Nfs4CbOp>(op)));
            }
        }
    }
    return names;
}

} // namespace ns3::nfsrdma
