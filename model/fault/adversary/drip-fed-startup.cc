/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/drip-fed-startup.h"

#include "rpcrdma/message/private-data.h"

#include "ns3/enum.h"
#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(DripFedStartup);

namespace
{

/// A connection that is held in startup, or in the silence after it.
class HeldStartup : public RawStream
{
  public:
    explicit HeldStartup(DripFedStartup& role)
        : m_role(role)
    {
        MpaStartupFrame request;
        request.privateData = role.GetManner() == DripFedStartup::WITHHELD
                                  ? ByteVector(MpaStartupFrame::MAX_PRIVATE_DATA)
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
        const bool completes = m_role.GetManner() == DripFedStartup::COMPLETE;
        m_role.Note(completes ? "held in silence" : "held in startup");
        if (completes)
        {
            SendOctets(m_request);
        }
        else if (m_role.GetManner() == DripFedStartup::OCTETS)
        {
            SendNext();
        }
        else if (m_role.GetManner() == DripFedStartup::WITHHELD)
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
            m_next = Simulator::Schedule(m_role.GetOctetInterval(), &HeldStartup::SendNext, this);
        }
    }

    DripFedStartup& m_role;
    ByteVector m_request;
    std::size_t m_sent{0};
    EventId m_next;
};

} // namespace

TypeId
DripFedStartup::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::DripFedStartup")
            .SetParent<ConnectionAttackRole>()
            .SetGroupName("NfsRdma")
            .AddConstructor<DripFedStartup>()
            .AddAttribute("Manner",
                          "What is sent of an MPA Request: octets (one at a time, never the last), "
                          "withheld (all but the private data announced), silent (nothing) or "
                          "complete (all of it, but no FPDU after it). Default: octets.",
                          EnumValue(OCTETS),
                          MakeEnumAccessor(&DripFedStartup::m_manner),
                          MakeEnumChecker(OCTETS,
                                          "octets",
                                          WITHHELD,
                                          "withheld",
                                          SILENT,
                                          "silent",
                                          COMPLETE,
                                          "complete"))
            .AddAttribute("OctetInterval",
                          "Time from one octet to the next (Time). Default: 10 ms.",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&DripFedStartup::m_octetInterval),
                          MakeTimeChecker(NanoSeconds(1)));
    return tid;
}

std::unique_ptr<RawStream>
DripFedStartup::MakeAttempt(uint64_t /* number */)
{
    auto stream = std::make_unique<HeldStartup>(*this);
    stream->Connect(*GetHost().device->GetTransport(), GetHost().target);
    return stream;
}

} // namespace ns3::nfsrdma
