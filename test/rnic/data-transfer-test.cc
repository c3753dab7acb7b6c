/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/rnic-fixture.h"

#include "ns3/uinteger.h"

#include <gmock/gmock.h>

namespace ns3::nfsrdma
{

using ::testing::Each;
using ::testing::ElementsAre;

class DataTransfer : public RnicTest
{
};

TEST_F(DataTransfer, SendArrivesWithLengthAndContents)
{
    Connect();
    const HostBuffer room = m_server.Room(256);
    const HostBuffer message = m_client.Fill(Pattern(100));
    PostReceive(m_server, 7, room);
    PostSend(m_client, Send(3, message));
    Run();
    ASSERT_EQ(m_server.received.size(), 1U);
    EXPECT_EQ(m_server.received[0].id, 7U);
    EXPECT_EQ(m_server.received[0].status, Status::SUCCESS);
    EXPECT_EQ(m_server.received[0].opcode, WorkCompletionOpcode::RECEIVE);
    EXPECT_EQ(m_server.received[0].length, 100U);
    EXPECT_FALSE(m_server.received[0].withInvalidate);
    EXPECT_EQ(m_server.received[0].queuePairNumber, m_server.pair->GetNumber());
    ASSERT_EQ(m_client.sent.size(), 1U);
    EXPECT_EQ(m_client.sent[0].id, 3U);
    EXPECT_EQ(m_client.sent[0].opcode, WorkCompletionOpcode::SEND);
    ByteVector octets(100);
    room.Read(0, octets);
    EXPECT_EQ(octets, Pattern(100));
}

class PingPong : public DataTransfer
{
  protected:
    static constexpr uint64_t ROUNDS = 50;

    void Completed(RnicHost& host, const WorkCompletion& completion) override
    {
        if (completion.opcode != WorkCompletionOpcode::RECEIVE)
        {
            return;
        }
        const bool atServer = &host == &m_server;
        const HostBuffer& buffer = atServer ? m_serverBuffer : m_clientBuffer;
        if (atServer || completion.id + 1 < ROUNDS)
        {
            PostReceive(host, completion.id + 1, buffer);
            PostSend(host, Send(completion.id, buffer));
        }
    }

