/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/side-story.h"

#include "ns3/enum.h"

#include <tuple>

namespace ns3::nfsrdma
{

using Status = WorkCompletionStatus;
using State = QueuePairState;
using Event = AsyncEventType;

class FailureTable;

/// A way in which a work request of the client, the first one it posts, goes wrong.
struct Failure
{
    /// Who finds out.
    enum class Finder
    {
        CLIENT_SEND,    ///< The client, before it is on the wire.
        SERVER_RECEIVE, ///< The server, by a receive of its own that completes with the status.
        SERVER_REMOTE,  ///< The server, and no work request of its own is at fault.
        SERVER_READ     ///< As SERVER_REMOTE, and its Terminate names the Read.
    };

    const char* name;
    void (FailureTable::*provoke)();
    Finder finder;
    const char* terminate;
    Event event;        ///< At the one who finds out.
    Status statuses[3]; ///< Of the work request at fault, by FaultStatus::Kind.
};

using Finder = Failure::Finder;

/**
 * Every failure that makes a completion, with both sides of it. The client has two receives, the
 * server as many as the case posts and one behind them.
 */
class FailureTable : public RnicTest,
                     public ::testing::WithParamInterface<std::tuple<Failure, FaultStatus::Kind>>
{
  public:
    void SendFromUnknownKey()
    {
        SendKeyed(0x00ff0001);
    }

    void SendFromInvalidRegion()
    {
        const auto region = Region(m_client, m_client.domain, 0);
        region->Invalidate();
        SendKeyed(region->GetStag());
    }

    void SendFromAnotherDomain()
    {
        const auto region = Region(m_client, OtherDomain(m_client), 0);
        SendElement(region, 0, 100);
    }

    void SendBeyondTheRegion()
    {
        SendElement(Region(m_client, m_client.domain, 0), 1, 100);
    }

    void SendThatWraps()
    {
        const auto region = Region(m_client, m_client.domain, 0);
        SendElement(region, ~uint64_t{0} - m_memory->GetAddress(), 100);
    }

    void SendFromFreedMemory()
    {
        SendWorkRequest request;
        {
            const HostBuffer gone = m_client.Room(100);
            request = Send(1, gone);
        }
        PostFailing(request);
    }

    void WriteFromUnknownKey()
    {
        SendWorkRequest request = Write(1, Keep(m_client.Room(100)), 0, 0);
        request.elements[0].lkey = 0x00ff0001;
        PostFailing(request);
    }

    void ReadIntoUnregisteredMemory()
    {
        SendWorkRequest request = SinkOf(Region(m_client, m_client.domain, ACCESS_LOCAL_WRITE));
        request.elements[0].lkey = ScatterGatherElement::LOCAL_DMA_LKEY;
        PostFailing(request);
    }

    void ReadIntoMemoryThePeerMayNotWrite()
    {
        PostFailing(SinkOf(Region(m_client, m_client.domain, ACCESS_LOCAL_WRITE)));
    }

    void RegisterAValidRegion()
    {
        const auto region = Region(m_client, m_client.domain, 0);
        PostFailing(Register(1, region, *m_memory, 9, ACCESS_REMOTE_READ));
    }

    void RegisterInAnotherDomain()
    {
        const auto region = Region(m_client, OtherDomain(m_client), 0);
        region->Invalidate();
        PostFailing(Register(1, region, *m_memory, 9, ACCESS_REMOTE_READ));
    }

    void InvalidateTheUnknown()
    {
        PostFailing(Invalidate(1, 0x77777701));
    }

    void InvalidateInAnotherDomain()
    {
        PostFailing(Invalidate(1, Region(m_client, OtherDomain(m_client), 0)->GetStag()));
    }

    void InvalidateARegularRegion()
    {
        PostFailing(Invalidate(1, Regular(m_client, ACCESS_LOCAL_WRITE)->GetStag()));
    }

    void InvalidateUnderAWindow()
    {
        const uint32_t rights = ACCESS_LOCAL_WRITE | ACCESS_WINDOW_BIND;
        const auto region = Region(m_client, m_client.domain, rights);
        PostSend(m_client, BindingOf(region));
        Run();
        ASSERT_THAT(m_client.SentStatuses(), testing::ElementsAre(Status::SUCCESS));
        m_client.sent.clear();
        PostFailing(Invalidate(1, region->GetStag()));
    }

    void BindWithoutTheRight()
    {
        PostFailing(BindingOf(Region(m_client, m_client.domain, ACCESS_LOCAL_WRITE)));
    }

    void ReceiveTooShort()
    {
        Receive(Element(Keep(m_server.Room(99))));
        PostFailing(Send(1, Keep(m_client.Room(100))));
    }

    void ReceiveIntoUnknownKey()
    {
        ScatterGatherElement element = Element(Keep(m_server.Room(100)));
        element.lkey = 0x00ff0001;
        Receive(element);
        PostFailing(Send(1, Keep(m_client.Room(100))));
    }

    void ReceiveIntoMemoryNotWritable()
    {
        ReceiveInto(Region(m_server, m_server.domain, ACCESS_REMOTE_READ), 0);
    }

    void ReceiveIntoAnotherDomain()
    {
        ReceiveInto(Region(m_server, OtherDomain(m_server), ACCESS_LOCAL_WRITE), 0);
    }

    void ReceiveBeyondTheRegion()
    {
        ReceiveInto(Region(m_server, m_server.domain, ACCESS_LOCAL_WRITE), 1);
    }

    void RemoteInvalidationOfTheUnknown()
    {
        SendInvalidating(0x12345601);
    }

    void RemoteInvalidationInAnotherDomain()
    {
        SendInvalidating(Region(m_server, OtherDomain(m_server), 0)->GetStag());
    }

    void RemoteInvalidationOfARegularRegion()
    {
        SendInvalidating(Regular(m_server, ACCESS_LOCAL_WRITE)->GetStag());
    }

    void WriteRefused()
    {
        PostFailing(Write(1, Keep(m_client.Room(100)), 0x12345678, 0));
    }

    void ReadRefused()
    {
        const uint32_t rights = ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE;
        SendWorkRequest request = SinkOf(Region(m_client, m_client.domain, rights));
        const auto source = Region(m_server, m_server.domain, ACCESS_LOCAL_WRITE);
        request.remoteStag = source->GetStag();
        request.remoteOffset = source->GetRegistration().iova;
        PostFailing(request);
    }

  protected:
    const Failure& GetFailure() const
    {
        return std::get<0>(GetParam());
    }

    FaultStatus::Kind GetKind() const
    {
        return std::get<1>(GetParam());
    }

    void ConfigureDevice(RnicHost& host) override
    {
        host.device->SetAttribute("FaultStatus", EnumValue(GetKind()));
    }

    void SendKeyed(uint32_t lkey)
    {
        SendWorkRequest request = Send(1, Keep(m_client.Room(100)));
        request.elements[0].lkey = lkey;
        PostFailing(request);
    }

    void SendElement(const Ptr<MemoryRegion>& region, uint64_t offset, uint32_t length)
    {
        SendWorkRequest request;
        request.id = 1;
        request.elements = {{region->GetRegistration().iova + offset, length, region->GetStag()}};
        PostFailing(request);
    }

    /// A region of 100 octets, registered.
    Ptr<MemoryRegion> Region(RnicHost& host, Ptr<ProtectionDomain> domain, uint32_t access)
    {
        m_memory = &Keep(host.Room(100));
        const auto region = host.device->AllocateMemoryRegion(domain, 2).value();
        region->Register({5, m_memory->GetAddress(), 100, m_memory->GetAddress(), access});
        return region;
    }

    Ptr<MemoryRegion> Regular(RnicHost& host, uint32_t access)
    {
        m_memory = &Keep(host.Room(100));
        const uint64_t address = m_memory->GetAddress();
        return host.device->RegisterMemory(host.domain, address, 100, access, address).value();
    }

    static Ptr<ProtectionDomain> OtherDomain(RnicHost& host)
    {
        return host.device->AllocateProtectionDomain().value();
    }

    /// A Read of the server's memory into \p region.
    static SendWorkRequest SinkOf(const Ptr<MemoryRegion>& region)
    {
        return Read(1, *region, 100, 0x12345678, 0);
    }

    SendWorkRequest BindingOf(const Ptr<MemoryRegion>& region)
    {
        SendWorkRequest request;
        request.id = 1;
        request.opcode = WorkRequestOpcode::BIND_WINDOW;
        request.window = m_client.device->AllocateMemoryWindow(m_client.domain).value();
        request.binding.key = 1;
        request.binding.region = region;
        request.binding.offset = region->GetRegistration().iova;
        request.binding.length = 100;
        request.binding.access = ACCESS_REMOTE_READ;
        return request;
    }

    void Receive(const ScatterGatherElement& element)
    {
        ASSERT_TRUE(m_server.pair->PostReceive({30, {element}}));
    }

    void ReceiveInto(const Ptr<MemoryRegion>& region, uint64_t offset)
    {
        Receive({region->GetRegistration().iova + offset, 100, region->GetStag()});
        PostFailing(Send(1, Keep(m_client.Room(100))));
    }

    void SendInvalidating(uint32_t stag)
    {
        Receive(Element(Keep(m_server.Room(100))));
        SendWorkRequest request = Send(1, Keep(m_client.Room(100)));
        request.opcode = WorkRequestOpcode::SEND_WITH_INVALIDATE;
        request.invalidateStag = stag;
        PostFailing(request);
    }

    /// Posts \p request, and one behind it unless it is sent before it fails; what fails here is
    /// unsignaled, since an error makes a completion all the same.
    void PostFailing(SendWorkRequest request)
    {
        ASSERT_TRUE(m_server.pair->PostReceive({31, {}}));
        request.signaled = IsSentBeforeItFails();
        std::vector<SendWorkRequest> chain{request};
        if (!IsSentBeforeItFails())
        {
            SendWorkRequest later;
            later.id = 2;
            later.fence = true;
            later.signaled = false;
            chain.push_back(later);
        }
        ASSERT_TRUE(m_client.pair->PostSend(chain));
        Run();
    }

    bool IsSentBeforeItFails() const
    {
        return GetFailure().finder == Finder::SERVER_RECEIVE ||
               GetFailure().finder == Finder::SERVER_REMOTE;
    }

    const HostBuffer* m_memory{nullptr};
};

TEST_P(FailureTable, BothSidesOfIt)
{
    Connect();
    OpenResponder();
    ASSERT_TRUE(m_client.pair->PostReceive({21, {}}));
    ASSERT_TRUE(m_client.pair->PostReceive({22, {}}));
    const Failure& failure = GetFailure();
    (this->*failure.provoke)();
    const Status status = failure.statuses[GetKind()];
    SideStory client;
    client.states = {State::RTS, State::TERMINATE, State::ERROR};
    client.received = {Status::WR_FLUSH_ERR, Status::WR_FLUSH_ERR};
    client.terminates = {failure.terminate};
    client.events = {CmEventType::ESTABLISHED, CmEventType::DISCONNECTED};
    SideStory server = client;
    server.received = {Status::WR_FLUSH_ERR};
    client.asyncEvents = {Event::QP_FATAL};
    server.asyncEvents = {Event::QP_FATAL};
    switch (failure.finder)
    {
    case Finder::CLIENT_SEND:
        client.sent = {status, Status::WR_FLUSH_ERR};
        client.asyncEvents = {failure.event};
        break;
    case Finder::SERVER_RECEIVE:
        client.sent = {Status::SUCCESS};
        server.received = {status, Status::WR_FLUSH_ERR};
        server.asyncEvents = {failure.event};
        break;
    case Finder::SERVER_REMOTE:
        client.sent = {Status::SUCCESS};
        server.asyncEvents = {failure.event};
        break;
    case Finder::SERVER_READ:
        client.sent = {status, Status::WR_FLUSH_ERR};
        server.asyncEvents = {failure.event};
        break;
    }
    ExpectStory(m_client, client);
    ExpectStory(m_server, server);
}

namespace
{

constexpr auto PROT = Status::LOC_PROT_ERR;
constexpr auto OP = Status::LOC_QP_OP_ERR;
constexpr auto ACCESS = Status::LOC_ACCESS_ERR;
constexpr auto LEN = Status::LOC_LEN_ERR;
constexpr auto BIND = Status::MW_BIND_ERR;
constexpr auto INV = Status::REM_INV_REQ_ERR;
constexpr auto FLUSH = Status::WR_FLUSH_ERR;

Failure
Local(const char* name, void (FailureTable::*provoke)(), Status specified, Status cxgb4)
{
    return {name,
            provoke,
            Finder::CLIENT_SEND,
            "0/0/00",
            Event::QP_FATAL,
            {specified, Status::LOC_QP_OP_ERR, cxgb4}};
}

Failure
Receiving(const char* name,
          void (FailureTable::*provoke)(),
          const char* terminate,
          Event event,
          Status specified,
          Status cxgb4)
{
    return {name, provoke, Finder::SERVER_RECEIVE, terminate, event, {specified, specified, cxgb4}};
}

constexpr auto ACCESS_EVENT = Event::QP_ACCESS_ERR;
constexpr auto REQUEST_EVENT = Event::QP_REQ_ERR;
using F = FailureTable;

std::string
NameOf(const ::testing::TestParamInfo<FailureTable::ParamType>& info)
{
    constexpr const char* KINDS[] = {"Specified", "Siw", "Cxgb4"};
    return std::string(std::get<0>(info.param).name) + KINDS[std::get<1>(info.param)];
}

} // namespace

INSTANTIATE_TEST_SUITE_P(
    Causes,
    FailureTable,
    ::testing::Combine(
        ::testing::Values(
            Local("SendFromUnknownKey", &F::SendFromUnknownKey, PROT, ACCESS),
            Local("SendFromInvalidRegion", &F::SendFromInvalidRegion, PROT, ACCESS),
            Local("SendFromAnotherDomain", &F::SendFromAnotherDomain, PROT, PROT),
            Local("SendBeyondTheRegion", &F::SendBeyondTheRegion, PROT, LEN),
            Local("SendThatWraps", &F::SendThatWraps, PROT, Status::GENERAL_ERR),
            Local("SendFromFreedMemory", &F::SendFromFreedMemory, PROT, LEN),
            Local("WriteFromUnknownKey", &F::WriteFromUnknownKey, PROT, ACCESS),
            Local("ReadIntoUnregistered", &F::ReadIntoUnregisteredMemory, PROT, ACCESS),
            Local("ReadIntoLocal", &F::ReadIntoMemoryThePeerMayNotWrite, PROT, ACCESS),
            Local("RegisterAValidRegion", &F::RegisterAValidRegion, OP, ACCESS),
            Local("RegisterInAnotherDomain", &F::RegisterInAnotherDomain, OP, PROT),
            Local("InvalidateTheUnknown", &F::InvalidateTheUnknown, OP, ACCESS),
            Local("InvalidateInAnotherDomain", &F::InvalidateInAnotherDomain, OP, PROT),
            Local("InvalidateARegularRegion", &F::InvalidateARegularRegion, OP, BIND),
            Local("InvalidateUnderAWindow", &F::InvalidateUnderAWindow, BIND, BIND),
            Local("BindWithoutTheRight", &F::BindWithoutTheRight, BIND, BIND),
            Receiving("ReceiveTooShort", &F::ReceiveTooShort, "1/2/05", ACCESS_EVENT, LEN, LEN),
            Receiving("ReceiveIntoUnknownKey",
                      &F::ReceiveIntoUnknownKey,
                      "1/0/00",
                      ACCESS_EVENT,
                      PROT,
                      ACCESS),
            Receiving("ReceiveIntoReadOnly",
                      &F::ReceiveIntoMemoryNotWritable,
                      "1/0/00",
                      ACCESS_EVENT,
                      PROT,
                      ACCESS),
            Receiving("ReceiveIntoAnotherDomain",
                      &F::ReceiveIntoAnotherDomain,
                      "1/0/00",
                      ACCESS_EVENT,
                      PROT,
                      PROT),
            Receiving("ReceiveBeyondTheRegion",
                      &F::ReceiveBeyondTheRegion,
                      "1/0/00",
                      ACCESS_EVENT,
                      PROT,
                      LEN),
            Receiving("RemoteInvalidationOfTheUnknown",
                      &F::RemoteInvalidationOfTheUnknown,
                      "0/1/00",
                      REQUEST_EVENT,
                      INV,
                      ACCESS),
            Receiving("RemoteInvalidationInAnotherDomain",
                      &F::RemoteInvalidationInAnotherDomain,
                      "0/1/09",
                      REQUEST_EVENT,
                      INV,
                      PROT),
            Receiving("RemoteInvalidationOfARegularRegion",
                      &F::RemoteInvalidationOfARegularRegion,
                      "0/1/09",
                      REQUEST_EVENT,
                      INV,
                      BIND),
            Failure{"WriteRefused",
                    &F::WriteRefused,
                    Finder::SERVER_REMOTE,
                    "1/1/00",
                    ACCESS_EVENT,
                    {}},
            Failure{"ReadRefused",
                    &F::ReadRefused,
                    Finder::SERVER_READ,
                    "0/1/02",
                    REQUEST_EVENT,
                    {Status::REM_ACCESS_ERR, FLUSH, FLUSH}}),
        ::testing::Values(FaultStatus::SPECIFIED, FaultStatus::SIW, FaultStatus::CXGB4)),
    NameOf);

} // namespace ns3::nfsrdma
