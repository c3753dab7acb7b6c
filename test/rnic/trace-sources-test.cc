/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/memory-accounts.h"
#include "rnic/memory/window.h"
#include "rnic/queue/srq.h"
#include "rnic/rnic-fixture.h"
#include "wire/ip-address.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>

namespace ns3::nfsrdma
{

/// Objects of every kind, all trace sources of them connected, in a run where each has a reason to
/// fire.
class TraceSources : public RnicTest
{
  protected:
    template <typename... Arguments>
    void Watch(const Ptr<Object>& object, const std::string& source)
    {
        const std::string name = GetOwner(object->GetInstanceTypeId(), source) + "::" + source;
        m_fired->emplace(name, 0);
        const bool connected = object->TraceConnectWithoutContext(
            source,
            Callback<void, Arguments...>(
                [fired = m_fired, name](Arguments...) { (*fired)[name]++; }));
        EXPECT_TRUE(connected) << name;
    }

    /// \return the class that has \p source, without namespace.
    static std::string GetOwner(TypeId tid, const std::string& source)
    {
        for (; tid.GetParent() != tid; tid = tid.GetParent())
        {
            for (std::size_t i = 0; i < tid.GetTraceSourceN(); i++)
            {
                if (tid.GetTraceSource(i).name == source)
                {
                    return tid.GetName().substr(tid.GetName().rfind(':') + 1);
                }
            }
        }
        return "?";
    }

    /// \return the headers of the RNIC and of its host, one after the other.
    static std::string ReadHeaders()
    {
        std::ostringstream text;
        for (const char* room : {"rnic", "host"})
        {
            const auto folder = std::filesystem::path(NFSRDMA_SOURCE_DIR) / "model" / room;
            for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
            {
                if (entry.path().extension() == ".h")
                {
                    text << std::ifstream(entry.path()).rdbuf();
                }
            }
        }
        return text.str();
    }

    /// \return all trace sources of the classes of model/rnic and model/host.
    static std::vector<std::string> GetSources()
    {
        const std::string headers = ReadHeaders();
        std::vector<std::string> sources;
        for (uint16_t i = 0; i < TypeId::GetRegisteredN(); i++)
        {
            const TypeId tid = TypeId::GetRegistered(i);
            const std::string name = tid.GetName().substr(tid.GetName().rfind(':') + 1);
            const bool ours = tid.GetName() == "ns3::nfsrdma::" + name &&
                              headers.find("\nclass " + name + " ") != std::string::npos;
            for (std::size_t j = 0; ours && j < tid.GetTraceSourceN(); j++)
            {
                sources.push_back(name + "::" + tid.GetTraceSource(j).name);
            }
        }
        return sources;
    }

    void WatchPair(const Ptr<QueuePair>& pair)
    {
        Watch<QueuePairState, QueuePairState>(pair, "State");
        Watch<const SendWorkRequest&>(pair, "PostSend");
        Watch<const ReceiveWorkRequest&>(pair, "PostReceive");
        Watch<uint64_t, WorkCompletionOpcode, WorkCompletionStatus, const WorkTimeline&>(
            pair,
            "WorkDone");
        Watch<const TerminateMessage&>(pair, "TerminateSent");
        Watch<const TerminateMessage&>(pair, "TerminateReceived");
        Watch<AsyncEventType, uint32_t>(pair, "AsyncEvent");
    }

    void WatchHost(RnicHost& host)
    {
        Watch<const MemoryRegion&, Time>(host.device, "RegisterMemory");
        Watch<const MemoryRegion&, Time>(host.device, "DeregisterMemory");
        Watch<AsyncEventType, uint32_t>(host.device, "AsyncEvent");
        Watch<uint32_t, uint32_t>(host.domain, "Users");
        Watch<uint64_t, uint64_t>(host.memory, "PinnedPages");
        Watch<HostMemoryUse, uint64_t, uint64_t>(host.memory, "Allocated");
        Watch<HostMemoryAccount, HostMemoryCharge, uint64_t, uint64_t>(host.memory, "Charged");
        Watch<Time, Time, uint32_t, HostContext>(host.device->GetHostCpu(), "Work");
        Watch<const WorkCompletion&>(host.receiveCompletions, "Completion");
        Watch<AsyncEventType, uint32_t>(host.receiveCompletions, "AsyncEvent");
        WatchPair(host.pair);
    }

    static Ptr<QueuePair> MakePair(const RnicHost& host)
    {
        return host.device
            ->CreateQueuePair(host.domain, host.sendCompletions, host.receiveCompletions, {})
            .value();
    }