    HostBuffer m_clientBuffer;
    HostBuffer m_serverBuffer;
};

TEST_F(PingPong, EveryMessageComesBack)
{
    Connect();
    m_clientBuffer = m_client.Fill(Pattern(64));
    m_serverBuffer = m_server.Room(64);
    PostReceive(m_client, 0, m_clientBuffer);
    PostReceive(m_server, 0, m_serverBuffer);
    PostSend(m_client, Send(1000, m_clientBuffer));
    Run();
    EXPECT_EQ(m_client.received.size(), ROUNDS);
    EXPECT_EQ(m_server.received.size(), ROUNDS);
    EXPECT_THAT(m_client.ReceivedStatuses(), Each(Status::SUCCESS));
    EXPECT_EQ(m_client.Octets(m_clientBuffer), Pattern(64));
}

TEST_F(DataTransfer, SendGathersAndScattersOverElements)
{
    Connect();
    const ByteVector octets = Pattern(9000);
    const HostBuffer first = m_client.Fill(ByteVector(octets.begin(), octets.begin() + 5));
    const HostBuffer second = m_client.Fill(ByteVector(octets.begin() + 5, octets.begin() + 4101));
    const HostBuffer third = m_client.Fill(ByteVector(octets.begin() + 4101, octets.end()));
    SendWorkRequest request = Send(1, first);
    request.elements = {Element(first), Element(second), Element(third)};
    const HostBuffer head = m_server.Room(3000);
    const HostBuffer tail = m_server.Room(7000);
    ReceiveWorkRequest receive;
    receive.elements = {Element(head), Element(tail)};
    ASSERT_TRUE(m_server.pair->PostReceive(receive));
    PostSend(m_client, request);
    Run();
    ASSERT_EQ(m_server.received.size(), 1U);
    EXPECT_EQ(m_server.received[0].length, 9000U);
    ByteVector got = m_server.Octets(head);
    const ByteVector rest = m_server.Octets(tail);
    got.insert(got.end(), rest.begin(), rest.begin() + 6000);
    EXPECT_EQ(got, octets);
}

TEST_F(DataTransfer, ZeroLengthSendTakesAReceive)
{
    Connect();
    ReceiveWorkRequest receive;
    receive.id = 4;
    ASSERT_TRUE(m_server.pair->PostReceive(receive));
    SendWorkRequest request;
    request.id = 5;
    PostSend(m_client, request);
    Run();
    ASSERT_EQ(m_server.received.size(), 1U);
    EXPECT_EQ(m_server.received[0].id, 4U);
    EXPECT_EQ(m_server.received[0].length, 0U);
    EXPECT_THAT(m_client.SentIds(), ElementsAre(5));
}

class TransferSizes : public DataTransfer, public ::testing::WithParamInterface<uint32_t>
{
  protected:
    void ConfigureDevice(RnicHost& host) override
    {
        host.device->SetAttribute("MaxFastRegisterPages", UintegerValue(300));
    }
};

TEST_P(TransferSizes, WriteIsPlacedBeforeTheSendIsDelivered)
{
    Connect();
    const HostBuffer target = m_server.Room(GetParam() + 100);
    const HostBuffer note = m_server.Room(16);
    const HostBuffer source = m_client.Fill(Pattern(GetParam()));
    const HostBuffer message = m_client.Fill(Pattern(16));
    const auto region = RegisterNow(m_server, target, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE);
    PostReceive(m_server, 1, note);
    m_client.sent.clear();
    ASSERT_TRUE(m_client.pair->PostSend(
        std::vector<SendWorkRequest>{Write(1, source, region->GetStag(), target.GetAddress() + 50),
                                     Send(2, message)}));
    Run();
    EXPECT_THAT(m_client.SentIds(), ElementsAre(1, 2));
    EXPECT_THAT(m_client.SentStatuses(), Each(Status::SUCCESS));
    ByteVector expected(50);
    const ByteVector octets = Pattern(GetParam());
    expected.insert(expected.end(), octets.begin(), octets.end());
    expected.resize(GetParam() + 100);
    EXPECT_EQ(m_server.Octets(target), expected);
    EXPECT_EQ(m_server.Octets(note), Pattern(16));
}

TEST_P(TransferSizes, ReadBringsTheSource)
{
    Connect();
    const HostBuffer source = m_server.Fill(Pattern(GetParam(), 9));
    const HostBuffer sink = m_client.Room(GetParam());
    const auto local = RegisterNow(m_client, sink, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE);
    const auto remote = RegisterNow(m_server, source, ACCESS_REMOTE_READ);
    PostSend(m_client, Read(8, *local, GetParam(), remote->GetStag(), source.GetAddress()));
    Run();
    ASSERT_EQ(m_client.sent.size(), 1U);
    EXPECT_EQ(m_client.sent[0].status, Status::SUCCESS);
    EXPECT_EQ(m_client.sent[0].opcode, WorkCompletionOpcode::RDMA_READ);
    EXPECT_EQ(m_client.sent[0].length, GetParam());
    EXPECT_EQ(m_client.Octets(sink), Pattern(GetParam(), 9));
    EXPECT_EQ(m_server.device->GetCounters().payloadSent, GetParam());
    EXPECT_EQ(m_client.device->GetCounters().payloadReceived, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Sizes,
                         TransferSizes,
                         ::testing::Values(1U, 3U, 64U, 1424U, 4097U, 65535U, 1U << 20));

TEST_F(DataTransfer, ZeroLengthReadAndWriteNeedNoValidStag)
{
    Connect();
    SendWorkRequest write;
    write.id = 1;
    write.opcode = WorkRequestOpcode::RDMA_WRITE;
    write.remoteStag = 0xdead01;
    SendWorkRequest read;
    read.id = 2;
    read.opcode = WorkRequestOpcode::RDMA_READ;
    read.elements = {{0, 0, 0xbeef02}};
    read.remoteStag = 0xdead01;
    ASSERT_TRUE(m_client.pair->PostSend(std::vector<SendWorkRequest>{write, read}));
    Run();
    EXPECT_THAT(m_client.SentIds(), ElementsAre(1, 2));
    EXPECT_THAT(m_client.SentStatuses(), Each(Status::SUCCESS));
    EXPECT_EQ(m_server.pair->GetState(), QueuePairState::RTS);
}

TEST_F(DataTransfer, ReadReturnsWhatEarlierWritesPlaced)
{
    Connect();
    const HostBuffer target = m_server.Room(5000);
    const auto remote = RegisterNow(m_server,
                                    target,
                                    ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE | ACCESS_REMOTE_READ);
    const HostBuffer sink = m_client.Room(5000);
    const auto local = RegisterNow(m_client, sink, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE);
    const HostBuffer source = m_client.Fill(Pattern(5000, 3));
    ASSERT_TRUE(m_client.pair->PostSend(std::vector<SendWorkRequest>{
        Write(1, source, remote->GetStag(), target.GetAddress()),
        Read(2, *local, 5000, remote->GetStag(), target.GetAddress())}));
    Run();
    EXPECT_THAT(m_client.SentIds(), ElementsAre(1, 2));
    EXPECT_EQ(m_client.Octets(sink), Pattern(5000, 3));
}

TEST_F(DataTransfer, SendWithInvalidateInvalidatesBeforeTheCompletion)
{
    Connect();
    const HostBuffer target = m_client.Room(100);
    const auto region = RegisterNow(m_client, target, ACCESS_REMOTE_READ);
    const HostBuffer room = m_client.Room(32);
    PostReceive(m_client, 6, room);
    OpenResponder();
    const HostBuffer message = m_server.Fill(Pattern(32));
    SendWorkRequest reply = Send(2, message);
    reply.opcode = WorkRequestOpcode::SEND_WITH_INVALIDATE;
    reply.invalidateStag = region->GetStag();
    PostSend(m_server, reply);
    Run();
    ASSERT_EQ(m_client.received.size(), 1U);
    EXPECT_TRUE(m_client.received[0].withInvalidate);
    EXPECT_EQ(m_client.received[0].invalidatedStag, region->GetStag());
    EXPECT_FALSE(region->IsValid());
    EXPECT_EQ(m_client.device->GetCounters().remoteInvalidations, 1U);
    EXPECT_EQ(m_client.Octets(room), Pattern(32));
    ASSERT_EQ(m_server.sent.size(), 1U);
    EXPECT_EQ(m_server.sent[0].opcode, WorkCompletionOpcode::SEND);
}

} // namespace ns3::nfsrdma
