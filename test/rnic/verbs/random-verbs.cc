/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/verbs/random-verbs.h"

#include "link/ethernet-switch.h"
#include "mpa/tcp-preset.h"
#include "rdma-host.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::nfsrdma::reference
{

NS_OBJECT_ENSURE_REGISTERED(CutLink);

namespace
{

constexpr uint16_t MTU = 1500;
constexpr Limits LIMITS{4, 8, 12, 16, 6, 64, 3, 64, 12, 4, 6000, 3, 10};

} // namespace

TypeId
CutLink::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::reference::CutLink").SetParent<ErrorModel>().SetGroupName("NfsRdma");
    return tid;
}

bool
CutLink::DoCorrupt(Ptr<Packet> /* packet */)
{
    return cut;
}

void
CutLink::DoReset()
{
}

RandomVerbs::RandomVerbs(uint64_t seed)
    : m_random(seed)
{
    const uint32_t hosts = 2 + seed % 3;
    m_model = std::make_unique<ReferenceModel>(std::vector<Limits>(hosts, LIMITS));
    DataCenterTcpPreset().Apply(MTU);
    BuildHosts(hosts);
}

RandomVerbs::~RandomVerbs()
{
    m_destroying = true;
    Simulator::Destroy();
}

void
RandomVerbs::BuildHosts(uint32_t count)
{
    const auto switchNode = CreateObject<Node>();
    const auto ethernetSwitch = CreateObject<EthernetSwitch>();
    switchNode->AggregateObject(ethernetSwitch);
    const bool peerToPeer = Chance(50);
    for (uint32_t i = 0; i < count; i++)
    {
        VerbsHost host;
        host.node = MakeIpv4Node();
        const auto channel = CreateObject<EthernetChannel>();
        const auto port = AddEthernetPort(host.node, MTU);
        port->Attach(channel);
        host.link = CreateObject<CutLink>();
        port->SetReceiveErrorModel(host.link);
        const auto switchPort = AddEthernetPort(switchNode, MTU);
        switchPort->Attach(channel);
        ethernetSwitch->AddPort(switchPort);
        host.address = AddIpv4Address(host.node, port, 1 + i);
        host.device = CreateObject<RnicDevice>();
        host.device->SetAttribute("MaxPds", UintegerValue(LIMITS.domains));
        host.device->SetAttribute("MaxCqs", UintegerValue(LIMITS.completionQueues));
        host.device->SetAttribute("MaxQps", UintegerValue(LIMITS.queuePairs));
        host.device->SetAttribute("MaxMrs", UintegerValue(LIMITS.regions));
        host.device->SetAttribute("MaxWindows", UintegerValue(LIMITS.windows));
        host.device->SetAttribute("MaxInline", UintegerValue(LIMITS.inlineOctets));
        host.device->SetAttribute("MaxFastRegisterPages", UintegerValue(LIMITS.regionPages));
        host.device->SetAttribute("MaxCqDepth", UintegerValue(LIMITS.completionDepth));
        host.device->SetAttribute("MaxQueueDepth", UintegerValue(LIMITS.queueDepth));
        host.device->SetAttribute("MaxElements", UintegerValue(LIMITS.elements));
        host.device->SetAttribute("MaxMessage", UintegerValue(LIMITS.message));
        host.device->SetAttribute("MaxSrqs", UintegerValue(LIMITS.sharedQueues));
        host.device->SetAttribute("MaxSrqDepth", UintegerValue(LIMITS.sharedDepth));
        host.device->SetAttribute("MaxOrd", UintegerValue(4));
        host.device->SetAttribute("MaxIrd", UintegerValue(3));
        host.device->GetMpaSettings()->SetAttribute("PeerToPeer", BooleanValue(peerToPeer));
        host.node->AggregateObject(host.device);
        host.device->SetNode(host.node);
        m_hosts.push_back(host);
    }
}

void
RandomVerbs::Run(uint64_t steps)
{
    for (m_step = 0; m_step < steps; m_step++)
    {
        DoStep();
    }
    TearDown();
}

