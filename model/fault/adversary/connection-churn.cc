/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/attack-messages.h"
#include "fault/adversary/connection-attack.h"
#include "rpcrdma/message/private-data.h"

namespace ns3::nfsrdma
{

namespace
{

class ShortConnection : public RawMpaStream
{
  public:
    /// How a connection is dropped.
    enum Ending
    {
        RESET,    ///< RST.
        FIN,      ///< In order.
        TERMINATE ///< With an RDMAP Terminate, then FIN.
    };

    ShortConnection(ConnectionAttackRole& role, Ending ending, uint32_t xid)
        : m_role(role),
          m_ending(ending),
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
        switch (m_ending)
        {
        case RESET:
            Abort();
            break;
        case TERMINATE:
            SendUlpdu(AttackMessages::MakeTerminate(
                TerminateReason::From(RdmapError::OPERATION_UNSPECIFIED)));
            Close();
            break;
        case FIN:
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
    ConnectionAttackRole& m_role;
    Ending m_ending;
    uint32_t m_xid;
    bool m_served{false};
};

/**
 * \brief Connects as a good client does, makes one Call of procedure NULL, drops the connection,
 * and comes again: each time the server makes a queue pair and receives, and takes them down.
 *
 * Notes each connection dropped after a Call was served, and each that was refused.
 */
class ConnectionChurn : public ConnectionAttackRole
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            MakeRoleType<ConnectionChurn, ConnectionAttackRole>("ConnectionChurn",
                                                                "Ending",
                                                                &ConnectionChurn::m_ending);
        return tid;
    }

  protected:
    [[nodiscard]] std::unique_ptr<RawStream> MakeAttempt(uint64_t number) override
    {
        auto stream =
            std::make_unique<ShortConnection>(*this,
                                              static_cast<ShortConnection::Ending>(m_ending),
                                              static_cast<uint32_t>(number + 1));
        Start(*stream, RpcRdmaPrivateData{}.Encode());
        return stream;
    }

  private:
    int m_ending{ShortConnection::RESET};
};

NS_OBJECT_ENSURE_REGISTERED(ConnectionChurn);

} // namespace

} // namespace ns3::nfsrdma
