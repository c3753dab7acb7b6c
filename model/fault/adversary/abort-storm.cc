/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/role.h"
#include "mpa/internet-address.h"
#include "nfs/v3/client3.h"
#include "nfs/v3/reply-size3.h"
#include "nfs/v3/status3.h"
#include "rpc/client.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <cstdint>

namespace ns3::nfsrdma
{

namespace
{

/**
 * \brief A program that makes calls and gives them up again and again (section 3.4 of the draft),
 * on the connection that the other programs of its host use: rounds of Burst calls each Every.
 *
 * A call lists a directory, and so has a Reply chunk, or reads a file into a Write chunk. What
 * becomes of the chunk when the call is cancelled, after Patience, is the transport's CancelPolicy:
 * with Linux's, the server's RDMA Write into it ends the connection.
 */
class AbortStorm : public AdversaryRole
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            MakeRoleType<AbortStorm, AdversaryRole>("AbortStorm",
                                                    "Burst",
                                                    &AbortStorm::m_burst,
                                                    "Patience",
                                                    &AbortStorm::m_patience,
                                                    "Octets",
                                                    &AbortStorm::m_octets,
                                                    "Operation",
                                                    &AbortStorm::m_operation)
                .AddAttribute("Every",
                              "Between rounds of calls (Time). Default: a thousand a second.",
                              TimeValue(MilliSeconds(1)),
                              MakeTimeAccessor(&AbortStorm::m_every),
                              MakeTimeChecker(NanoSeconds(1)))
                .AddAttribute("Count",
                              "Calls given up at most (count); 0: any number. Default: 0.",
                              UintegerValue(0),
                              MakeUintegerAccessor(&AbortStorm::m_count),
                              MakeUintegerChecker<uint64_t>());
        return tid;
    }

  protected:
    void DoDispose() override
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

    void DoStart() override
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

    void DoStop() override
    {
        m_round.Cancel();
        if (m_pending == 0)
        {
            m_memory = nullptr;
        }
    }

  private:
    void MakeRound()
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

    void MakeCall()
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

    /// \return the call's XID.
    uint32_t CallRead()
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
        return m_rpc->Call(
            static_cast<uint32_t>(Read3Args::PROCEDURE),
            std::move(arguments),
            std::move(estimate),
            [this](RpcRecord&, const RpcReceivedMessage&, XdrReader&) { HandleEnd(); });
    }

    void HandleEnd()
    {
        if (--m_pending == 0 && !IsActive())
        {
            m_memory = nullptr;
        }
    }

    void GiveUp(uint32_t xid)
    {
        if (m_rpc && m_rpc->Cancel(xid))
        {
            NoteBroken("gives a call up", GetHostOf(GetHost().target));
        }
    }

    Time m_every;
    Time m_patience;
    uint64_t m_count{0};
    uint32_t m_burst{1};
    uint32_t m_octets{0};
    std::string m_operation;
    Ptr<RpcClient> m_rpc;
    Ptr<Nfs3Client> m_nfs;
    std::shared_ptr<HostBuffer> m_memory; ///< Where READs go.
    EventId m_round;
    uint32_t m_pending{0};
};

NS_OBJECT_ENSURE_REGISTERED(AbortStorm);

} // namespace

} // namespace ns3::nfsrdma