void
RandomVerbs::DoStep()
{
    struct Weighted
    {
        uint32_t weight;
        Step step;
    };

    static const std::vector<Weighted> STEPS{
        {4, &RandomVerbs::AllocateDomain},
        {2, &RandomVerbs::DestroyDomain},
        {6, &RandomVerbs::CreateCompletionQueue},
        {4, &RandomVerbs::DestroyCompletionQueue},
        {8, &RandomVerbs::CreateSharedQueue},
        {4, &RandomVerbs::DestroySharedQueue},
        {20, &RandomVerbs::PostShared},
        {8, &RandomVerbs::ArmShared},
        {30, &RandomVerbs::CreatePair},
        {20, &RandomVerbs::DestroyPair},
        {10, &RandomVerbs::AllocateRegion},
        {4, &RandomVerbs::RegisterMemory},
        {4, &RandomVerbs::AllocateWindow},
        {1, &RandomVerbs::DestroyWindow},
        {4, &RandomVerbs::DestroyRegion},
        {4, &RandomVerbs::AllocateBuffer},
        {2, &RandomVerbs::FreeBuffer},
        {40, &RandomVerbs::PollOne},
        {90, &RandomVerbs::PollAll},
        {20, &RandomVerbs::Arm},
        {8, &RandomVerbs::Listen},
        {25, &RandomVerbs::Connect},
        {40, &RandomVerbs::Answer},
        {2, &RandomVerbs::Disconnect},
        {1, &RandomVerbs::StopListening},
        {1, &RandomVerbs::MoveToError},
        {120, &RandomVerbs::PostOne},
        {20, &RandomVerbs::PostChain},
        {40, &RandomVerbs::PostRegistration},
        {15, &RandomVerbs::PostInvalidation},
        {15, &RandomVerbs::PostBinding},
        {40, &RandomVerbs::PostReceive},
        {60, &RandomVerbs::RunLittle},
        {3, &RandomVerbs::RunToEnd},
        {1, &RandomVerbs::CutLinkOfHost},
        {5, &RandomVerbs::MendLinks},
    };
    static const uint32_t TOTAL = [] {
        uint32_t total = 0;
        for (const Weighted& item : STEPS)
        {
            total += item.weight;
        }
        return total;
    }();

    uint64_t chosen = Below(TOTAL);
    for (const Weighted& item : STEPS)
    {
        if (chosen < item.weight)
        {
            (this->*item.step)();
            break;
        }
        chosen -= item.weight;
    }
    if (m_depth == 0)
    {
        CompareCensus(ChooseHost());
    }
}

void
RandomVerbs::RunLittle()
{
    if (m_depth != 0)
    {
        return;
    }
    const Time time = NanoSeconds(Below(1ULL << Below(18)));
    Log("run " + std::to_string(time.GetNanoSeconds()) + " ns");
    Simulator::Stop(time);
    Simulator::Run();
    if (m_mismatch)
    {
        throw Mismatch(*m_mismatch);
    }
}

void
RandomVerbs::RunToEnd()
{
    if (m_depth != 0)
    {
        return;
    }
    Log("run to the end");
    Simulator::Run();
    if (m_mismatch)
    {
        throw Mismatch(*m_mismatch);
    }
    Count("runs to the end");
    for (uint32_t host = 0; host < m_hosts.size(); host++)
    {
        NoteTaken(host);
    }
    m_model->Settle();
    m_connections.Settle([this](const PairName& name) {
        const PairRules* pair = m_model->FindPair(name);
        return pair != nullptr && pair->state == QueuePairState::RTS && !pair->heard;
    });
    CompareMemory();
    Scribble();
    m_model->MemoryChanged();
    for (uint32_t host = 0; host < m_hosts.size(); host++)
    {
        CompareCensus(host);
    }
}

void
RandomVerbs::MendLinks()
{
    for (VerbsHost& host : m_hosts)
    {
        host.link->cut = false;
    }
}

void
RandomVerbs::CutLinkOfHost()
{
    const uint32_t number = ChooseHost();
    m_hosts[number].link->cut = true;
    Log("cut the link of host " + std::to_string(number));
    Count("links cut");
    m_connections.Disturb(number);
    for (uint32_t other = 0; other < m_hosts.size(); other++)
    {
        for (const auto& [pairNumber, pair] : m_model->GetHost(other).pairs)
        {
            if (other == number || (pair.peer && pair.peer->host == number))
            {
                m_model->MayEnd({other, pairNumber});
            }
        }
    }
}

