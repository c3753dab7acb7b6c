/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/rpcrdma-fixture.h"

#include "mpa/tcp-preset.h"
#include "wire/crc32c.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

namespace
{

constexpr uint16_t MTU = 9000;

} // namespace

void
RpcRdmaTest::SetUp()
{
    DataCenterTcpPreset().Apply(MTU);
    const auto channel = CreateObject<EthernetChannel>();
    m_clientHost = MakeRdmaHost(1, channel, MTU);
    m_serverHost = MakeRdmaHost(2, channel, MTU);
    ConfigureDevice(m_clientHost.device);
    ConfigureDevice(m_serverHost.device);

    m_program = Create<EchoProgram>(m_serverHost.memory);
    m_rpcServer = CreateObject<RpcServer>();
    m_rpcServer->Register(m_program);
    m_server = CreateObject<RpcRdmaServer>();
    m_server->SetAttribute("AgePeriod", TimeValue(Time(0)));
    m_server->SetDevice(m_serverHost.device);
    m_server->SetRpcServer(m_rpcServer);
    ConfigureServer(m_server);

    m_client = CreateObject<RpcRdmaClient>();
    m_client->SetDevice(m_clientHost.device);
    m_client->SetServer(MakeSocketAddress(m_serverHost.address, RpcRdmaServer::NFS_RDMA_PORT));
    // One connection, and no timers: a run ends when nothing is left to happen.
    m_client->SetAttribute("Reconnect", BooleanValue(false));
    m_client->SetAttribute("Timeout", TimeValue(Time(0)));
    m_client->SetAttribute("IdleTimeout", TimeValue(Time(0)));
    ConfigureClient(m_client);
    m_rpcClient = CreateObject<RpcClient>();
    m_rpcClient->SetTransport(m_client);
    m_rpcClient->SetProgram(EchoProgram::PROGRAM, EchoProgram::VERSION);
}

void
RpcRdmaTest::TearDown()
{
    m_client->Dispose();
    m_server->Dispose();
    Simulator::Destroy();
}

void
RpcRdmaTest::ConfigureDevice(Ptr<RnicDevice> /* device */)
{
}

void
RpcRdmaTest::ConfigureClient(Ptr<RpcRdmaClient> /* client */)
{
}

void
RpcRdmaTest::ConfigureServer(Ptr<RpcRdmaServer> /* server */)
{
}

void
RpcRdmaTest::Connect()
{
    ASSERT_TRUE(m_server->Listen());
    m_client->Connect();
    Run();
    ASSERT_TRUE(m_client->IsConnected());
}

void
RpcRdmaTest::Run()
{
    Simulator::Run();
}

bool
RpcRdmaTest::IsZero(const RnicCensus& census)
{
    return census.protectionDomains == 0 && census.completionQueues == 0 &&
           census.queuePairs == 0 && census.memoryRegions == 0 && census.validMemoryRegions == 0 &&
           census.memoryWindows == 0 && census.boundMemoryWindows == 0 && census.pinnedPages == 0 &&
           census.outstandingSends == 0 && census.postedReceives == 0 && census.connections == 0;
}

void
RpcRdmaTest::ExpectCleanEnd()
{
    m_client->Disconnect();
    Run();
    m_server->Stop();
    Run();
    EXPECT_TRUE(m_client->IsIdle());
    EXPECT_EQ(m_client->GetPending(), 0U);
    EXPECT_EQ(m_server->GetConnectionCount(), 0U);
    EXPECT_TRUE(m_client->DescribeWaiting().empty());
    EXPECT_TRUE(m_server->DescribeWaiting().empty());
    EXPECT_TRUE(IsZero(m_clientHost.device->GetCensus()));
    EXPECT_TRUE(IsZero(m_serverHost.device->GetCensus()));
    EXPECT_EQ(m_serverHost.memory->GetAllocationCount(), 0U);
}

