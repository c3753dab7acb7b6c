/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/server/connection-credits.h"

#include "ns3/assert.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

SvcRdmaConnectionCredits::SvcRdmaConnectionCredits(std::shared_ptr<const SvcRdmaSettings> settings,
                                                   std::shared_ptr<SvcRdmaStatistics> statistics,
                                                   std::function<uint32_t()> countReverseCalls)
    : m_settings(std::move(settings)),
      m_statistics(std::move(statistics)),
      m_countReverseCalls(std::move(countReverseCalls))
{
}

SvcRdmaConnectionCredits::~SvcRdmaConnectionCredits()
{
    End();
}

uint32_t
SvcRdmaConnectionCredits::GetQueueDepth() const
{
    const uint32_t most = std::max(m_settings->creditPool->GetMaximum(), m_settings->creditCeiling);
    return most + GetStock(most) +
           std::max(GetExtraReceives(), m_settings->backchannelCredits + m_doneReceives) +
           m_settings->receiveBatch;
}

bool
SvcRdmaConnectionCredits::Start(Ptr<HostMemory> memory,
                                Ptr<QueuePair> pair,
                                uint32_t size,
                                HostMemoryAccount account)
{
    SvcRdmaCreditPool& pool = *m_settings->creditPool;
    m_pair = pair;
    m_fewReceives = pair->GetCapabilities().receiveDepth < GetQueueDepth();
    m_receives = std::make_unique<ReceiveBuffers>(memory, pair, size, &pool.GetBudget(), account);
    pool.AddConnection();
    const bool posted = m_receives->Post(1 + GetExtraReceives());
    SetGranted(1);
    if (posted)
    {
        SetGranted(PostForGrant(pool.GrantFirst()));
        PostUpTo(m_granted + GetStock(m_granted) + GetExtraReceives());
        ReportMemory();
    }
    return posted;
}

void
SvcRdmaConnectionCredits::End()
{
    if (m_receives)
    {
        m_settings->creditPool->ChangeGrant(m_granted, 0);
        m_settings->creditPool->RemoveConnection();
        m_receives.reset();
        ReportMemory();
    }
    m_pair = nullptr;
}

void
SvcRdmaConnectionCredits::Take(const WorkCompletion& completion, ByteVector& message)
{
    m_receives->Take(completion, message);
    const uint32_t others =
        m_fewReceives ? GetExtraReceives() : m_doneReceives + m_countReverseCalls();
    if (m_receives->GetPosted() < m_granted + others)
    {
        const uint32_t stock = GetStock(m_granted);
        const uint32_t missing = m_granted + others + stock - m_receives->GetPosted();
        ++m_statistics->receiveRefills;
        m_receives->Post(LimitByMemory(stock > 0 ? missing : std::max(GetBatch(), 1U)));
    }
    m_receives->Trim(m_granted + GetStock(m_granted) + GetExtraReceives() + GetBatch());
    ReportMemory();
}

uint32_t
SvcRdmaConnectionCredits::Grant(uint32_t requested, uint32_t inService)
{
    const uint32_t grant =
        m_settings->creditPool->Grant(requested, m_granted, inService, m_receives->GetBufferSize());
    SetGranted(grant > m_granted ? PostForGrant(grant) : grant);
    if (m_granted > std::max(requested, 1U))
    {
        ++m_statistics->grantsUnasked;
    }
    if (m_receives->GetPosted() < m_granted && m_pair->GetState() == QueuePairState::RTS)
    {
        ++m_statistics->creditsUncovered;
    }
    NS_ASSERT_MSG(m_receives->GetPosted() >= m_granted || m_pair->GetState() != QueuePairState::RTS,
                  "credits without a receive");
    return m_granted;
}

bool
SvcRdmaConnectionCredits::HasReverseReceive(std::function<bool()> resume)
{
    SvcRdmaCreditPool& pool = *m_settings->creditPool;
    if (!pool.IsBounded() || !m_receives)
    {
        return true;
    }
    const uint32_t needed = m_granted + GetExtraReceives() + 1;
    if (m_receives->GetPosted() < needed)
    {
        m_receives->Post(needed - m_receives->GetPosted());
        ReportMemory();
    }
    const bool has = m_receives->GetPosted() >= needed;
    if (!has && !m_awaitsReceive)
    {
        m_awaitsReceive = true;
        pool.AwaitReceive([this, resume = std::move(resume)] {
            m_awaitsReceive = !resume();
            return !m_awaitsReceive;
        });
    }
    return has;
}

uint32_t
SvcRdmaConnectionCredits::GetExtraReceives() const
{
    return m_doneReceives + (m_settings->creditPool->IsBounded() ? m_countReverseCalls()
                                                                 : m_settings->backchannelCredits);
}

uint32_t
SvcRdmaConnectionCredits::PostForGrant(uint32_t grant)
{
    PostUpTo(grant + GetExtraReceives());
    const bool bounded = m_settings->creditPool->IsBounded() || m_fewReceives || m_settings->memory;
    const uint32_t others = bounded ? GetExtraReceives() : 0;
    const uint32_t posted = m_receives->GetPosted();
    return std::max(std::min(grant, posted > others ? posted - others : 0), m_granted);
}

void
SvcRdmaConnectionCredits::PostUpTo(uint32_t needed)
{
    const uint32_t posted = m_receives->GetPosted();
    if (posted >= needed)
    {
        return;
    }
    const uint32_t held = m_receives->GetAllocated();
    uint32_t count = needed - posted;
    const uint32_t free = held - posted;
    if (count > free && m_settings->creditPool->IsBounded())
    {
        count =
            free +
            m_settings->creditPool->LimitGrowth(count - free, held, m_receives->GetBufferSize());
    }
    m_receives->Post(LimitByMemory(count));
    ReportMemory();
}

uint32_t
SvcRdmaConnectionCredits::LimitByMemory(uint32_t count) const
{
    const uint32_t free = m_receives->GetAllocated() - m_receives->GetPosted();
    if (!m_settings->memory || count <= free)
    {
        return count;
    }
    const uint64_t room = m_settings->memory->GetRoom() / 2 / m_receives->GetBufferSize();
    return free + static_cast<uint32_t>(std::min<uint64_t>(count - free, room));
}

void
SvcRdmaConnectionCredits::SetGranted(uint32_t credits)
{
    m_settings->creditPool->ChangeGrant(m_granted, credits);
    m_granted = credits;
    m_mostGranted = std::max(m_mostGranted, m_granted);
    m_statistics->grantPeak = std::max(m_statistics->grantPeak, m_granted);
    m_statistics->grantLimit =
        std::max(m_statistics->grantLimit, m_settings->creditPool->GetMaximum());
}

void
SvcRdmaConnectionCredits::ReportMemory()
{
    const SvcRdmaReceiveBudget& budget = m_settings->creditPool->GetBudget();
    m_statistics->receiveOctets = budget.GetOctets();
    m_statistics->receiveOctetsPeak = budget.GetPeakOctets();
    m_statistics->receivesPeak = std::max(m_statistics->receivesPeak, budget.GetPeakReceives());
}

} // namespace ns3::nfsrdma
