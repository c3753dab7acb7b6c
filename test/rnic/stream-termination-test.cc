/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/rnic-fixture.h"
#include "wire/hex-bytes.h"

#include "ns3/boolean.h"

#include <algorithm>
#include <gmock/gmock.h>

namespace ns3::nfsrdma
{

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

/// What the detecting side (the server) and the other side see of the end of a stream, in order.
class StreamTermination : public RnicTest
{
  protected:
    using Log = std::vector<std::string>;

    void SetUp() override
    {
        RnicTest::SetUp();
        Connect();
        OpenResponder();
        Watch(m_client, m_clientLog);
        Watch(m_server, m_serverLog);
    }

    static void Watch(RnicHost& host, Log& log)
    {
        host.pair->TraceConnectWithoutContext("State",
                                              Callback<void, QueuePairState, QueuePairState>(
                                                  [&log](QueuePairState, QueuePairState after) {
                                                      log.emplace_back(ToString(after));
                                                  }));
        host.pair->TraceConnectWithoutContext(
            "TerminateSent",
            Callback<void, const TerminateMessage&>([&log](const TerminateMessage& message) {
                log.push_back("sends " + message.reason.ToString().substr(0, 6));
            }));
        host.pair->TraceConnectWithoutContext(
            "TerminateReceived",
            Callback<void, const TerminateMessage&>([&log](const TerminateMessage& message) {
                log.push_back("hears " + message.reason.ToString().substr(0, 6));
            }));
        host.pair->TraceConnectWithoutContext(
            "AsyncEvent",
            Callback<void, AsyncEventType, uint32_t>(
                [&log](AsyncEventType type, uint32_t) { log.emplace_back(ToString(type)); }));
        for (const auto& queue : {host.sendCompletions, host.receiveCompletions})
        {
            queue->TraceConnectWithoutContext(
                "Completion",
                Callback<void, const WorkCompletion&>([&log](const WorkCompletion& completion) {
                    log.push_back(std::to_string(completion.id) + " " +
                                  ToString(completion.status));
                }));
        }
        host.id->SetEventCallback(
            Callback<void, Ptr<CmId>, const CmEvent&>([&log](Ptr<CmId>, const CmEvent& event) {
                log.emplace_back(event.type == CmEventType::DISCONNECTED ? "DISCONNECTED" : "?");
            }));
    }

