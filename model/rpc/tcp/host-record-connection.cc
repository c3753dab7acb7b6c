/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/tcp/host-record-connection.h"

#include "mpa/internet-address.h"
#include "rpc/tcp/host-sockets.h"

#include "ns3/packet.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace ns3::nfsrdma
{

std::shared_ptr<HostRecordConnection>
HostRecordConnection::Create(const Ptr<ByteStream>& stream,
                             const Ptr<HostCpu>& cpu,
                             Side side,
                             const RpcTcpSettings& settings,
                             Events events)
{
    struct Made : HostRecordConnection
    {
        Made(const Ptr<ByteStream>& madeStream,
             const Ptr<HostCpu>& madeCpu,
             Side madeSide,
             const RpcTcpSettings& madeSettings,
             Events&& madeEvents)
            : HostRecordConnection(madeStream,
                                   madeCpu,
                                   madeSide,
                                   madeSettings,
                                   std::move(madeEvents))
        {
        }
    };

    auto connection = std::make_shared<Made>(stream, cpu, side, settings, std::move(events));
    connection->Attach();
    return connection;
}

HostRecordConnection::HostRecordConnection(const Ptr<ByteStream>& stream,
                                           const Ptr<HostCpu>& cpu,
                                           Side side,
                                           const RpcTcpSettings& settings,
                                           Events&& events)
    : m_stream(stream),
      m_cpu(cpu),
      m_side(side),
      m_settings(settings),
      m_events(std::move(events)),
      m_connected(side == Side::SERVER),
      m_decoder(settings.maxRecord),
      m_sender(side == Side::CLIENT ? HostContext::WORK_QUEUE : HostContext::PROCESS),
      m_reader(HostContext::WORK_QUEUE),
      m_daemon(HostContext::PROCESS)
{
    const HostCosts& costs = m_cpu->GetCosts();
    if (side == Side::CLIENT &&
        (!costs.clientSendHold.IsZero() || !costs.clientReceiveHold.IsZero()))
    {
        m_lock = m_cpu->MakeLock("transport_lock");
    }
}

HostRecordConnection::~HostRecordConnection()
{
    Close();
}

void
HostRecordConnection::Attach()
{
    auto& callbacks = m_stream->GetCallbacks();
    callbacks.established = MakeCallback(&HostRecordConnection::HandleEstablished, this);
    callbacks.receive = MakeCallback(&HostRecordConnection::HandleReceive, this);
    callbacks.space = MakeCallback(&HostRecordConnection::Pump, this);
    callbacks.ended = MakeCallback(&HostRecordConnection::HandleEnd, this);
}

void
HostRecordConnection::Detach()
{
    m_stream->GetCallbacks() = {};
    m_stream = nullptr;
}

void
HostRecordConnection::Close()
{
    if (m_stream)
    {
        if (m_session && m_records.empty())
        {
            m_session->Close();
            PushSessionOutput();
        }
        EndSession();
        const Ptr<ByteStream> stream = m_stream;
        Detach();
        stream->Close();
    }
}

void
HostRecordConnection::Abort()
{
    if (m_stream)
    {
        EndSession();
        const Ptr<ByteStream> stream = m_stream;
        Detach();
        stream->Abort();
    }
}

void
HostRecordConnection::Fail(RpcTcpEnd end)
{
    if (m_stream)
    {
        const auto self = shared_from_this();
        Close();
        m_events.ended(end);
    }
}

uint16_t
HostRecordConnection::GetLocalPort() const
{
    const auto end = m_stream ? ReadSocketAddress(m_stream->GetLocalAddress()) : std::nullopt;
    return end ? end->port : 0;
}

Ptr<TcpSoftInterrupt>
HostRecordConnection::GetSoftInterrupt() const
{
    return m_stream ? HostSockets::GetSoftInterrupt(*m_stream) : nullptr;
}

void
HostRecordConnection::HandleEstablished()
{
    const auto self = shared_from_this();
    m_connected = true;
    if (m_events.connected)
    {
        m_events.connected();
    }
    Pump();
}

void
HostRecordConnection::HandleEnd(StreamEnd end)
{
    const auto self = shared_from_this();
    if (end == StreamEnd::GRACEFUL)
    {
        ReadLastAlert();
    }
    if (m_shaking)
    {
        Fail(RpcTcpEnd::TLS_FAILED);
        return;
    }
    if (CloseWithSession())
    {
        return;
    }
    switch (end)
    {
    case StreamEnd::GRACEFUL:
        Fail(RpcTcpEnd::PEER_CLOSED);
        break;
    case StreamEnd::RESET:
        Fail(RpcTcpEnd::RESET);
        break;
    case StreamEnd::FAILED:
        Fail(m_connected ? RpcTcpEnd::RESET : RpcTcpEnd::FAILED);
        break;
    }
}

void
HostRecordConnection::After(Time time, std::function<void(HostRecordConnection&)> what)
{
    Simulator::Schedule(time - Simulator::Now(), [held = weak_from_this(), what = std::move(what)] {
        if (const auto self = held.lock(); self && self->m_stream)
        {
            what(*self);
        }
    });
}

void
HostRecordConnection::Send(ByteSpan message)
{
    if (m_stream)
    {
        ByteVector record = MarkRecord(message, m_settings.maxFragment);
        if (m_shaking)
        {
            m_held.push_back(std::move(record));
            return;
        }
        if (m_session && m_session->GetState() != TlsSession::State::OPEN)
        {
            // The connection ends as soon as what has come before is read.
            return;
        }
        m_records.push_back(m_session ? Outgoing{m_session->Protect(record), 0, true}
                                      : Outgoing{std::move(record)});
        Pump();
    }
}

uint32_t
HostRecordConnection::GetPiece() const
{
    const uint32_t segment = std::max(m_stream->GetEmss(), 1U);
    return std::max(m_cpu->GetCosts().tcpSegmentationOffload / segment, 1U) * segment;
}

HostWork
HostRecordConnection::GetSendWork(const Outgoing& record, uint32_t octets) const
{
    const HostCosts& costs = m_cpu->GetCosts();
    const bool begins = record.from == 0;
    const bool isClient = m_side == Side::CLIENT;
    HostWork work(
        costs.tcpOutputCost + (begins ? costs.tcpSendCost : Time(0)) +
        GetOctetCost(isClient ? costs.tcpClientSendCopy : costs.tcpServerSendCopy, octets) +
        GetOctetCost(costs.tcpChecksum, octets) +
        (record.isProtected
             ? GetTlsCost(costs.tlsSendCost, octets, CountTlsRecords(record.from, octets))
             : Time(0)));
    if (begins && isClient)
    {
        work.Under(m_lock, costs.clientSendHold);
    }
    return work;
}

void
HostRecordConnection::Pump()
{
    while (m_stream && m_connected && !m_sending && !m_records.empty())
    {
        const Outgoing& first = m_records.front();
        const auto rest = static_cast<uint32_t>(
            std::min<std::size_t>(first.octets.size() - first.from, GetPiece()));
        const uint32_t room = m_stream->GetTxAvailable();
        if (room < std::min(rest, std::max(m_stream->GetEmss(), 1U)))
        {
            return;
        }
        const uint32_t octets = std::min(rest, room);
        const HostWork work = GetSendWork(first, octets);
        if (work.IsNothing())
        {
            Push(octets);
            continue;
        }
        m_sending = true;
        After(m_cpu->Run(m_sender, work), [octets](HostRecordConnection& self) {
            self.m_sending = false;
            self.Push(octets);
            self.Pump();
        });
    }
}

void
HostRecordConnection::Push(uint32_t octets)
{
    Outgoing& first = m_records.front();
    if (!m_stream->SendUnit(ns3::Create<Packet>(first.octets.data() + first.from, octets)))
    {
        return;
    }
    first.from += octets;
    if (first.from == first.octets.size())
    {
        m_records.pop_front();
    }
}

Time
HostRecordConnection::GetReadCost(uint64_t octets) const
{
    const HostCosts& costs = m_cpu->GetCosts();
    return costs.tcpReadCost + GetOctetCost(costs.tcpReceiveCopy, octets) +
           (m_session ? GetTlsCost(costs.tlsReceiveCost, octets, CountTlsRecords(0, octets))
                      : Time(0));
}

uint64_t
HostRecordConnection::CountTlsRecords(uint64_t from, uint64_t octets) const
{
    const uint64_t size = m_tls->GetSettings().records.recordSize + TlsRecords::OVERHEAD;
    return (from + octets + size - 1) / size - (from + size - 1) / size;
}

Time
HostRecordConnection::GetTlsCost(Time perPage, uint64_t octets, uint64_t records) const
{
    return GetOctetCost(perPage, octets) +
           m_cpu->GetCosts().tlsRecordCost * static_cast<int64_t>(records);
}

void
HostRecordConnection::PrepareTls(const Ptr<RpcTls>& tls, const std::string& server)
{
    if (!m_stream || m_session)
    {
        return;
    }
    const Time now = Simulator::Now();
    const auto local = ReadSocketAddress(m_stream->GetLocalAddress());
    const auto peer = ReadSocketAddress(m_stream->GetPeerAddress());
    std::ostringstream name;
    name << (m_side == Side::CLIENT ? "client" : "server");
    for (const auto& end : {local, peer})
    {
        name << ' ' << (end ? end->address.ToString() : "") << ' ' << (end ? end->port : 0);
    }
    name << ' ' << now.GetNanoSeconds();
    // What has come in clear behind the message that begins TLS must not join what TLS brings.
    const bool isSpurious = !m_rest.empty() || m_decoder.IsInside();
    m_rest.clear();
    m_decoder = RecordMarkingDecoder(m_settings.maxRecord);
    if (isSpurious && tls->NoteSpurious())
    {
        Fail(RpcTcpEnd::TLS_SPURIOUS);
        return;
    }
    m_tls = tls;
    m_session = tls->MakeSession(name.str(), server);
    m_shaking = true;
    m_daemonBusy = true;
    m_handshakeBegin = now;
}

void
HostRecordConnection::ShakeHands(std::shared_ptr<void> hold)
{
    if (!m_stream || !m_shaking)
    {
        return;
    }
    m_handshakeHold = std::move(hold);
    const auto& settings = m_tls->GetSettings();
    m_handshakeTimer.Cancel();
    m_handshakeTimer = Simulator::Schedule(m_side == Side::CLIENT ? settings.handshakeTimeout
                                                                  : settings.serverHandshakeTimeout,
                                           &HostRecordConnection::HandleHandshakeTimer,
                                           this);
    After(Simulator::Now() + settings.handshakeLatency,
          [](HostRecordConnection& self) { self.BeginHandshake(); });
}

void
HostRecordConnection::HandleHandshakeTimer()
{
    m_tls->NoteTimeout();
    Fail(RpcTcpEnd::TLS_TIMED_OUT);
}

void
HostRecordConnection::BeginHandshake()
{
    const auto self = shared_from_this();
    m_daemonBusy = false;
    m_session->Start();
    if (m_side == Side::CLIENT)
    {
        EndFlight();
        return;
    }
    GoOnShakingHands();
}

void
HostRecordConnection::GoOnShakingHands()
{
    while (m_stream && m_shaking && !m_daemonBusy)
    {
        const Ptr<Packet> packet = m_stream->Receive();
        if (!packet)
        {
            return;
        }
        ByteVector octets(packet->GetSize());
        packet->CopyData(octets.data(), octets.size());
        m_early = m_session->Receive(octets);
        EndFlight();
    }
}

void
HostRecordConnection::EndFlight()
{
    const HostWork work(m_cpu->GetCosts().tlsHandshakeCost);
    const bool isOver = m_session->GetState() != TlsSession::State::HANDSHAKE;
    if (!isOver && !m_session->HasOutput())
    {
        return;
    }
    m_daemonBusy = true;
    After(m_cpu->Run(m_daemon, work), [isOver](HostRecordConnection& self) {
        const auto held = self.shared_from_this();
        self.m_daemonBusy = false;
        self.PushSessionOutput();
        if (isOver)
        {
            self.EndHandshake();
            return;
        }
        self.GoOnShakingHands();
    });
}

void
HostRecordConnection::EndHandshake()
{
    const bool isOpen = m_session->GetState() == TlsSession::State::OPEN;
    m_handshakeTimer.Cancel();
    m_handshakeHold.reset();
    m_shaking = false;
    m_tls->NoteHandshake(*m_session, Simulator::Now() - m_handshakeBegin);
    if (!isOpen)
    {
        Fail(RpcTcpEnd::TLS_FAILED);
        return;
    }
    if (m_events.secured)
    {
        m_events.secured();
    }
    while (m_stream && !m_held.empty())
    {
        m_records.push_back({m_session->Protect(m_held.front()), 0, true});
        m_held.pop_front();
    }
    Pump();
    if (!m_stream)
    {
        return;
    }
    const ByteVector early = std::move(m_early);
    m_early.clear();
    if (m_side == Side::SERVER)
    {
        m_rest.insert(m_rest.end(), early.begin(), early.end());
        TakeAtOnce();
        return;
    }
    if (!early.empty())
    {
        Take(early);
    }
    Read();
}

void
HostRecordConnection::PushSessionOutput()
{
    const ByteVector octets = m_session->TakeOutput();
    if (m_stream && !octets.empty() && m_records.empty())
    {
        // The buffer of the socket has room for a flight: nothing else is in it.
        [[maybe_unused]] const bool isSent =
            m_stream->SendUnit(ns3::Create<Packet>(octets.data(), octets.size()));
    }
}

bool
HostRecordConnection::CloseWithSession()
{
    if (!m_stream || !m_session || m_shaking)
    {
        return false;
    }
    switch (m_session->GetState())
    {
    case TlsSession::State::CLOSED:
        Fail(RpcTcpEnd::PEER_CLOSED);
        return true;
    case TlsSession::State::FAILED:
        PushSessionOutput();
        Fail(RpcTcpEnd::TLS_ALERT);
        return true;
    case TlsSession::State::HANDSHAKE:
    case TlsSession::State::OPEN:
        break;
    }
    return false;
}

void
HostRecordConnection::ReadLastAlert()
{
    while (m_session)
    {
        const Ptr<Packet> packet = m_stream->Receive();
        if (!packet)
        {
            return;
        }
        ByteVector octets(packet->GetSize());
        packet->CopyData(octets.data(), octets.size());
        [[maybe_unused]] const ByteVector plaintext = m_session->Receive(octets);
    }
}

void
HostRecordConnection::EndSession()
{
    m_handshakeTimer.Cancel();
    m_handshakeHold.reset();
    if (m_session)
    {
        if (m_shaking)
        {
            m_shaking = false;
            m_tls->NoteHandshake(*m_session, Simulator::Now() - m_handshakeBegin);
        }
        m_tls->AddSession(*m_session);
    }
}

void
HostRecordConnection::HandleReceive()
{
    const auto self = shared_from_this();
    if (m_shaking)
    {
        GoOnShakingHands();
        return;
    }
    if (m_side == Side::SERVER)
    {
        TakeAtOnce();
        return;
    }
    if (m_reading)
    {
        return;
    }
    const Time now = Simulator::Now();
    const Time wakeUp = m_cpu->GetWakeUp(m_reader, now, m_cpu->GetCosts().tcpWakeUp);
    if (wakeUp.IsZero())
    {
        Read();
        return;
    }
    m_reading = true;
    After(now + wakeUp, [](HostRecordConnection& woken) { woken.FinishReading(); });
}

void
HostRecordConnection::FinishReading()
{
    m_reading = false;
    if (!CloseWithSession())
    {
        Read();
    }
}

void
HostRecordConnection::Read()
{
    const auto self = shared_from_this();
    while (m_stream && !m_reading && !m_shaking)
    {
        const Ptr<Packet> packet = m_stream->Receive();
        if (!packet)
        {
            return;
        }
        ByteVector octets(packet->GetSize());
        packet->CopyData(octets.data(), octets.size());
        if (m_session)
        {
            const uint64_t before = m_session->GetStatistics().recordsReceived;
            const ByteVector plaintext = m_session->Receive(octets);
            Take(plaintext,
                 GetTlsCost(m_cpu->GetCosts().tlsReceiveCost,
                            octets.size(),
                            m_session->GetStatistics().recordsReceived - before));
        }
        else
        {
            Take(octets);
        }
        if (!m_reading)
        {
            CloseWithSession();
        }
    }
}

void
HostRecordConnection::Take(ByteSpan octets, Time tlsCost)
{
    const HostCosts& costs = m_cpu->GetCosts();
    const Time now = Simulator::Now();
    Time read =
        m_cpu->Run(m_reader, HostWork(GetOctetCost(costs.tcpReceiveCopy, octets.size()) + tlsCost));
    while (m_stream && !m_shaking)
    {
        auto taken = m_decoder.Take(octets);
        if (!taken)
        {
            Fail(RpcTcpEnd::RECORD_TOO_LONG);
            return;
        }
        if (!*taken)
        {
            break;
        }
        HostWork work(costs.tcpReadCost);
        work.Under(m_lock, costs.clientReceiveHold);
        read = m_cpu->Run(m_reader, read, work);
        if (read <= now)
        {
            m_events.record(std::move(**taken));
            continue;
        }
        After(read,
              [record = std::make_shared<ByteVector>(std::move(**taken))](
                  HostRecordConnection& self) { self.m_events.record(std::move(*record)); });
    }
    if (m_shaking && !octets.empty() && m_tls->NoteSpurious())
    {
        Fail(RpcTcpEnd::TLS_SPURIOUS);
        return;
    }
    if (m_stream && read > now)
    {
        m_reading = true;
        After(read, [](HostRecordConnection& self) { self.FinishReading(); });
    }
}

void
HostRecordConnection::StopReading()
{
    m_stopped = true;
}

void
HostRecordConnection::ResumeReading()
{
    m_stopped = false;
    const auto self = shared_from_this();
    TakeAtOnce();
}

void
HostRecordConnection::TakeAtOnce()
{
    while (m_stream && !m_stopped && !m_shaking)
    {
        if (m_rest.empty())
        {
            if (CloseWithSession())
            {
                return;
            }
            const Ptr<Packet> packet = m_stream->Receive();
            if (!packet)
            {
                return;
            }
            ByteVector octets(packet->GetSize());
            packet->CopyData(octets.data(), octets.size());
            m_rest = m_session ? m_session->Receive(octets) : std::move(octets);
            if (m_rest.empty())
            {
                continue;
            }
        }
        m_began = m_decoder.IsInside() ? m_began : Simulator::Now();
        ByteSpan rest(m_rest);
        auto taken = m_decoder.Take(rest);
        m_rest.erase(m_rest.begin(), m_rest.end() - static_cast<std::ptrdiff_t>(rest.size()));
        if (!taken)
        {
            Fail(RpcTcpEnd::RECORD_TOO_LONG);
        }
        else if (*taken)
        {
            m_arrival = m_began;
            m_events.record(std::move(**taken));
        }
    }
}

} // namespace ns3::nfsrdma
