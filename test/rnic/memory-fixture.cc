/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/memory-fixture.h"

#include <gmock/gmock.h>

namespace ns3::nfsrdma
{

using ::testing::ElementsAre;
using ::testing::StartsWith;
using Status = WorkCompletionStatus;

void
MemoryTest::SetUp()
{
    RnicTest::SetUp();
    Connect();
    OpenResponder();
}

Ptr<MemoryRegion>
MemoryTest::RegisterAll(RnicHost& host, const HostBuffer& buffer, uint32_t access, uint64_t iova)
{
    return host.device
        ->RegisterMemory(host.domain, buffer.GetAddress(), buffer.GetLength(), access, iova)
        .value();
}

SendWorkRequest
MemoryTest::Bind(uint64_t id, Ptr<MemoryWindow> window, const WindowBinding& binding)
{
    SendWorkRequest request;
    request.id = id;
    request.opcode = WorkRequestOpcode::BIND_WINDOW;
    request.window = window;
    request.binding = binding;
    return request;
}

void
MemoryTest::ExecuteAtServer(const SendWorkRequest& request)
{
    PostSend(m_server, request);
    Run();
    EXPECT_THAT(m_server.SentStatuses(), ElementsAre(Status::SUCCESS));
    m_server.sent.clear();
}

void
MemoryTest::ExpectWritten(Stag stag, uint64_t offset, uint32_t length, uint8_t seed)
{
    const HostBuffer source = m_client.Fill(Pattern(length, seed));
    PostSend(m_client, Write(1, source, stag, offset));
    Run();
    EXPECT_THAT(m_client.SentStatuses(), ElementsAre(Status::SUCCESS));
    EXPECT_EQ(m_server.pair->GetState(), QueuePairState::RTS);
    m_client.sent.clear();
}

Ptr<MemoryRegion>
MemoryTest::GetSink(uint32_t length)
{
    return RegisterAll(m_client, Keep(m_client.Room(length)), WRITABLE, 0);
}

void
MemoryTest::ExpectRead(Stag stag, uint64_t offset, const ByteVector& octets)
{
    const auto sink = GetSink(octets.size());
    PostSend(m_client, Read(1, *sink, octets.size(), stag, offset));
    Run();
    ASSERT_THAT(m_client.SentStatuses(), ElementsAre(Status::SUCCESS));
    ByteVector got(octets.size());
    m_client.memory->Read(sink->GetRegistration().address, got);
    EXPECT_EQ(got, octets);
    m_client.sent.clear();
}

void
MemoryTest::ExpectWriteRefused(Stag stag,
                               uint64_t offset,
                               uint32_t length,
                               const std::string& reason)
{
    const uint64_t placed = m_server.device->GetCounters().payloadReceived;
    const HostBuffer source = m_client.Fill(ByteVector(length, 0xee));
    PostSend(m_client, Write(1, source, stag, offset));
    Run();
    ExpectTerminated(reason);
    EXPECT_THAT(m_client.SentStatuses(), ElementsAre(Status::SUCCESS)) << "handed to TCP";
    EXPECT_THAT(m_server.asyncEvents, ElementsAre(AsyncEventType::QP_ACCESS_ERR));
    EXPECT_EQ(m_server.device->GetCounters().payloadReceived, placed);
}

void
MemoryTest::ExpectReadRefused(Stag stag,
                              uint64_t offset,
                              uint32_t length,
                              const std::string& reason)
{
    const uint64_t sent = m_server.device->GetCounters().payloadSent;
    const auto sink = GetSink(length);
    PostSend(m_client, Read(1, *sink, length, stag, offset));
    Run();
    ExpectTerminated(reason);
    EXPECT_THAT(m_client.SentStatuses(), ElementsAre(Status::REM_ACCESS_ERR));
    EXPECT_THAT(m_server.asyncEvents, ElementsAre(AsyncEventType::QP_REQ_ERR));
    EXPECT_EQ(m_server.device->GetCounters().payloadSent, sent);
}

void
MemoryTest::ExpectTerminated(const std::string& reason)
{
    EXPECT_THAT(m_server.terminatesSent, ElementsAre(StartsWith(reason)));
    EXPECT_THAT(m_client.terminatesReceived, ElementsAre(StartsWith(reason)));
    for (const RnicHost* host : {&m_client, &m_server})
    {
        EXPECT_THAT(
            host->states,
            ElementsAre(QueuePairState::RTS, QueuePairState::TERMINATE, QueuePairState::ERROR));
    }
}

} // namespace ns3::nfsrdma
