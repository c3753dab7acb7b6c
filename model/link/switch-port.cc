/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/switch-port.h"

#include "link/frame-head.h"

#include "ns3/header.h"

#include <algorithm>
#include <array>

namespace ns3::nfsrdma
{

namespace
{

using HeadOctets = std::array<uint8_t, FrameHead::IP_HEAD_SIZE>;

/// Octets of an idle link that count as one frame.
constexpr double IDLE_FRAME = 1000;
constexpr double NANOSECONDS = 1e9;
constexpr double BITS_PER_OCTET = 8;

/// The first octets of a frame, as they are.
class RawHead : public Header
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::nfsrdma::RawHead")
                                .SetParent<Header>()
                                .SetGroupName("NfsRdma")
                                .AddConstructor<RawHead>();
        return tid;
    }

    RawHead() = default;

    explicit RawHead(const HeadOctets& octets)
        : m_octets(octets)
    {
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return static_cast<uint32_t>(m_octets.size());
    }

    void Serialize(Buffer::Iterator start) const override
    {
        start.Write(m_octets.data(), GetSerializedSize());
    }

    uint32_t Deserialize(Buffer::Iterator start) override
    {
        start.Read(m_octets.data(), GetSerializedSize());
        return GetSerializedSize();
    }

    void Print(std::ostream& os) const override
    {
        os << "frame head";
    }

  private:
    HeadOctets m_octets{};
};

enum class Ability
{
    NONE,   ///< Cannot carry a mark.
    CAN,    ///< ECT(0) or ECT(1).
    MARKED, ///< Carries one.
};

Ability
GetAbility(ByteSpan head)
{
    const auto ecn = FrameHead::GetEcn(head);
    if (!ecn || *ecn == EcnCodepoint::NOT_ECT)
    {
        return Ability::NONE;
    }
    return *ecn == EcnCodepoint::CE ? Ability::MARKED : Ability::CAN;
}

} // namespace

SwitchPort::SwitchPort(Ptr<EthernetNetDevice> device)
    : m_device(device)
{
}

bool
SwitchPort::Send(const Ptr<Packet>& frame,
                 Time arrives,
                 const QueueMarkingSettings& settings,
                 const Ptr<UniformRandomVariable>& draw)
{
    const uint64_t waiting = m_device->GetWaitingOctetsAt(arrives);
    const uint32_t size = frame->GetSize();
    if (settings.marking != QueueMarking::NONE && !Meet(frame, arrives, waiting, settings, draw))
    {
        ++m_counters.dropped;
        return false;
    }
    m_counters.queueFound += waiting;
    if (!m_device->SendFrameAt(frame, arrives))
    {
        ++m_counters.dropped;
        return false;
    }
    ++m_counters.frames;
    m_counters.octets += size;
    m_counters.queueMost =
        std::max<uint64_t>(m_counters.queueMost, m_device->GetWaitingOctetsAt(arrives));
    return true;
}

bool
SwitchPort::Meet(const Ptr<Packet>& frame,
                 Time arrives,
                 uint64_t waiting,
                 const QueueMarkingSettings& settings,
                 const Ptr<UniformRandomVariable>& draw)
{
    const bool random = settings.marking == QueueMarking::RED;
    if (random)
    {
        m_average.Idle(settings.red, CountIdleFrames(arrives, waiting));
    }
    const bool congested = random ? m_average.Take(settings.red, waiting, draw->GetValue())
                                  : waiting > settings.threshold;
    if (!congested)
    {
        return true;
    }
    HeadOctets head{};
    const uint32_t copied = frame->CopyData(head.data(), static_cast<uint32_t>(head.size()));
    const Ability ability = GetAbility(ByteSpan(head.data(), copied));
    if (ability == Ability::CAN)
    {
        FrameHead::MarkCongestion(head);
        frame->RemoveAtStart(copied);
        frame->AddHeader(RawHead(head));
        ++m_counters.marked;
    }
    return ability != Ability::NONE || !random;
}

double
SwitchPort::CountIdleFrames(Time arrives, uint64_t waiting) const
{
    const Time idle = arrives - m_device->GetIdleFrom();
    if (waiting > 0 || !idle.IsStrictlyPositive())
    {
        return 0;
    }
    return static_cast<double>(idle.GetNanoSeconds()) / NANOSECONDS *
           static_cast<double>(m_device->GetDataRate().GetBitRate()) /
           (IDLE_FRAME * BITS_PER_OCTET);
}

} // namespace ns3::nfsrdma
