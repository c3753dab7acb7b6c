/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/connection.h"

#include <algorithm>

// Full operation: FPDUs out and in.

namespace ns3::nfsrdma
{

bool
MpaConnection::CanSend() const
{
    const bool maySpeak = m_state == State::OPERATIONAL || m_state == State::OBSTRUCTED;
    return maySpeak && (m_initiator || m_fpduReceived) && !m_startup.HasPending() &&
           !m_readyToReceiveDue &&
           m_stream->GetTxAvailable() >= m_transmitter.WireSize(GetMulpdu());
}

uint32_t
MpaConnection::GetMulpdu() const
{
    if (!m_stream)
    {
        return m_mulpdu;
    }
    const uint32_t room = m_stream->GetUnitRoom();
    if (room >= m_emss)
    {
        return m_mulpdu;
    }
    const uint32_t fitting =
        m_transmitter.GetFraming().UlpduFitting(room - room % m_settings->GetEmssMultiple());
    return fitting >= Fpdu::MIN_MULPDU ? std::min(fitting, m_mulpdu) : m_mulpdu;
}

MutableByteSpan
MpaConnection::BeginUlpdu(uint32_t length)
{
    NS_ASSERT_MSG(length > 0 && length <= Fpdu::MAX_MULPDU, "ULPDU of " << length << " octets");
    return m_transmitter.Begin(length);
}

void
MpaConnection::CommitUlpdu()
{
    const ByteSpan fpdu = m_transmitter.Seal();
    const auto size = static_cast<uint32_t>(fpdu.size());
    if (m_stream && m_stream->SendUnit(Create<Packet>(fpdu.data(), size)))
    {
        m_transmitter.Advance(size);
        ++m_counters.txFpdus;
        m_counters.txOctets += size;
        m_fpduTx(m_transmitter.GetLentLength());
    }
}

void
MpaConnection::ReceiveFpdus()
{
    ProcessFpdus();
    UpdateReassembly();
}

void
MpaConnection::EnterFullOperation()
{
    const MpaStartup::Agreement& agreement = GetAgreement();
    m_transmitter.StartFullOperation({agreement.crc, agreement.sendMarkers});
    m_receiver.StartFullOperation({agreement.crc, agreement.receiveMarkers});
    UpdateMulpdu();
}

void
MpaConnection::SendReadyToReceive()
{
    const ByteSpan operation = GetReadyToReceiveUlpdu(GetAgreement().rtr);
    const auto size = static_cast<uint32_t>(operation.size());
    if (m_readyToReceiveDue && m_stream->GetTxAvailable() >= m_transmitter.WireSize(size))
    {
        m_readyToReceiveDue = false;
        const auto ulpdu = BeginUlpdu(size);
        std::copy(operation.begin(), operation.end(), ulpdu.begin());
        CommitUlpdu();
    }
}

void
MpaConnection::UpdateMulpdu()
{
    m_emss = m_stream->GetEmss();
    m_mulpdu = m_transmitter.GetFraming().Mulpdu(m_emss - m_emss % m_settings->GetEmssMultiple());
}

void
MpaConnection::HandleEmss()
{
    if (m_state == State::OPERATIONAL)
    {
        UpdateMulpdu();
        HandleSpace();
    }
}

void
MpaConnection::WatchSegments()
{
    m_watch.Start(m_settings->GetSegmentOptions(), m_receiver, *m_stream, [this](ByteSpan ulpdu) {
        return m_state == State::OPERATIONAL && !m_place.IsNull() && m_place(ulpdu);
    });
    if (m_watch.IsActive())
    {
        m_stream->SetSegmentCallback(MakeCallback(&MpaConnection::HandleSegment, this));
    }
}

bool
MpaConnection::HandleSegment(uint64_t offset, Ptr<const Packet> segment)
{
    const Ptr<MpaConnection> self(this);
    if (m_state != State::OPERATIONAL || m_deliveryStopped)
    {
        return true;
    }
    const bool taken = m_watch.LookAt(offset, *segment);
    if (const FpduAssembler::Statistics* seen = m_watch.GetStatistics())
    {
        m_counters.rxFpdusPlacedAhead = seen->placedFpdus;
        m_counters.duplicateOctets = seen->duplicateOctets;
        m_counters.droppedSegments = seen->droppedSegments;
        m_counters.refusedSegments = seen->refusedSegments;
    }
    UpdateReassembly();
    return taken;
}

void
MpaConnection::UpdateReassembly()
{
    if (m_state == State::OPERATIONAL && m_watch.IsActive())
    {
        const uint64_t octets = m_watch.GetHeldOctets(*m_stream);
        m_counters.peakReassemblyOctets = std::max(m_counters.peakReassemblyOctets, octets);
        m_reassemblyOctets = static_cast<uint32_t>(octets);
    }
}

void
MpaConnection::ProcessFpdus()
{
    while (m_state == State::OPERATIONAL && !m_deliveryStopped)
    {
        const auto fpdu = m_receiver.TakeFpdu();
        if (!fpdu)
        {
            FailReception(fpdu.error());
            return;
        }
        if (!*fpdu)
        {
            return;
        }
        DeliverUlpdu(**fpdu);
    }
}

void
MpaConnection::FailReception(MpaError error)
{
    ++(error == MpaError::CRC_MISMATCH ? m_counters.crcErrors : m_counters.markerErrors);
    m_deliveryStopped = true;
    m_receiver.Skip(m_receiver.Rest().size());
    if (!m_error.IsNull())
    {
        m_error(error);
    }
}

void
MpaConnection::DeliverUlpdu(const FpduReceiver::Received& fpdu)
{
    ++m_counters.rxFpdus;
    m_counters.rxOctets += fpdu.wireSize;
    m_fpduRx(static_cast<uint32_t>(fpdu.ulpdu.size()));
    const bool opensResponder = !m_initiator && !m_fpduReceived;
    m_fpduReceived = true;
    const ReadyToReceive rtr = GetAgreement().rtr;
    const bool readyToReceive =
        opensResponder && rtr != ReadyToReceive::READ && IsReadyToReceiveUlpdu(rtr, fpdu.ulpdu);
    if (!readyToReceive && !m_ulpdu.IsNull())
    {
        m_ulpdu(fpdu.ulpdu, fpdu.placed);
    }
    if (opensResponder && m_state == State::OPERATIONAL && !m_ready.IsNull())
    {
        m_ready();
    }
}

} // namespace ns3::nfsrdma
