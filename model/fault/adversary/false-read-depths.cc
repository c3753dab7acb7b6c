/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/attack-messages.h"
#include "fault/adversary/connection-attack.h"
#include "rpcrdma/message/private-data.h"

#include "ns3/simulator.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

const Time DEPTHS_HELD_FOR = MilliSeconds(1);
/// The most that a startup frame can say (RFC 6581 section 9).
constexpr uint16_t LARGEST_DEPTH = MpaEnhancedBlock::NO_NEGOTIATION - 1;
constexpr uint16_t ONE_READ = 1;
/// Read Requests sent at once, and segments of the call that the server has to fetch.
constexpr uint32_t READS_AT_ONCE = 32;
constexpr uint32_t FETCHED_SEGMENTS = 4;
constexpr Stag FETCHED_STAG = 0x100;

/// By Kind, ALL included.
const std::vector<const char*> ANNOUNCEMENTS{"low-ord",
                                             "zero-ord",
                                             "unused-ord",
                                             "high-ird",
                                             "zero-ird",
                                             "all"};

class FalseDepthStream : public RawMpaStream
{
  public:
    /// What is said, and what is done.
    enum Kind
    {
        LOW_ORD,    ///< ORD 1, and many RDMA Reads at once.
        ZERO_ORD,   ///< ORD 0, and an RDMA Read.
        UNUSED_ORD, ///< The largest ORD, and no RDMA Read.
        HIGH_IRD, ///< The largest IRD, and room for one RDMA Read; a call to be fetched by several.
        ZERO_IRD, ///< IRD 0, so that nothing can be fetched.
        ALL       ///< Each in its turn.
    };

    FalseDepthStream(ConnectionAttackRole& role, Kind kind, uint32_t xid)
        : m_role(role),
          m_kind(kind),
          m_xid(xid)
    {
    }

    ~FalseDepthStream() override
    {
        m_hold.Cancel();
    }

    FalseDepthStream(const FalseDepthStream&) = delete;
    FalseDepthStream& operator=(const FalseDepthStream&) = delete;

    /// \return what the Request says, for a device of \p maxIrd and \p maxOrd.
    [[nodiscard]] MpaStartupParameters MakeAnnouncement(uint16_t maxIrd, uint16_t maxOrd) const
    {
        MpaStartupParameters said;
        said.ird = m_kind == ZERO_IRD ? 0 : m_kind == HIGH_IRD ? LARGEST_DEPTH : maxIrd;
        said.ord = m_kind == ZERO_ORD     ? 0
                   : m_kind == LOW_ORD    ? ONE_READ
                   : m_kind == UNUSED_ORD ? LARGEST_DEPTH
                                          : maxOrd;
        said.privateData = RpcRdmaPrivateData{}.Encode();
        return said;
    }

  protected:
    void HandleOperational() override
    {
        m_role.Note(ANNOUNCEMENTS.at(m_kind));
        m_hold = Simulator::Schedule(DEPTHS_HELD_FOR, [this] { Abort(); });
        m_accepted = true;
        switch (m_kind)
        {
        case LOW_ORD:
            SendReads(READS_AT_ONCE);
            break;
        case ZERO_ORD:
            SendReads(ONE_READ);
            break;
        case HIGH_IRD:
            SendUlpdu(AttackMessages::MakeSend(
                1,
                AttackMessages::MakeNullInChunk(
                    m_xid,
                    std::vector<RpcRdmaSegment>(
                        FETCHED_SEGMENTS,
                        {FETCHED_STAG, GetCallSize() / FETCHED_SEGMENTS, 0}))));
            break;
        default:
            SendUlpdu(AttackMessages::MakeSend(1, AttackMessages::MakeNullMessage(m_xid)));
            break;
        }
    }

    void HandleSegment(const Segment& segment) override
    {
        if (segment.opcode == RdmapOpcode::READ_REQUEST)
        {
            if (++m_requests == 2)
            {
                m_role.Note("sent more Reads than are held");
                SendUlpdu(AttackMessages::MakeTerminate(
                    TerminateReason::From(DdpError::UNTAGGED_NO_BUFFER)));
            }
        }
        else if (segment.opcode == RdmapOpcode::SEND)
        {
            m_role.Note(GetPeer().ird < LARGEST_DEPTH ? "answered with bounded depths"
                                                      : "answered with any depths");
        }
    }

    void HandleTerminate(TerminateReason reason) override
    {
        m_role.Note("told " + reason.ToString());
    }

    void HandleEnd() override
    {
        m_hold.Cancel();
        if (!m_accepted)
        {
            m_role.Note(std::string(ANNOUNCEMENTS.at(m_kind)) + " refused");
        }
        m_role.Retire();
    }

  private:
    [[nodiscard]] uint32_t GetCallSize() const
    {
        return static_cast<uint32_t>(AttackMessages::MakeNullCall(m_xid).size());
    }

    /// RDMA Reads of no octets, for which no STag is looked at (RFC 5040 section 5.2).
    void SendReads(uint32_t number)
    {
        for (uint32_t msn = 1; msn <= number; ++msn)
        {
            SendUlpdu(AttackMessages::MakeReadRequest(msn, {}));
        }
    }

    ConnectionAttackRole& m_role;
    Kind m_kind;
    uint32_t m_xid;
    uint32_t m_requests{0};
    bool m_accepted{false};
    EventId m_hold;
};

/**
 * \brief Lies at startup about the RDMA Reads that it can hold, and about those that it will ask
 * for (RFC 6581 section 9): IRD and ORD.
 *
 * Notes each lie that was accepted ("low-ord", ...) or not ("zero-ird refused"), and each Terminate
 * received. What the server does not end is reset after 1 ms.
 */
class FalseReadDepths : public ConnectionAttackRole
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            MakeRoleType<FalseReadDepths, ConnectionAttackRole>("FalseReadDepths",
                                                                "Kind",
                                                                &FalseReadDepths::m_kind);
        return tid;
    }

  protected:
    [[nodiscard]] std::unique_ptr<RawStream> MakeAttempt(uint64_t number) override
    {
        const Ptr<RnicDevice> device = GetHost().device;
        const int kind = m_kind == FalseDepthStream::ALL
                             ? static_cast<int>(number % FalseDepthStream::ALL)
                             : m_kind;
        auto stream = std::make_unique<FalseDepthStream>(*this,
                                                         static_cast<FalseDepthStream::Kind>(kind),
                                                         static_cast<uint32_t>(number + 1));
        MpaStartup::Policy policy = device->GetMpaSettings()->GetValues().policy;
        policy.revision = MpaStartup::MAX_REVISION;
        stream->Start(
            *device->GetTransport(),
            GetHost().target,
            policy,
            stream->MakeAnnouncement(static_cast<uint16_t>(device->GetSettings().maxIrd),
                                     static_cast<uint16_t>(device->GetSettings().maxOrd)));
        return stream;
    }

  private:
    int m_kind{FalseDepthStream::ALL};
};

NS_OBJECT_ENSURE_REGISTERED(FalseReadDepths);

} // namespace

} // namespace ns3::nfsrdma