void
RandomVerbs::Guarded(const std::function<void()>& function)
{
    if (m_destroying || m_mismatch)
    {
        return;
    }
    try
    {
        function();
    }
    catch (const Mismatch& mismatch)
    {
        m_mismatch = mismatch.what();
        Simulator::Stop();
    }
}

void
RandomVerbs::Reenter()
{
    constexpr uint32_t DEEPEST = 2;
    if (m_depth < DEEPEST && Chance(20))
    {
        m_depth++;
        DoStep();
        m_depth--;
    }
}

uint64_t
RandomVerbs::Below(uint64_t limit)
{
    return m_random() % limit;
}

int64_t
RandomVerbs::Now()
{
    return Simulator::Now().GetNanoSeconds();
}

bool
RandomVerbs::Chance(uint32_t percent)
{
    return Below(100) < percent;
}

uint32_t
RandomVerbs::ChooseHost()
{
    return Below(m_hosts.size());
}

void
RandomVerbs::Check(const std::string& verb,
                   const Refusals& allowed,
                   std::optional<VerbsError> result)
{
    Log(verb + (result ? std::string(": ") + ToString(*result) : ""));
    Count(verb.substr(0, verb.find(':')) +
          (result ? std::string(": ") + ToString(*result) : ": done"));
    if (result ? allowed.count(*result) == 0 : !allowed.empty())
    {
        std::string expected = allowed.empty() ? " success" : "";
        for (const VerbsError error : allowed)
        {
            expected += std::string(" ") + ToString(error);
        }
        throw Mismatch(verb + ": " + (result ? ToString(*result) : "success") + ", expected" +
                       expected);
    }
}

void
RandomVerbs::Log(const std::string& line)
{
    static const std::size_t KEPT = std::getenv("VERBS_LOG") ? 2000 : 60;
    m_log.push_back(std::to_string(m_step) + " " + std::to_string(Now()) + " ns: " + line);
    if (m_log.size() > KEPT)
    {
        m_log.pop_front();
    }
}

void
RandomVerbs::Count(const std::string& what)
{
    m_statistics[what]++;
}

std::string
RandomVerbs::GetLog() const
{
    std::string log;
    for (const std::string& line : m_log)
    {
        log += line + "\n";
    }
    return log;
}

std::string
RandomVerbs::GetStatistics() const
{
    std::string lines;
    for (const auto& [what, count] : m_statistics)
    {
        lines += what + " " + std::to_string(count) + "\n";
    }
    return lines;
}

void
RandomVerbs::TearDown()
{
    RunToEnd();
    for (uint32_t number = 0; number < m_hosts.size(); number++)
    {
        VerbsHost& host = m_hosts[number];
        const auto destroyAll = [&](const auto& objects) {
            for (const auto& object : objects)
            {
                (void)host.device->Destroy(object);
            }
        };
        for (const auto& pair : host.pairs)
        {
            if (m_model->FindPair({number, pair->GetNumber()}) != nullptr)
            {
                Disturb({number, pair->GetNumber()});
                (void)host.device->Destroy(pair);
                m_model->PairDestroyed({number, pair->GetNumber()});
            }
        }
        for (const auto& [id, cmId] : host.ids)
        {
            m_connections.Disconnected(id);
            cmId->Disconnect();
        }
        destroyAll(host.sharedQueues);
        m_model->GetHost(number).sharedQueues.clear();
        destroyAll(host.windows);
        destroyAll(host.regions);
        m_model->GetHost(number).memory.tagged.clear();
        destroyAll(host.completionQueues);
        m_model->GetHost(number).completionQueues.clear();
        destroyAll(host.domains);
        m_model->GetHost(number).domains.clear();
    }
    m_step++;
    Simulator::Run();
    if (m_mismatch)
    {
        throw Mismatch(*m_mismatch);
    }
    for (uint32_t number = 0; number < m_hosts.size(); number++)
    {
        CompareCensus(number);
        if (m_hosts[number].device->GetCensus().connections != 0)
        {
            throw Mismatch("connections are left");
        }
    }
}

} // namespace ns3::nfsrdma::reference
