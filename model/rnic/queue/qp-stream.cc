/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/queue/qp-stream.h"

#include "mpa/fpdu.h"
#include "rnic/hardware/device.h"
#include "rnic/queue/qp.h"
#include "wire/ns3-version.h"

#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

QueuePairStream::QueuePairStream(QueuePair& pair)
    : m_pair(pair)
{
}

QueuePairStream::~QueuePairStream()
{
    m_end.Cancel();
}

void
QueuePairStream::Open(Ptr<MpaConnection> connection,
                      QueuePairReceiver& receiver,
                      const RdmapStreamOptions& options)
{
    m_connection = connection;
    m_receiver = &receiver;
    m_stream = std::make_unique<RdmapStream>(*m_connection, receiver, options);
    m_connection->GetCallbacks().room = MakeCallback(&QueuePairStream::HandleRoom, this);
    m_connection->GetCallbacks().place = MakeCallback(&QueuePairStream::HandleUnordered, this);
    m_connection->GetCallbacks().ulpdu = MakeCallback(&QueuePairStream::HandleUlpdu, this);
    m_connection->GetCallbacks().ready = MakeCallback(&QueuePairStream::HandleReady, this);
    m_connection->GetCallbacks().error = MakeCallback(&QueuePairStream::HandleError, this);
    m_connection->GetCallbacks().closed = MakeCallback(&QueuePairStream::HandleClosed, this);
    m_account = m_pair.GetMemoryAccount();
    const auto tcp = m_connection->GetStream();
    if (m_account != 0 && tcp)
    {
        m_memory = m_pair.GetDevice().GetHostMemory();
        tcp->GetCallbacks().buffers = MakeCallback(&QueuePairStream::ChargeBuffers, this);
        ChargeBuffers(tcp->GetHeldOctets(), tcp->GetWaitingOctets());
    }
}

bool
QueuePairStream::IsMute() const
{
    return !m_connection->CanSend() && m_connection->GetCounters().rxFpdus == 0;
}

void
QueuePairStream::ScheduleEnd(Ending ending)
{
    if (m_connection && !IsPending(m_end))
    {
        m_end = Simulator::ScheduleNow(&QueuePairStream::End, this, ending);
    }
}

void
QueuePairStream::End(Ending ending)
{
    m_end.Cancel();
    if (!m_connection)
    {
        return;
    }
    const Ptr<QueuePair> self(&m_pair);
    const Ptr<MpaConnection> connection = m_connection;
    m_pair.GetTransmitter().Stop();
    Release();
    if (ending == Ending::CLOSE)
    {
        connection->Close();
    }
    else
    {
        connection->Abort();
    }
    m_pair.ConnectionEnded();
}

void
QueuePairStream::Release()
{
    m_connection->GetCallbacks() = {};
    m_pair.GetDevice().GetReceiveBuffer().Remove(*this);
    m_stream.reset();
    m_streamEnd = m_connection->GetStreamEnd();
    if (const auto tcp = m_connection->GetStream())
    {
        tcp->GetCallbacks().buffers = {};
    }
    ChargeBuffers(0, 0);
    m_memory = nullptr;
    m_connection = nullptr;
}

void
QueuePairStream::Dispose()
{
    m_end.Cancel();
    m_stream.reset();
    if (m_connection)
    {
        m_pair.GetDevice().GetReceiveBuffer().Remove(*this);
        m_connection->Dispose();
        m_connection = nullptr;
    }
    ChargeBuffers(0, 0);
    m_memory = nullptr;
}

void
QueuePairStream::RoomMade()
{
    const Ptr<MpaConnection> connection = m_connection;
    connection->Resume();
}

uint32_t
QueuePairStream::HandleRoom(uint32_t needed)
{
    return m_pair.GetDevice().GetReceiveBuffer().GetRoom(*this, needed);
}

void
QueuePairStream::HandleUlpdu(ByteSpan ulpdu, bool placed)
{
    if (m_pair.GetState() != QueuePairState::RTS)
    {
        return;
    }
    const Ptr<QueuePair> self(&m_pair);
    ReceiveBuffer& buffer = m_pair.GetDevice().GetReceiveBuffer();
    if (!placed)
    {
        m_receiver->Receive(ulpdu.size());
    }
    const auto size = static_cast<uint32_t>(Fpdu::WireSize(ulpdu.size()));
    m_stream->ReceiveUlpdu(ulpdu, placed);
    if (!placed)
    {
        buffer.Take(size, m_receiver->GetProgress().done);
    }
}

bool
QueuePairStream::HandleUnordered(ByteSpan ulpdu)
{
    const auto size = static_cast<uint32_t>(Fpdu::WireSize(ulpdu.size()));
    ReceiveBuffer& buffer = m_pair.GetDevice().GetReceiveBuffer();
    const bool placed = m_pair.GetState() == QueuePairState::RTS && buffer.HasSpareRoom(size) &&
                        m_receiver->PlaceAhead(*m_stream, ulpdu);
    if (placed)
    {
        m_pair.GetDevice().Counters().placedAhead++;
        buffer.Take(size, m_receiver->GetProgress().done);
    }
    return placed;
}

void
QueuePairStream::HandleReady()
{
    m_pair.ConnectionReady();
}

void
QueuePairStream::HandleError(MpaError error)
{
    const bool connectionStands =
        error == MpaError::CRC_MISMATCH || error == MpaError::MARKER_MISMATCH;
    if (connectionStands && m_pair.GetState() == QueuePairState::RTS)
    {
        TerminateMessage message;
        message.reason = TerminateReason::From(error);
        m_stream->Fail(message);
        return;
    }
    m_pair.ConnectionLost();
    ScheduleEnd(Ending::ABORT);
}

void
QueuePairStream::HandleClosed()
{
    m_pair.ConnectionLost();
    ScheduleEnd(Ending::CLOSE);
}

void
QueuePairStream::ChargeBuffers(uint64_t held, uint64_t waiting)
{
    const auto charge = [this](HostMemoryCharge what, uint64_t& before, uint64_t now) {
        if (m_memory && now != before)
        {
            m_memory->Charge(m_account,
                             what,
                             now > before ? now - before : 0,
                             before > now ? before - now : 0);
            before = now;
        }
    };
    charge(HostMemoryCharge::TCP_SEND, m_held, held);
    charge(HostMemoryCharge::TCP_RECEIVE, m_waiting, waiting);
}

} // namespace ns3::nfsrdma
