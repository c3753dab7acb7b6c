/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/abort-storm.h"

#include "nfs/v3/reply-size3.h"
#include "nfs/v3/status3.h"

#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(AbortStorm);

TypeId
AbortStorm::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::AbortStorm")
            .SetParent<AdversaryRole>()
            .SetGroupName("NfsRdma")
            .AddConstructor<AbortStorm>()
            .AddAttribute("Every",
                          "Between rounds of calls (Time). Default: a thousand a second.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&AbortStorm::m_every),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("Count",
                          "Calls given up at most (count); 0: any number. Default: 0.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&AbortStorm::m_count),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Burst",
                          "Calls of a round (count). Default: one.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&AbortStorm::m_burst),
                          MakeUintegerChecker<uint32_t>(1, 1024))
            .AddAttribute("Patience",
                          "From the submission of a call to its end (Time). Default: long enough "
                          "to be sent, too short for a reply.",
                          TimeValue(MicroSeconds(10)),
                          MakeTimeAccessor(&AbortStorm::m_patience),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("Octets",
                          "Largest reply asked for (octets). Default: READDIRPLUS of Linux's "
                          "clients.",
                          UintegerValue(32768),
                          MakeUintegerAccessor(&AbortStorm::m_octets),
                          MakeUintegerChecker<uint32_t>(1, 1048576))
            .AddAttribute("Operation",
                          "readdirplus, whose reply may need a Reply chunk, or read, with a Write "
                          "chunk. Default: readdirplus.",
                          StringValue("readdirplus"),
                          MakeStringAccessor(&AbortStorm::m_operation),
                          MakeStringChecker());
    return tid;
}

AbortStorm::AbortStorm() = default;
AbortStorm::~AbortStorm() = default;

void
AbortStorm::DoDispose()
{
    m_round.Cancel();
    if (m_rpc)
    {
        m_nfs->Dispose();
        m_rpc->Dispose();
        m_nfs = nullptr;
        m_rpc = nullptr;
    }
    m_memory = nullptr;
    AdversaryRole::DoDispose();
}

void
AbortStorm::DoStart()
{
    const auto& host = GetHost();
    m_rpc = CreateObject<RpcClient>();
    m_rpc->SetTransport(host.path);
    m_rpc->SetHostCpu(host.device->GetHostCpu());
    m_rpc->SetProgram(NFS_PROGRAM, NFS_V3);
    m_rpc->SetCredential(host.credential);
    m_nfs = CreateObject<Nfs3Client>();
    m_nfs->SetRpcClient(m_rpc);
    m_nfs->SetHostMemory(host.device->GetHostMemory());
    m_memory = std::make_shared<HostBuffer>(host.device->GetHostMemory(), m_octets);
    MakeRound();
}

void
AbortStorm::DoStop()
{
    m_round.Cancel();
    if (m_pending == 0)
    {
        m_memory = nullptr;
    }
}

void
AbortStorm::MakeRound()
{
    if (m_count != 0 && GetBroken() >= m_count)
    {
        return;
    }
    m_round = Simulator::Schedule(m_every, &AbortStorm::MakeRound, this);
    for (uint32_t i = 0; i < m_burst; ++i)
    {
        MakeCall();
    }
}

void
AbortStorm::MakeCall()
{
    ++m_pending;
    uint32_t xid = 0;
    if (m_operation == "read")
    {
        xid = CallRead();
    }
    else
    {
        Readdirplus3Args args;
        args.dir = GetHost().baitDirectory;
        args.dircount = m_octets;
        args.maxcount = m_octets;
        xid = m_nfs->Call(args, [this](RpcRecord&, const Readdirplus3Res&) { HandleEnd(); });
    }
    Simulator::Schedule(m_patience, &AbortStorm::GiveUp, Ptr<AbortStorm>(this), xid);
}

uint32_t
AbortStorm::CallRead()
{
    Read3Args args;
    args.file = GetHost().baitFile;
    args.count = m_octets;
    XdrWriter writer;
    EncodeXdr(writer, args);
    RpcArguments arguments;
    arguments.octets = writer.Take();
    // As a program's pages under READ: they belong to the call, which a Nfs3Client's do not.
    auto estimate = EstimateNfs3Reply(Read3Args::PROCEDURE, m_octets);
    estimate.items.front().address = m_memory->GetAddress();
    estimate.items.front().owner = m_memory;
    return m_rpc->Call(static_cast<uint32_t>(Read3Args::PROCEDURE),
                       std::move(arguments),
                       std::move(estimate),
                       [this](RpcRecord&, const RpcReceivedMessage&, XdrReader&) { HandleEnd(); });
}

void
AbortStorm::GiveUp(uint32_t xid)
{
    if (m_rpc && m_rpc->Cancel(xid))
    {
        NoteBroken("gives a call up", GetHost().target.GetIpv4());
    }
}

void
AbortStorm::HandleEnd()
{
    if (--m_pending == 0 && !IsActive())
    {
        m_memory = nullptr;
    }
}

} // namespace ns3::nfsrdma
