/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/connection-churn.h"

#include "fault/adversary/attack-messages.h"
#include "rpcrdma/message/private-data.h"

#include "ns3/enum.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(ConnectionChurn);

namespace
{

class ShortConnection : public RawMpaStream
{
  public:
    ShortConnection(ConnectionChurn& role, uint32_t xid)
        : m_role(role),
          m_xid(xid)
    {
    }

  protected:
    void HandleOperational() override
    {
        SendUlpdu(AttackMessages::MakeSend(1, AttackMessages::MakeNullMessage(m_xid)));
    }

    void HandleSegment(const Segment& /* segment */) override
    {
        m_served = true;
        m_role.Note("dropped after one call");
        switch (m_role.GetEnding())
        {
        case ConnectionChurn::RESET:
            Abort();
            break;
        case ConnectionChurn::TERMINATE:
            SendUlpdu(AttackMessages::MakeTerminate(
                TerminateReason::From(RdmapError::OPERATION_UNSPECIFIED)));
            Close();
            break;
        case ConnectionChurn::FIN:
            Close();
            break;
        }
    }

    void HandleEnd() override
    {
        if (!m_served)
        {
            m_role.Note("refused");
        }
        m_role.Retire();
    }

  private:
    ConnectionChurn& m_role;
    uint32_t m_xid;
    bool m_served{false};
};

} // namespace

TypeId
ConnectionChurn::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::ConnectionChurn")
            .SetParent<ConnectionAttackRole>()
            .SetGroupName("NfsRdma")
            .AddConstructor<ConnectionChurn>()
            .AddAttribute("Ending",
                          "How a connection is dropped: reset (RST), fin, or terminate (an RDMAP "
                          "Terminate, then FIN). Default: reset.",
                          EnumValue(RESET),
                          MakeEnumAccessor(&ConnectionChurn::m_ending),
                          MakeEnumChecker(RESET, "reset", FIN, "fin", TERMINATE, "terminate"));
    return tid;
}

std::unique_ptr<RawStream>
ConnectionChurn::MakeAttempt(uint64_t number)
{
    auto stream = std::make_unique<ShortConnection>(*this, static_cast<uint32_t>(number + 1));
    Start(*stream, RpcRdmaPrivateData{}.Encode());
    return stream;
}

} // namespace ns3::nfsrdma
