/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/connect/cm-id.h"
#include "rnic/connect/startup-terminate.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

void
CountTerminate(Ptr<ConnectionAdmission> admission, Address peer, const TerminateMessage& message)
{
    if (!(message.reason == TerminateReason::From(RdmapError::LOCAL_CATASTROPHIC)))
    {
        admission->CountFault(peer, Simulator::Now());
    }
}

} // namespace

void
CmId::HandleStartupFrame(const MpaStartupFrame& /* frame */, bool sent)
{
    m_reached = m_reached || sent;
}

void
CmId::HandleRequest(const MpaStartupParameters& peer)
{
    const Ptr<CmId> listener = m_listener;
    if (!listener->IsListening())
    {
        const Ptr<MpaConnection> connection = m_connection;
        ReleaseConnection();
        connection->Reject({});
        connection->Close();
        Enter(State::CLOSED);
        return;
    }
    m_callback = listener->m_callback;
    Enter(State::REQUESTED);
    CmEvent event;
    event.type = CmEventType::CONNECT_REQUEST;
    event.newId = this;
    event.privateData = peer.privateData;
    event.ird = std::min<uint32_t>(peer.ord, m_device->GetMaxIrd());
    event.ord = std::min<uint32_t>(peer.ird, m_device->GetMaxOrd());
    listener->Raise(std::move(event));
}

void
CmId::HandleOperational(const MpaStartupParameters& agreed)
{
    const Ptr<MpaConnection> connection = m_connection;
    ReleaseConnection();
    if (!m_pair->Attach(connection, agreed.ird, agreed.ord))
    {
        HandleStartupFailed(MpaError::LOCAL_CATASTROPHIC);
        SendTerminate(*connection, MpaError::LOCAL_CATASTROPHIC);
        connection->Close();
        Finish({CmEventType::CONNECT_ERROR, nullptr, {}, 0, 0});
        return;
    }
    m_pair->SetDisconnectedCallback(MakeCallback(&CmId::HandleDisconnected, this));
    if (m_admission)
    {
        m_pair->TraceConnectWithoutContext(
            "TerminateSent",
            MakeBoundCallback(&CountTerminate, m_admission, ConnectionAdmission::GetHost(m_peer)));
    }
    Enter(State::CONNECTED);
    const Time due = m_device->GetFirstFpduTimeout();
    if (due.IsStrictlyPositive() && !connection->IsInitiator())
    {
        m_silence = Simulator::Schedule(due, &CmId::CheckSilence, this);
    }
    CmEvent established{CmEventType::ESTABLISHED,
                        nullptr,
                        agreed.privateData,
                        agreed.ird,
                        agreed.ord};
    const bool atFirstFpdu = m_device->GetEstablished() == RnicBehaviour::FIRST_FPDU ||
                             connection->GetAgreement().rtr != ReadyToReceive::NONE;
    if (atFirstFpdu && !connection->IsInitiator())
    {
        m_established = std::move(established);
        m_pair->SetOpenedCallback(MakeCallback(&CmId::HandleOpened, this));
        return;
    }
    Raise(std::move(established));
}

void
CmId::CheckSilence()
{
    if (m_pair->IsPeerSilent())
    {
        ++m_device->Counters().silentPeers;
        m_peerSilentTrace(m_peer);
        CountFault();
        m_pair->MoveToError();
    }
}

void
CmId::HandleOpened()
{
    Raise(std::move(*m_established));
    m_established.reset();
}

void
CmId::HandleRejected(ByteSpan privateData)
{
    m_connection->Close();
    Finish(
        {CmEventType::REJECTED, nullptr, ByteVector(privateData.begin(), privateData.end()), 0, 0});
}

void
CmId::HandleError(MpaError error)
{
    if (m_connection->GetState() == MpaConnection::State::OBSTRUCTED)
    {
        SendTerminate(*m_connection, error);
        m_connection->Close();
    }
    if (error == MpaError::LLP_LOST && RetryWithRevision1())
    {
        return;
    }
    const bool unreachable =
        m_state == State::CONNECTING && error == MpaError::LLP_LOST && !m_reached;
    Finish(
        {unreachable ? CmEventType::UNREACHABLE : CmEventType::CONNECT_ERROR, nullptr, {}, 0, 0});
}

void
CmId::HandleStartupFailed(MpaError error)
{
    ++m_device->Counters().startupFailures.at(static_cast<std::size_t>(error));
    if (error != MpaError::LLP_LOST && error != MpaError::LOCAL_CATASTROPHIC)
    {
        CountFault();
    }
}

void
CmId::CountFault()
{
    if (m_admission)
    {
        m_admission->CountFault(ConnectionAdmission::GetHost(m_peer), Simulator::Now());
    }
}

void
CmId::SendTerminate(MpaConnection& connection, MpaError error)
{
    m_device->Counters().terminatesSent += SendStartupTerminate(connection, error) ? 1 : 0;
}

bool
CmId::RetryWithRevision1()
{
    if (m_state != State::CONNECTING || !m_reached || m_retried ||
        !m_device->GetMpaSettings()->HasRevisionFallback())
    {
        return false;
    }
    m_retried = true;
    m_reached = false;
    ReleaseConnection();
    constexpr bool REVISION_1 = true;
    UseConnection(m_device->CreateConnection(REVISION_1));
    m_connection->StartInitiator(
        m_device->GetTransport()->Connect(InetSocketAddress::ConvertFrom(m_peer)),
        m_local);
    return true;
}

void
CmId::HandleClosed()
{
    Finish({CmEventType::CONNECT_ERROR, nullptr, {}, 0, 0});
}

void
CmId::HandleDisconnected()
{
    Finish({m_established ? CmEventType::CONNECT_ERROR : CmEventType::DISCONNECTED,
            nullptr,
            {},
            0,
            0});
}

void
CmId::Finish(CmEvent event)
{
    const bool reported = m_state != State::AWAITING_REQUEST;
    if (m_connection)
    {
        ReleaseConnection();
    }
    if (m_pair)
    {
        m_pair->MoveToError();
    }
    if (reported)
    {
        Raise(std::move(event));
    }
    Enter(State::CLOSED);
}

void
CmId::Enter(State state)
{
    const State before = std::exchange(m_state, state);
    if (state == State::CLOSED)
    {
        m_silence.Cancel();
        LeaveBacklog();
        if (m_admission && before != State::LISTENING && before != State::CLOSED)
        {
            m_admission->End(ConnectionAdmission::GetHost(m_peer), Simulator::Now());
        }
    }
    else if (m_handle == 0)
    {
        m_handle = m_device->AddId(Ptr<CmId>(this));
    }
    LeaveDevice();
}

void
CmId::LeaveDevice()
{
    if (m_state == State::CLOSED && m_events.IsEmpty() && m_handle != 0)
    {
        const Ptr<CmId> self(this);
        m_device->RemoveId(std::exchange(m_handle, 0));
    }
}

void
CmId::Raise(CmEvent event)
{
    Time due = Simulator::Now() + m_device->GetInterruptLatency();
    if (m_pair)
    {
        due = std::max(due, m_pair->GetLastCompletion());
    }
    m_events.Add(std::move(event), due);
}

void
CmId::Deliver(const CmEvent& event)
{
    const Ptr<CmId> self(this);
    m_eventTrace(event);
    if (!m_callback.IsNull())
    {
        const EventCallback callback = m_callback;
        callback(self, event);
    }
    LeaveDevice();
}

} // namespace ns3::nfsrdma