    Log m_clientLog;
    Log m_serverLog;
};

TEST_F(StreamTermination, AWriteRefused)
{
    PostReceive(m_client, 21, Keep(m_client.Room(8)));
    PostReceive(m_server, 31, Keep(m_server.Room(8)));
    PostReceive(m_server, 32, Keep(m_server.Room(8)));
    const HostBuffer source = m_client.Fill(Pattern(100));
    m_clientLog.clear();
    PostSend(m_client, Write(1, source, 0x12345678, 0));
    Run();
    EXPECT_THAT(m_serverLog,
                ElementsAre("TERMINATE",
                            "sends 1/1/00",
                            "QP_ACCESS_ERR",
                            "31 WR_FLUSH_ERR",
                            "32 WR_FLUSH_ERR",
                            "ERROR",
                            "DISCONNECTED"));
    // The Write was complete when TCP had it. Only its entry is written later, since the link is
    // shorter than the bus.
    const auto write = std::find(m_clientLog.begin(), m_clientLog.end(), "1 SUCCESS");
    ASSERT_NE(write, m_clientLog.end());
    m_clientLog.erase(write);
    EXPECT_THAT(m_clientLog,
                ElementsAre("hears 1/1/00",
                            "TERMINATE",
                            "QP_FATAL",
                            "21 WR_FLUSH_ERR",
                            "ERROR",
                            "DISCONNECTED"));
}

TEST_F(StreamTermination, AReadRefused)
{
    const HostBuffer sink = m_client.Room(100);
    const auto local = RegisterNow(m_client, sink, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE);
    m_clientLog.clear();
    PostReceive(m_client, 21, Keep(m_client.Room(8)));
    PostReceive(m_server, 31, Keep(m_server.Room(8)));
    ASSERT_TRUE(m_client.pair->PostSend(
        std::vector<SendWorkRequest>{Read(1, *local, 100, 0x12345678, 0), Invalidate(2, 5)}));
    Run();
    EXPECT_THAT(m_serverLog,
                ElementsAre("TERMINATE",
                            "sends 0/1/00",
                            "QP_REQ_ERR",
                            "31 WR_FLUSH_ERR",
                            "ERROR",
                            "DISCONNECTED"));
    EXPECT_THAT(m_clientLog,
                ElementsAre("hears 0/1/00",
                            "TERMINATE",
                            "QP_FATAL",
                            "1 REM_ACCESS_ERR",
                            "2 WR_FLUSH_ERR",
                            "21 WR_FLUSH_ERR",
                            "ERROR",
                            "DISCONNECTED"));
}

/// How a stream ends by a segment that no sender here would send.
struct BadSegment
{
    const char* name;
    std::vector<const char*> ulpdus; ///< As the server's stream gets them; the last is at fault.
    const char* reason;
    const char* event;
};

class BadSegments : public StreamTermination, public ::testing::WithParamInterface<BadSegment>
{
  protected:
    CmConnectionParameters GetParameters(const RnicHost& /* host */) override
    {
        return {{}, 1, 1};
    }
};

TEST_P(BadSegments, EndBothSides)
{
    PostReceive(m_client, 21, Keep(m_client.Room(8)));
    PostReceive(m_server, 31, Keep(m_server.Room(8)));
    m_clientLog.clear();
    for (const char* ulpdu : GetParam().ulpdus)
    {
        m_server.pair->GetStream()->ReceiveUlpdu(HexBytes(ulpdu));
    }
    Run();
    EXPECT_THAT(m_serverLog,
                ElementsAre("TERMINATE",
                            std::string("sends ") + GetParam().reason,
                            GetParam().event,
                            "31 WR_FLUSH_ERR",
                            "ERROR",
                            "DISCONNECTED"));
    EXPECT_THAT(m_clientLog,
                ElementsAre(std::string("hears ") + GetParam().reason,
                            "TERMINATE",
                            "QP_FATAL",
                            "21 WR_FLUSH_ERR",
                            "ERROR",
                            "DISCONNECTED"));
}

const char* const READ_ZERO_1 = "4141 00000000 00000001 00000001 00000000"
                                "00000001 0000000000000000 00000000 00000001 0000000000000000";
const char* const READ_ZERO_2 = "4141 00000000 00000001 00000002 00000000"
                                "00000001 0000000000000000 00000000 00000001 0000000000000000";

INSTANTIATE_TEST_SUITE_P(
    Segments,
    BadSegments,
    ::testing::Values(
        BadSegment{"DdpVersion", {"c040 00000001 0000000000000000"}, "1/1/04", "QP_ACCESS_ERR"},
        BadSegment{"RdmapVersion", {"c100 00000001 0000000000000000"}, "0/2/05", "QP_REQ_ERR"},
        BadSegment{"Opcode", {"c14f 00000001 0000000000000000"}, "0/2/06", "QP_REQ_ERR"},
        BadSegment{"Queue",
                   {"4143 00000000 00000007 00000002 00000000"},
                   "1/2/01",
                   "QP_ACCESS_ERR"},
        BadSegment{"Msn", {"4143 00000000 00000000 00000001 00000000"}, "1/2/03", "QP_ACCESS_ERR"},
        BadSegment{"Mo", {"4143 00000000 00000000 00000002 00000001"}, "1/2/04", "QP_ACCESS_ERR"},
        BadSegment{"ReadRequestBeyondIrd", {READ_ZERO_1, READ_ZERO_2}, "1/2/02", "QP_ACCESS_ERR"},
        BadSegment{"ReadResponseToNoRead",
                   {"c142 00000001 0000000000000000"},
                   "0/2/06",
                   "QP_REQ_ERR"},
        BadSegment{"TooShort", {"c1"}, "0/2/07", "QP_REQ_ERR"}),
    [](const auto& segment) { return std::string(segment.param.name); });

TEST_F(StreamTermination, ACrcErrorToldByMpa)
{
    PostReceive(m_client, 21, Keep(m_client.Room(8)));
    PostReceive(m_server, 31, Keep(m_server.Room(8)));
    m_clientLog.clear();
    TerminateMessage message;
    message.reason = TerminateReason::From(MpaError::CRC_MISMATCH);
    m_server.pair->GetStream()->Fail(message);
    Run();
    EXPECT_THAT(m_serverLog,
                ElementsAre("TERMINATE",
                            "sends 2/0/02",
                            "QP_FATAL",
                            "31 WR_FLUSH_ERR",
                            "ERROR",
                            "DISCONNECTED"));
    EXPECT_THAT(m_clientLog,
                ElementsAre("hears 2/0/02",
                            "TERMINATE",
                            "QP_FATAL",
                            "21 WR_FLUSH_ERR",
                            "ERROR",
                            "DISCONNECTED"));
}

/// The server asks for markers; the client's are wrong, below its RDMAP stream.
class WrongMarkers : public StreamTermination
{
  protected:
    void ConfigureDevice(RnicHost& host) override
    {
        host.device->GetMpaSettings()->SetAttribute("Markers", BooleanValue(&host == &m_server));
        host.device->GetMpaSettings()->SetAttribute("Crc", BooleanValue(false));
    }
};

TEST_F(WrongMarkers, EndBothSides)
{
    PostReceive(m_client, 21, Keep(m_client.Room(8)));
    PostReceive(m_server, 31, Keep(m_server.Room(8)));
    m_clientLog.clear();
    // A ULPDU of 0x0230 octets spans the marker at octet 512, which is zero: it points nowhere.
    ByteVector octets(700);
    octets[0] = 0x02;
    octets[1] = 0x30;
    ASSERT_TRUE(m_client.pair->GetConnection().GetStream()->SendUnit(
        Create<Packet>(octets.data(), static_cast<uint32_t>(octets.size()))));
    Run();
    EXPECT_EQ(m_server.device->GetCounters().terminatesSent, 1U);
    EXPECT_THAT(m_serverLog,
                ElementsAre("TERMINATE",
                            "sends 2/0/03",
                            "QP_FATAL",
                            "31 WR_FLUSH_ERR",
                            "ERROR",
                            "DISCONNECTED"));
    EXPECT_THAT(m_clientLog,
                ElementsAre("hears 2/0/03",
                            "TERMINATE",
                            "QP_FATAL",
                            "21 WR_FLUSH_ERR",
                            "ERROR",
                            "DISCONNECTED"));
}

TEST_F(StreamTermination, ATerminateIsNotAnsweredByAnother)
{
    m_server.pair->GetStream()->ReceiveUlpdu(
        HexBytes("4147 00000000 00000002 00000001 00000000 20020000"));
    Run();
    EXPECT_THAT(m_server.terminatesReceived, ElementsAre(StartsWith("2/0/02")));
    EXPECT_THAT(m_server.terminatesSent, IsEmpty());
    EXPECT_THAT(m_client.terminatesReceived, IsEmpty());
    EXPECT_EQ(m_client.pair->GetState(), QueuePairState::ERROR);
}

TEST_F(StreamTermination, AConnectionLostWithoutTerminate)
{
    PostReceive(m_client, 21, Keep(m_client.Room(8)));
    PostReceive(m_server, 31, Keep(m_server.Room(8)));
    ASSERT_TRUE(m_server.device->Destroy(m_server.pair));
    m_clientLog.clear();
    Run();
    EXPECT_THAT(m_clientLog, ElementsAre("ERROR", "21 WR_FLUSH_ERR", "DISCONNECTED"));
    EXPECT_THAT(m_client.terminatesReceived, IsEmpty());
}

TEST_F(StreamTermination, AGracefulEndFlushesReceives)
{
    PostReceive(m_client, 21, Keep(m_client.Room(8)));
    m_clientLog.clear();
    m_client.pair->Disconnect();
    Run();
    ASSERT_FALSE(m_clientLog.empty());
    EXPECT_EQ(m_clientLog.front(), "CLOSING");
    EXPECT_THAT(m_client.ReceivedStatuses(), ElementsAre(Status::WR_FLUSH_ERR));
    EXPECT_THAT(m_client.terminatesSent, IsEmpty());
    EXPECT_THAT(m_client.asyncEvents, ElementsAre(AsyncEventType::SQ_DRAINED));
    EXPECT_THAT(m_server.asyncEvents, IsEmpty());
    EXPECT_EQ(m_client.pair->GetState(), QueuePairState::ERROR);
    EXPECT_EQ(m_server.pair->GetState(), QueuePairState::ERROR);
}

} // namespace ns3::nfsrdma
