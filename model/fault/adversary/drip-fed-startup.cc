/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/connection-attack.h"
#include "rpcrdma/message/private-data.h"

#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

namespace
{

/// A connection that is held in startup, or in the silence after it.
class HeldStartup : public RawStream
{
  public:
    /// What is sent of a Request.
    enum Manner
    {
        OCTETS,   ///< An octet at a time, OctetInterval apart.
        WITHHELD, ///< All but the private data that it announces.
        SILENT,   ///< Nothing.
        COMPLETE  ///< The whole Request, and nothing after it: a connection on which nobody speaks.
    };

    HeldStartup(ConnectionAttackRole& role, Manner manner, Time octetInterval)
        : m_role(role),
          m_manner(manner),
          m_octetInterval(octetInterval)
    {
        MpaStartupFrame request;
        request.privateData = manner == WITHHELD ? ByteVector(MpaStartupFrame::MAX_PRIVATE_DATA)
                                                 : RpcRdmaPrivateData{}.Encode();
        m_request = request.Encode();
    }

    ~HeldStartup() override
    {
        m_next.Cancel();
    }

    HeldStartup(const HeldStartup&) = delete;
    HeldStartup& operator=(const HeldStartup&) = delete;

  protected:
    void HandleConnected() override
    {
        const bool completes = m_manner == COMPLETE;
        m_role.Note(completes ? "held in silence" : "held in startup");
        if (completes)
        {
            SendOctets(m_request);
        }
        else if (m_manner == OCTETS)
        {
            SendNext();
        }
        else if (m_manner == WITHHELD)
        {
            SendOctets(ByteSpan(m_request).first(MpaStartupFrame::HEADER_SIZE));
        }
    }

    void HandleEnd() override
    {
        m_next.Cancel();
        m_role.Note("ended by the server");
        m_role.Retire();
    }

  private:
    /// The last octet is never sent.
    void SendNext()
    {
        if (m_sent + 1 < m_request.size())
        {
            SendOctets(ByteSpan(m_request).subspan(m_sent++, 1));
            m_next = Simulator::Schedule(m_octetInterval, &HeldStartup::SendNext, this);
        }
    }

    ConnectionAttackRole& m_role;
    Manner m_manner;
    Time m_octetInterval;
    ByteVector m_request;
    std::size_t m_sent{0};
    EventId m_next;
};

/**
 * \brief Connections that never come through MPA startup, to fill a listener's backlog (RFC 5044
 * section 7.1.2, rules 8 to 10): silent ones, Requests that come octet by octet, Requests whose
 * private data is announced and withheld; or that come through it, and then are silent, to hold
 * what the server keeps for a connection (the second half of rule 10).
 *
 * Notes each connection that is held, and each that the server has ended.
 */
class DripFedStartup : public ConnectionAttackRole
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            MakeRoleType<DripFedStartup, ConnectionAttackRole>("DripFedStartup",
                                                               "Manner",
                                                               &DripFedStartup::m_manner,
                                                               "OctetInterval",
                                                               &DripFedStartup::m_octetInterval);
        return tid;
    }

  protected:
    [[nodiscard]] std::unique_ptr<RawStream> MakeAttempt(uint64_t /* number */) override
    {
        auto stream = std::make_unique<HeldStartup>(*this,
                                                    static_cast<HeldStartup::Manner>(m_manner),
                                                    m_octetInterval);
        stream->Connect(*GetHost().device->GetTransport(), GetHost().target);
        return stream;
    }

  private:
    int m_manner{HeldStartup::OCTETS};
    Time m_octetInterval;
};

NS_OBJECT_ENSURE_REGISTERED(DripFedStartup);

} // namespace

} // namespace ns3::nfsrdma
