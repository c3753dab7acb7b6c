/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/impairment.h"

#include "ns3/boolean.h"
#include "ns3/double.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(LinkImpairment);

TypeId
LinkImpairment::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::LinkImpairment")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddConstructor<LinkImpairment>()
            .AddAttribute("DropProbability",
                          "Probability that a segment is lost. Default: a good link.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&LinkImpairment::m_dropProbability),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("DuplicateProbability",
                          "Probability that a segment arrives twice. Default: a good link.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&LinkImpairment::m_duplicateProbability),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("ReorderProbability",
                          "Probability that a segment is held for ReorderDelay, so that others "
                          "overtake it. Default: a good link.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&LinkImpairment::m_reorderProbability),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("ReorderDelay",
                          "How long such a segment is held (s). Default: some segments' time at 10 "
                          "Gbit/s.",
                          TimeValue(MicroSeconds(10)),
                          MakeTimeAccessor(&LinkImpairment::m_reorderDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("CorruptProbability",
                          "Probability that one bit of the payload is inverted, with the TCP "
                          "checksum made right. Default: a good link.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&LinkImpairment::m_corruptProbability),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("DataOnly",
                          "Whether segments without payload (acknowledgments, SYN, FIN) are left "
                          "alone. Default: so that a loss rate is that of data.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&LinkImpairment::m_dataOnly),
                          MakeBooleanChecker());
    return tid;
}

LinkImpairment::LinkImpairment()
    : m_drop(CreateObject<UniformRandomVariable>()),
      m_duplicate(CreateObject<UniformRandomVariable>()),
      m_reorder(CreateObject<UniformRandomVariable>()),
      m_corrupt(CreateObject<UniformRandomVariable>())
{
}

LinkImpairment::Fate
LinkImpairment::Decide(const TcpSegment& segment)
{
    if (m_dataOnly && segment.payload.empty())
    {
        return {};
    }
    Fate fate = m_fate ? m_fate(m_counters.segments, segment) : Draw(segment);
    ++m_counters.segments;
    if (fate.drop)
    {
        ++m_counters.dropped;
        return fate;
    }
    if (segment.payload.empty())
    {
        fate.flipBit.reset();
    }
    m_counters.duplicated += fate.duplicate ? 1 : 0;
    m_counters.delayed += fate.delay.IsStrictlyPositive() ? 1 : 0;
    m_counters.corrupted += fate.flipBit ? 1 : 0;
    return fate;
}

int64_t
LinkImpairment::AssignStreams(int64_t stream)
{
    m_drop->SetStream(stream);
    m_duplicate->SetStream(stream + 1);
    m_reorder->SetStream(stream + 2);
    m_corrupt->SetStream(stream + 3);
    return 4;
}

void
LinkImpairment::FlipBit(TcpSegment& segment, uint32_t bit)
{
    if (!segment.payload.empty())
    {
        segment.payload[bit / 8 % segment.payload.size()] ^=
            static_cast<uint8_t>(0x80U >> (bit % 8));
    }
}

LinkImpairment::Fate
LinkImpairment::Draw(const TcpSegment& segment)
{
    Fate fate;
    fate.drop = Happens(m_dropProbability, *m_drop);
    fate.duplicate = Happens(m_duplicateProbability, *m_duplicate);
    if (Happens(m_reorderProbability, *m_reorder))
    {
        fate.delay = m_reorderDelay;
    }
    if (Happens(m_corruptProbability, *m_corrupt) && !segment.payload.empty())
    {
        const auto bits = static_cast<uint32_t>(segment.payload.size() * 8);
        fate.flipBit = m_corrupt->GetInteger(0, bits - 1);
    }
    return fate;
}

} // namespace ns3::nfsrdma
