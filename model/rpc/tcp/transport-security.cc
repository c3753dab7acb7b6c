/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/tcp/transport-security.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(RpcTls);

#define SETTINGS_OF RpcTlsSettings
#define SETTINGS_FILE "rpc/tcp/tls.def"
#include "settings/rows.def"

namespace
{

void
Add(const TlsSession& session, RpcTlsStatistics& sum)
{
    const auto& part = session.GetStatistics();
    sum.alertsSent += part.alertsSent;
    sum.alertsReceived += part.alertsReceived;
    sum.badRecordMac += part.alertsSent != 0 && session.GetFailure() == "bad record mac" ? 1 : 0;
    sum.closeNotify += session.GetState() == TlsSession::State::CLOSED ? 1 : 0;
    sum.recordsSent += part.recordsSent;
    sum.octetsSent += part.octetsSent;
    sum.octetsReceived += part.octetsReceived;
    sum.keyUpdates += part.keyUpdatesSent;
}

} // namespace

TypeId
RpcTls::GetTypeId()
{
    static TypeId tid = AddAttributes(
        TypeId("ns3::nfsrdma::RpcTls")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddConstructor<RpcTls>()
            .AddAttribute("Seed",
                          "Number that keys, certificates and random octets follow from.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&RpcTls::m_seed),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("KeepSecrets",
                          "Whether secrets of sessions are kept for ListSecrets().",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RpcTls::m_keepsSecrets),
                          MakeBooleanChecker())
            .AddTraceSource("Handshake",
                            "A handshake has ended: in which time, and why it has failed.",
                            MakeTraceSourceAccessor(&RpcTls::m_handshakeTrace),
                            "ns3::nfsrdma::RpcTls::HandshakeTracedCallback")
            .AddTraceSource("Ended",
                            "A session that was open is over: the alert that has ended it.",
                            MakeTraceSourceAccessor(&RpcTls::m_endedTrace),
                            "ns3::nfsrdma::RpcTls::EndedTracedCallback"),
        RpcTlsSettings::GetRows(),
        &RpcTls::m_settings);
    return tid;
}

void
RpcTls::DoDispose()
{
    m_open.clear();
    Object::DoDispose();
}

std::unique_ptr<TlsEndpoint>
RpcTls::MakeEndpoint() const
{
    std::optional<TlsIdentity> identity;
    if (m_side == TlsEndpoint::Side::SERVER)
    {
        identity = TlsIdentity::MakeHost(m_seed, m_name, m_settings.serverCertificate);
    }
    else if (m_settings.mode == RpcTlsSettings::MTLS)
    {
        identity = TlsIdentity::MakeHost(m_seed, m_name);
    }
    return std::make_unique<TlsEndpoint>(m_side, m_seed, identity, m_settings.records);
}

std::unique_ptr<TlsSession>
RpcTls::MakeSession(const std::string& name, const std::string& server)
{
    if (!m_endpoint)
    {
        m_endpoint = MakeEndpoint();
    }
    auto session =
        std::make_unique<TlsSession>(*m_endpoint, std::to_string(m_seed) + " " + name, server);
    m_open.push_back(session.get());
    return session;
}

bool
RpcTls::IsEnough(const TlsSession* session) const
{
    const bool isSecured = session != nullptr && session->GetState() == TlsSession::State::OPEN;
    switch (m_settings.serverRequires)
    {
    case RpcTlsSettings::ANY:
        return true;
    case RpcTlsSettings::ENCRYPTED:
        return isSecured;
    case RpcTlsSettings::AUTHENTICATED:
        break;
    }
    return isSecured && session->IsPeerAuthenticated();
}

void
RpcTls::AddSession(const TlsSession& session)
{
    const auto found = std::find(m_open.begin(), m_open.end(), &session);
    if (found == m_open.end())
    {
        return;
    }
    m_open.erase(found);
    Add(session, m_statistics);
    if (m_keepsSecrets)
    {
        const auto& lines = session.GetKeyLog();
        m_secrets.insert(m_secrets.end(), lines.begin(), lines.end());
    }
    if (session.WasOpen())
    {
        m_endedTrace(session.GetFailure());
    }
}

void
RpcTls::NoteHandshake(const TlsSession& session, Time time)
{
    const bool isOpen = session.GetState() == TlsSession::State::OPEN;
    ++(isOpen ? m_statistics.handshakes : m_statistics.handshakesFailed);
    m_handshakeTrace(time,
                     isOpen || !session.GetFailure().empty() ? session.GetFailure()
                                                             : "not finished");
}

void
RpcTls::NoteProbe()
{
    ++m_statistics.probes;
}

void
RpcTls::NoteRefusal()
{
    ++m_statistics.refused;
}

void
RpcTls::NoteTimeout()
{
    ++m_statistics.timedOut;
}

bool
RpcTls::NoteSpurious()
{
    ++m_statistics.spurious;
    return m_settings.spuriousTraffic == RpcTlsSettings::CLOSE;
}

RpcTlsStatistics
RpcTls::GetStatistics() const
{
    RpcTlsStatistics sum = m_statistics;
    for (const TlsSession* const session : m_open)
    {
        Add(*session, sum);
    }
    return sum;
}

std::vector<std::string>
RpcTls::ListSecrets() const
{
    if (!m_keepsSecrets)
    {
        return {};
    }
    std::vector<std::string> secrets = m_secrets;
    for (const TlsSession* const session : m_open)
    {
        const auto& lines = session->GetKeyLog();
        secrets.insert(secrets.end(), lines.begin(), lines.end());
    }
    return secrets;
}

} // namespace ns3::nfsrdma