const RpcRdmaTest::Result&
RpcRdmaTest::Take(uint32_t length, bool eligible, uint32_t pageOffset)
{
    const ByteVector item = MakePattern(length, 3);
    HostBuffer buffer(m_clientHost.memory, pageOffset + length + 1);
    buffer.Write(pageOffset, item);
    constexpr uint32_t word = 0x600dbeef;
    RpcArguments arguments;
    XdrWriter writer;
    writer.WriteU32(length);
    writer.WriteU32(word);
    arguments.octets = writer.Take();
    arguments.items.push_back({buffer.GetAddress() + pageOffset, length, eligible, 4, nullptr});
    RpcReplyEstimate reply;
    reply.head = RpcReplyHeader::ACCEPTED_SIZE + 12;
    const uint32_t xid =
        m_rpcClient->Call(EchoProgram::TAKE,
                          std::move(arguments),
                          reply,
                          [this, length, sum = Crc32c(item)](RpcRecord& record,
                                                             const RpcReceivedMessage&,
                                                             XdrReader& reader) {
                              Result& result = m_results[record.xid];
                              EXPECT_FALSE(result.done);
                              result.done = true;
                              result.record = record;
                              result.intact = reader.ReadU32() == length &&
                                              reader.ReadU32() == sum && reader.ReadU32() == word &&
                                              reader.Remaining() == 0 && reader.Ok();
                              m_buffers.erase(record.xid);
                          });
    m_buffers.emplace(xid, std::move(buffer));
    return m_results[xid];
}

bool
RpcRdmaTest::CheckItem(const Result& result,
                       const RpcReceivedMessage& message,
                       XdrReader& reader,
                       uint32_t length,
                       uint64_t room)
{
    if (reader.ReadU32() != length)
    {
        return false;
    }
    const ByteVector expected = MakePattern(length, result.record.xid);
    ByteVector item(length);
    if (message.IsReduced(0))
    {
        if (message.items[0].length != length || message.items[0].address != room)
        {
            return false;
        }
        m_clientHost.memory->Read(room, item);
    }
    else
    {
        const ByteSpan octets = reader.ReadFixedOpaque(length);
        item.assign(octets.begin(), octets.end());
    }
    return item == expected;
}

const RpcRdmaTest::Result&
RpcRdmaTest::Give(uint32_t length,
                  uint32_t room,
                  bool eligible,
                  uint32_t tailWords,
                  std::optional<uint32_t> expectedWords)
{
    RpcArguments arguments;
    XdrWriter head;
    head.WriteU32(length);
    head.WriteBool(eligible);
    head.WriteU32(tailWords);
    arguments.octets = head.Take();
    RpcReplyEstimate reply;
    reply.head = RpcReplyHeader::ACCEPTED_SIZE + 4;
    reply.tail = Pad4(room) + 4 * expectedWords.value_or(tailWords);
    HostBuffer buffer;
    if (room > 0)
    {
        buffer = HostBuffer(m_clientHost.memory, room);
        reply.items.push_back({room, buffer.GetAddress(), eligible});
    }
    const uint32_t xid = m_rpcClient->Call(
        EchoProgram::GIVE,
        std::move(arguments),
        reply,
        [this, length, tailWords, address = room > 0 ? buffer.GetAddress() : 0](
            RpcRecord& record,
            const RpcReceivedMessage& message,
            XdrReader& reader) {
            Result& result = m_results[record.xid];
            EXPECT_FALSE(result.done);
            result.done = true;
            result.record = record;
            result.reduced = message.IsReduced(0);
            result.intact = CheckItem(result, message, reader, length, address);
            for (uint32_t i = 0; i < tailWords; ++i)
            {
                result.intact = result.intact && reader.ReadU32() == 0xee000000 + i;
            }
            result.intact = result.intact && reader.Ok() && reader.Remaining() == 0;
            m_buffers.erase(record.xid);
        });
    if (room > 0)
    {
        m_buffers.emplace(xid, std::move(buffer));
    }
    return m_results[xid];
}

} // namespace ns3::nfsrdma
