/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "mpa/connection.h"
#include "mpa/reassembling-byte-stream.h"
#include "wire/byte-reader.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

namespace
{

/// The owner of one connection; checks what it is told against what may be told.
class CheckingOwner
{
  public:
    explicit CheckingOwner(ByteReader& steps)
        : m_steps(steps)
    {
        m_connection = CreateObject<MpaConnection>();
        m_stream = CreateObject<ReassemblingByteStream>();
        const uint16_t choice = steps.ReadU16();
        const char* const switches[] = {"Crc",
                                        "PeerToPeer",
                                        "OutOfOrderPlacement",
                                        "DropBadSegments",
                                        "CountReassembly",
                                        "Markers",
                                        "PlaceByAlignment"};
        for (std::size_t i = 0; i < std::size(switches); ++i)
        {
            m_connection->GetSettings()->SetAttributeFailSafe(switches[i],
                                                              BooleanValue((choice >> i & 1) != 0));
        }
        m_connection->GetSettings()->SetAttribute("Revision",
                                                  UintegerValue((choice & 0x100) != 0 ? 1 : 2));
        if ((choice & 0x200) != 0)
        {
            m_connection->GetSettings()->SetAttribute("ReassemblyLimit", UintegerValue(0));
        }
        m_stream->queue.laterWins = (choice & 0x400) != 0;
        m_refusesPlacing = (choice & 0x800) != 0;
        m_rejects = (choice & 0x1000) != 0;
        m_connection->GetCallbacks().request = MakeCallback(&CheckingOwner::HandleRequest, this);
        m_connection->GetCallbacks().operational =
            MakeCallback(&CheckingOwner::HandleOperational, this);
        m_connection->GetCallbacks().rejected = MakeCallback(&CheckingOwner::HandleRejected, this);
        m_connection->GetCallbacks().ulpdu = MakeCallback(&CheckingOwner::HandleUlpdu, this);
        m_connection->GetCallbacks().place = MakeCallback(&CheckingOwner::HandlePlace, this);
        m_connection->GetCallbacks().ready = MakeCallback(&CheckingOwner::HandleReady, this);
        m_connection->GetCallbacks().error = MakeCallback(&CheckingOwner::HandleError, this);
        m_connection->GetCallbacks().closed = MakeCallback(&CheckingOwner::HandleClosed, this);
        m_initiator = (choice & 0x2000) != 0;
        if (m_initiator)
        {
            m_connection->StartInitiator(m_stream, {2, 2, {}});
            m_stream->Establish();
        }
        else
        {
            m_stream->connected = true;
            m_connection->StartResponder(m_stream);
        }
    }

    void Run()
    {
        while (m_steps.Ok() && m_steps.Remaining() != 0 && !m_stream->closed && !m_stream->aborted)
        {
            Step(m_steps.ReadU8());
            CheckState();
        }
        m_connection->Dispose();
    }

  private:
    void Step(uint8_t step)
    {
        switch (step >> 4)
        {
        case 0:
        case 1:
        case 2:
            ArriveInOrder(m_steps.ReadBytes(std::min<std::size_t>(step, m_steps.Remaining())));
            break;
        case 3:
        case 4:
            Arrive(m_sent, m_steps.ReadU8(), step & 0x0f);
            break;
        case 5:
        case 6:
        case 7:
        case 8:
            m_sent = Join(m_sent, MakeFpdu(step & 0x3f));
            break;
        case 9:
            ArriveInOrder(MakeStartupFrame(m_steps.ReadU8()));
            break;
        case 10:
        case 11:
            Send(step & 0x1f);
            break;
        case 12:
            m_stream->emss = 40U + m_steps.ReadU16() % 9000;
            m_stream->ChangeEmss(m_stream->emss);
            break;
        case 13:
            m_stream->unitRoom = m_steps.ReadU16() % (m_stream->emss + 1);
            break;
        case 14:
            Simulator::Stop(MilliSeconds(m_steps.ReadU8()));
            Simulator::Run();
            break;
        default:
            Leave(step & 0x0f);
            break;
        }
    }

    static ByteVector Join(ByteSpan a, ByteSpan b)
    {
        ByteVector joined(a.begin(), a.end());
        joined.insert(joined.end(), b.begin(), b.end());
        return joined;
    }

    void ArriveInOrder(ByteSpan octets)
    {
        if (!octets.empty() && m_stream->ArriveAt(m_received, octets))
        {
            m_received += octets.size();
        }
    }

    /// Part of the octets made so far arrives: \p skip times four from where it should go on, or
    /// all that is missing when \p length is zero.
    void Arrive(const ByteVector& octets, uint8_t skip, uint8_t length)
    {
        const uint64_t done = m_stream->GetReceivedOctets() - m_received;
        if (m_stream->GetReceivedOctets() < m_received || done > octets.size())
        {
            return;
        }
        const uint64_t begin =
            length == 0 ? 0 : std::min<uint64_t>(done + skip * 4U, octets.size());
        const uint64_t end =
            length == 0 ? octets.size() : std::min<uint64_t>(begin + length * 16U, octets.size());
        if (begin < end)
        {
            m_stream->ArriveAt(m_received + begin, ByteSpan(octets).subspan(begin, end - begin));
        }
    }

    ByteVector MakeFpdu(std::size_t length)
    {
        const ByteSpan ulpdu = m_steps.ReadBytes(std::min(length, m_steps.Remaining()));
        const MpaStartup::Agreement& agreement = m_connection->GetAgreement();
        if (ulpdu.empty())
        {
            return {};
        }
        return agreement.receiveMarkers ? MarkedFpdu::Encode(ulpdu, m_sent.size(), agreement.crc)
                                        : Fpdu::Encode(ulpdu, agreement.crc);
    }

