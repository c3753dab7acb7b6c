/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/cpu.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

/// The core that takes work, against the rule: of those that are free then the one that became free
/// last, the first of several; else the one that becomes free first.
class CoreChoiceTest : public ::testing::TestWithParam<uint32_t>
{
  protected:
    void SetUp() override
    {
        m_cpu->SetAttribute("Cores", UintegerValue(GetParam()));
        m_cpu->TraceConnectWithoutContext("Work",
                                          Callback<void, Time, Time, uint32_t, HostContext>(
                                              [this](Time, Time end, uint32_t core, HostContext) {
                                                  EXPECT_EQ(core, ChooseCore(m_ready))
                                                      << "of work that is ready at " << m_ready;
                                                  m_free[core] = end;
                                                  ++m_chosen[core];
                                              }));
    }

    void TearDown() override
    {
        m_cpu->Dispose();
        Simulator::Destroy();
    }

    [[nodiscard]] uint32_t ChooseCore(Time ready) const
    {
        uint32_t best = 0;
        for (uint32_t core = 1; core < m_free.size(); ++core)
        {
            const bool idle = m_free[core] <= ready;
            const bool bestIdle = m_free[best] <= ready;
            const bool isBetter = idle && bestIdle   ? m_free[core] > m_free[best]
                                  : idle != bestIdle ? idle
                                                     : m_free[core] < m_free[best];
            best = isBetter ? core : best;
        }
        return best;
    }

    const Ptr<HostCpu> m_cpu = CreateObject<HostCpu>();
    std::vector<Time> m_free = std::vector<Time>(GetParam());
    std::vector<uint32_t> m_chosen = std::vector<uint32_t>(GetParam());
    Time m_ready; ///< When the work at hand can begin.
};

TEST_P(CoreChoiceTest, IsAsTheRuleSays)
{
    constexpr int STEPS = 5000;
    constexpr int THREADS = 12;
    std::mt19937 random(GetParam());
    const auto draw = [&random](int64_t most) {
        return static_cast<int64_t>(random() % static_cast<uint64_t>(most));
    };
    std::vector<HostThread> threads(THREADS);
    for (int step = 0; step < STEPS; ++step)
    {
        Simulator::Schedule(NanoSeconds(draw(2000)), [&] {
            HostThread& thread = threads[static_cast<std::size_t>(draw(THREADS))];
            // Equal costs, and few of them: cores become free at the same time.
            const Time cost = NanoSeconds(100 * draw(4));
            const Time now = Simulator::Now();
            const Time before = thread.GetFree();
            if (draw(3) == 0)
            {
                const Time since = now - NanoSeconds(draw(3000));
                m_ready = std::max(since, before);
                EXPECT_GE(m_cpu->Settle(thread, since, cost), m_ready + cost);
            }
            else
            {
                const Time earliest = now + NanoSeconds(draw(200));
                m_ready = std::max(earliest, before);
                EXPECT_GE(m_cpu->Run(thread, earliest, cost), m_ready + cost);
            }
        });
        if (step % 10 == 9)
        {
            Simulator::Run();
        }
    }
    EXPECT_GE(std::count_if(m_chosen.begin(), m_chosen.end(), [](uint32_t n) { return n > 0; }),
              std::min<uint32_t>(GetParam(), 3));
}

INSTANTIATE_TEST_SUITE_P(Cores, CoreChoiceTest, ::testing::Values(1U, 2U, 3U, 16U));

} // namespace

} // namespace ns3::nfsrdma
