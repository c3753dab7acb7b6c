/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_MPA_FULL_OPERATION_FIXTURE_H
#define NFSRDMA_TEST_MPA_FULL_OPERATION_FIXTURE_H

#include "mpa/connection.h"
#include "mpa/made-stream.h"
#include "mpa/reassembling-byte-stream.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <optional>

namespace ns3::nfsrdma
{

/// An initiator in full operation with CRCs, whose peer's FPDUs come in segments of any kind.
class FullOperationTest : public ::testing::Test
{
  protected:
    struct Delivery
    {
        ByteVector ulpdu;
        bool placed{false};

        bool operator==(const Delivery& other) const
        {
            return ulpdu == other.ulpdu && placed == other.placed;
        }
    };

    virtual void Configure()
    {
    }

    virtual bool OnPlace(ByteSpan ulpdu)
    {
        placed.emplace_back(ulpdu.begin(), ulpdu.end());
        return true;
    }

    virtual uint64_t GetStreamStart()
    {
        return 0;
    }

    void SetUp() override
    {
        connection = CreateObject<MpaConnection>();
        stream = CreateObject<ReassemblingByteStream>();
        stream->queue = ReceiveQueue(GetStreamStart());
        connection->GetSettings()->SetAttribute("Crc", BooleanValue(true));
        Configure();
        connection->GetCallbacks().ulpdu = MakeCallback(&FullOperationTest::HandleUlpdu, this);
        connection->GetCallbacks().place = MakeCallback(&FullOperationTest::HandlePlace, this);
        connection->GetCallbacks().error = MakeCallback(&FullOperationTest::HandleError, this);
        connection->GetCallbacks().ready = MakeCallback(&FullOperationTest::HandleReady, this);
        connection->TraceConnectWithoutContext(
            "ReassemblyOctets",
            MakeCallback(&FullOperationTest::HandleReassembly, this));
        connection->StartInitiator(stream, {});
        stream->Establish();
        MpaStartupFrame reply;
        reply.kind = MpaStartupFrame::Kind::REPLY;
        reply.crc = true;
        reply.markers = replyMarkers;
        const ByteVector octets = reply.Encode();
        first = GetStreamStart() + octets.size();
        stream->ArriveAt(GetStreamStart(), octets);
        ASSERT_EQ(connection->GetState(), MpaConnection::State::OPERATIONAL);
        stream->sent.clear();
        for (const std::size_t length : {60U, 90U, 110U, 54U})
        {
            made.AddPattern(length, static_cast<uint8_t>(made.starts.size()));
        }
    }

    void TearDown() override
    {
        connection = nullptr;
        stream = nullptr;
        Simulator::Destroy();
    }

    bool Arrive(uint64_t begin, uint64_t end)
    {
        return stream->ArriveAt(first + begin, made.Cut(begin, end));
    }

    bool ArriveFpdu(std::size_t fpdu)
    {
        return Arrive(made.starts[fpdu], made.EndOf(fpdu));
    }

    bool ArriveDamaged(std::size_t fpdu)
    {
        const ByteSpan cut = made.Cut(made.starts[fpdu], made.EndOf(fpdu));
        ByteVector octets(cut.begin(), cut.end());
        octets[10] ^= 0x10;
        return stream->ArriveAt(first + made.starts[fpdu], octets);
    }

    void Send(std::size_t length)
    {
        const auto lent = connection->BeginUlpdu(static_cast<uint32_t>(length));
        std::fill(lent.begin(), lent.end(), uint8_t{0x33});
        connection->CommitUlpdu();
    }

    /// What \p fpdus deliver when \p ahead of them have been placed.
    std::vector<Delivery> Deliveries(const std::vector<std::size_t>& fpdus,
                                     const std::vector<std::size_t>& ahead) const
    {
        std::vector<Delivery> deliveries;
        for (const std::size_t fpdu : fpdus)
        {
            const bool before = std::find(ahead.begin(), ahead.end(), fpdu) != ahead.end();
            deliveries.push_back({made.ulpdus[fpdu], before});
        }
        return deliveries;
    }

    void HandleUlpdu(ByteSpan ulpdu, bool wasPlaced)
    {
        delivered.push_back({ByteVector(ulpdu.begin(), ulpdu.end()), wasPlaced});
    }

    bool HandlePlace(ByteSpan ulpdu)
    {
        return OnPlace(ulpdu);
    }

    void HandleError(MpaError e)
    {
        errors.push_back(e);
    }

    void HandleReady()
    {
        ++readyCalls;
    }

    void HandleReassembly(uint32_t /*before*/, uint32_t now)
    {
        reassembly.push_back(now);
    }

    Ptr<MpaConnection> connection;
    Ptr<ReassemblingByteStream> stream;
    MadeStream made{FpduFraming{true, false}};
    bool replyMarkers{false}; ///< The peer wants markers.
    uint64_t first{0};        ///< Offset of the first FPDU.
    std::vector<Delivery> delivered;
    std::vector<ByteVector> placed;
    std::vector<MpaError> errors;
    std::vector<uint32_t> reassembly;
    int readyCalls{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_MPA_FULL_OPERATION_FIXTURE_H