    ByteVector MakeStartupFrame(uint8_t choice) const
    {
        MpaStartupFrame frame;
        frame.kind = m_initiator != ((choice & 0x80) != 0) ? MpaStartupFrame::Kind::REPLY
                                                           : MpaStartupFrame::Kind::REQUEST;
        frame.markers = (choice & 1) != 0;
        frame.crc = (choice & 2) != 0;
        frame.rejected = (choice & 4) != 0;
        frame.revision = choice >> 4 & 3;
        if ((choice & 8) != 0)
        {
            MpaEnhancedBlock block;
            block.ird = 2;
            block.ord = 2;
            block.peerToPeer = (choice & 0x40) != 0;
            block.rtrWrite = block.peerToPeer;
            frame.SetEnhancedPrivateData(block, {});
        }
        return frame.Encode();
    }

    void Send(uint8_t length)
    {
        if (!m_connection->CanSend())
        {
            return;
        }
        FuzzExpect(m_connection->GetState() == MpaConnection::State::OPERATIONAL);
        const uint32_t octets = length == 0 ? m_connection->GetMulpdu() : length;
        const auto units = m_stream->sent.size();
        const MutableByteSpan ulpdu = m_connection->BeginUlpdu(octets);
        FuzzExpect(ulpdu.size() == octets);
        std::fill(ulpdu.begin(), ulpdu.end(), uint8_t{0x77});
        m_connection->CommitUlpdu();
        FuzzExpect(m_stream->sent.size() == units + 1);
        const MpaStartup::Agreement& agreement = m_connection->GetAgreement();
        const FpduFraming framing{agreement.crc, agreement.sendMarkers};
        ByteVector fpdu = m_stream->sent.back();
        const uint64_t position = m_connection->GetCounters().txOctets - fpdu.size();
        const auto opened = framing.Open(fpdu, position);
        FuzzExpect(opened && opened->size() == octets);
    }

    void Leave(uint8_t how)
    {
        switch (how)
        {
        case 0:
            m_connection->Close();
            break;
        case 1:
            m_connection->Abort();
            break;
        case 2:
            m_stream->End(StreamEnd::GRACEFUL);
            break;
        case 3:
            m_stream->End(StreamEnd::RESET);
            break;
        default:
            m_stream->MakeRoom(how);
            break;
        }
    }

    void CheckState()
    {
        const uint32_t mulpdu = m_connection->GetMulpdu();
        FuzzExpect(mulpdu >= Fpdu::MIN_MULPDU && mulpdu <= Fpdu::MAX_MULPDU);
        const MpaConnection::Counters& counters = m_connection->GetCounters();
        FuzzExpect(counters.rxFpdus >= m_delivered);
        FuzzExpect(counters.rxFpdusPlacedAhead == m_placed);
        FuzzExpect(counters.crcErrors + counters.markerErrors <= 1);
        FuzzExpect(m_deliveredAsPlaced <= m_placed);
    }

    void HandleRequest(const MpaStartupParameters& /*peer*/)
    {
        FuzzExpect(!m_initiator && !m_operational);
        if (m_rejects)
        {
            m_connection->Reject({});
        }
        else
        {
            m_connection->Accept({2, 2, {}});
        }
    }

    void HandleOperational(const MpaStartupParameters& /*agreed*/)
    {
        FuzzExpect(!m_operational && !m_over);
        m_operational = true;
    }

    void HandleRejected(ByteSpan /*privateData*/)
    {
        FuzzExpect(m_initiator && !m_operational && !m_over);
        m_over = true;
    }

    void HandleUlpdu(ByteSpan /*ulpdu*/, bool placed)
    {
        FuzzExpect(m_operational && !m_over);
        ++m_delivered;
        m_deliveredAsPlaced += placed ? 1 : 0;
    }

    bool HandlePlace(ByteSpan ulpdu)
    {
        FuzzExpect(m_operational && !m_over && !ulpdu.empty());
        m_placed += m_refusesPlacing ? 0 : 1;
        return !m_refusesPlacing;
    }

    void HandleReady()
    {
        FuzzExpect(m_operational);
    }

    void HandleError(MpaError error)
    {
        const bool again = m_over && error != MpaError::LLP_LOST;
        FuzzExpect(!again);
        const bool streamStands =
            error == MpaError::CRC_MISMATCH || error == MpaError::MARKER_MISMATCH;
        FuzzExpect(!streamStands || (m_operational && !m_stream->closed && !m_stream->aborted));
        m_over = true;
    }

    void HandleClosed()
    {
        m_over = true;
    }

    ByteReader& m_steps;
    Ptr<MpaConnection> m_connection;
    Ptr<ReassemblingByteStream> m_stream;
    ByteVector m_sent;      ///< FPDUs made by the peer.
    uint64_t m_received{0}; ///< Octets that came in order by themselves.
    bool m_initiator{false};
    bool m_rejects{false};
    bool m_refusesPlacing{false};
    bool m_operational{false};
    bool m_over{false};
    uint64_t m_delivered{0};
    uint64_t m_deliveredAsPlaced{0};
    uint64_t m_placed{0};
};

} // namespace

/// Input: two octets of attributes and role, then steps: octets that arrive, FPDUs and startup
/// frames of a peer in any part and order, sends, changes of the stream, time, ends.
void
FuzzOne(ByteSpan input)
{
    ByteReader steps(input);
    CheckingOwner owner(steps);
    owner.Run();
    Simulator::Destroy();
}

} // namespace ns3::nfsrdma