    /// A connection on which nobody speaks.
    void MeetSilentPeer()
    {
        m_server.device->SetAttribute("MpaFirstFpduTimeout", TimeValue(MilliSeconds(1)));
        const auto listener = CmId::Create(m_server.device);
        listener->SetEventCallback(
            Callback<void, Ptr<CmId>, const CmEvent&>([this](Ptr<CmId>, const CmEvent& event) {
                if (event.type == CmEventType::CONNECT_REQUEST)
                {
                    Watch<const Address&>(event.newId, "PeerSilent");
                    EXPECT_TRUE(event.newId->Accept(MakePair(m_server), {{}, 4, 4}));
                }
            }));
        EXPECT_TRUE(listener->Listen(PORT + 1));
        const auto id = CmId::Create(m_client.device);
        EXPECT_TRUE(id->Connect(MakePair(m_client),
                                MakeSocketAddress(m_server.address, PORT + 1),
                                {{}, 4, 4}));
        Run();
        listener->Destroy();
        m_server.device->SetAttribute("MpaFirstFpduTimeout", TimeValue(Time(0)));
    }

    /// Outlives this: memory is given back when the hosts go.
    std::shared_ptr<std::map<std::string, uint32_t>> m_fired{
        std::make_shared<std::map<std::string, uint32_t>>()};
};

TEST_F(TraceSources, AllFire)
{
    WatchHost(m_client);
    WatchHost(m_server);
    Connect();
    Watch<const CmEvent&>(m_client.id, "Event");
    OpenResponder();

    m_server.pair->SetMemoryAccount(m_server.memory->OpenAccount(*IpAddress::Parse("10.0.0.1")));
    const HostBuffer memory = m_server.Fill(Pattern(100));
    const auto region = m_server.device->AllocateMemoryRegion(m_server.domain, 2).value();
    Watch<Stag>(region, "Register");
    Watch<Stag>(region, "Invalidate");
    PostSend(m_server, Register(1, region, memory, 1, ACCESS_LOCAL_WRITE | ACCESS_WINDOW_BIND));
    const auto window = m_server.device->AllocateMemoryWindow(m_server.domain).value();
    Watch<Stag>(window, "Bind");
    SendWorkRequest bind;
    bind.opcode = WorkRequestOpcode::BIND_WINDOW;
    bind.window = window;
    bind.binding.key = 7;
    bind.binding.region = region;
    bind.binding.offset = memory.GetAddress();
    bind.binding.length = 10;
    bind.binding.access = ACCESS_REMOTE_READ;
    PostSend(m_server, bind);
    Run();
    PostSend(m_server, Invalidate(2, window->GetStag()));
    PostSend(m_server, Invalidate(3, region->GetStag()));
    const auto regular = m_server.device
                             ->RegisterMemory(m_server.domain,
                                              memory.GetAddress(),
                                              100,
                                              ACCESS_REMOTE_READ,
                                              memory.GetAddress())
                             .value();
    Run();
    EXPECT_TRUE(m_server.device->Destroy(regular));

    const auto shared = m_server.device->CreateSharedReceiveQueue(m_server.domain, 4).value();
    Watch<const ReceiveWorkRequest&>(shared, "PostReceive");
    Watch<AsyncEventType, uint32_t>(shared, "AsyncEvent");
    EXPECT_TRUE(shared->PostReceive({}));
    EXPECT_TRUE(shared->Arm(2));

    const auto small = m_server.device->CreateCompletionQueue(1).value();
    Watch<AsyncEventType, uint32_t>(small, "AsyncEvent");
    Watch<Ptr<QueuePair>>(m_server.device, "QueuePairCreated");
    const auto spare = m_server.device->CreateQueuePair(m_server.domain, small, small, {}).value();
    EXPECT_TRUE(spare->PostReceive({}));
    EXPECT_TRUE(spare->PostReceive({}));
    spare->MoveToError();
    MeetSilentPeer();

    PostSend(m_client, Write(4, Keep(m_client.Room(10)), 0x12345678, 0));
    Run();
    m_server.device->GetFaults().Fail();
    Run();

    for (const std::string& source : GetSources())
    {
        const auto found = m_fired->find(source);
        ASSERT_NE(found, m_fired->end()) << source << " is not watched here";
        EXPECT_NE(found->second, 0U) << source;
    }
    EXPECT_GE(GetSources().size(), 18U);
}

} // namespace ns3::nfsrdma
