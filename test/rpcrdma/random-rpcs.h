/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_RPCRDMA_RANDOM_RPCS_H
#define NFSRDMA_TEST_RPCRDMA_RANDOM_RPCS_H

#include "rpcrdma/rpcrdma-fixture.h"

#include "ns3/simulator.h"

#include <random>
#include <vector>

namespace ns3::nfsrdma
{

/// A \p Fixture whose RPCs, and what goes wrong meanwhile, are drawn; the parameter is the seed.
template <typename Fixture>
class RandomRpcs : public Fixture, public ::testing::WithParamInterface<uint32_t>
{
  protected:
    static constexpr uint32_t RPCS = 40;
    static constexpr uint32_t FAULTS = 8;

    /// Makes one thing go wrong.
    virtual void Break() = 0;

    uint32_t Draw(uint32_t below)
    {
        return static_cast<uint32_t>(m_random() % below);
    }

    /// Connects and has RPCs made within 20 ms, and things break within 25 ms.
    void Begin()
    {
        ASSERT_TRUE(this->m_server->Listen());
        this->m_client->Connect();
        for (uint32_t i = 0; i < RPCS; ++i)
        {
            const uint32_t length = Draw(2) == 0 ? Draw(3000) : Draw(70000);
            const bool give = Draw(2) == 0;
            Simulator::Schedule(MicroSeconds(Draw(20000)), [this, length, give] {
                m_results.push_back(give ? &this->Give(length, length) : &this->Take(length));
            });
        }
        for (uint32_t i = 0; i < FAULTS; ++i)
        {
            Simulator::Schedule(MicroSeconds(Draw(25000)), [this] {
                this->m_program->serviceTime = MicroSeconds(Draw(3000));
                Break();
            });
        }
    }

    /// Expects that all RPCs were made and have ended.
    void ExpectAllDone()
    {
        ASSERT_EQ(m_results.size(), RPCS);
        for (const auto* result : m_results)
        {
            ASSERT_TRUE(result->done) << result->record.xid;
        }
    }

    std::vector<const typename Fixture::Result*> m_results;

  private:
    std::mt19937_64 m_random{this->GetParam()};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_RPCRDMA_RANDOM_RPCS_H
