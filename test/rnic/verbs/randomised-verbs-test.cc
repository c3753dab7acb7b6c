/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/verbs/random-verbs.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <iostream>

namespace ns3::nfsrdma::reference
{

namespace
{

/// \return the number in the environment, or \p otherwise.
uint64_t
FromEnvironment(const char* name, uint64_t otherwise)
{
    const char* value = std::getenv(name);
    return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

} // namespace

/**
 * \brief Random verbs against the rules, a seed a case.
 *
 * VERBS_SEED and VERBS_STEPS in the environment replace seed and steps; VERBS_STATISTICS prints how
 * often each thing has happened.
 */
class RandomisedVerbs : public ::testing::TestWithParam<uint64_t>
{
  protected:
    static void Run(uint64_t seed, uint64_t steps)
    {
        seed = FromEnvironment("VERBS_SEED", seed);
        steps = FromEnvironment("VERBS_STEPS", steps);
        RandomVerbs verbs(seed);
        try
        {
            verbs.Run(steps);
        }
        catch (const Mismatch& mismatch)
        {
            FAIL() << mismatch.what() << "\nVERBS_SEED=" << seed << "; the latest steps:\n"
                   << verbs.GetLog();
        }
        if (FromEnvironment("VERBS_STATISTICS", 0) != 0)
        {
            std::cout << verbs.GetStatistics();
        }
    }
};

TEST_P(RandomisedVerbs, KeepTheRules)
{
    Run(GetParam(), 4000);
}

INSTANTIATE_TEST_SUITE_P(Short, RandomisedVerbs, ::testing::Range<uint64_t>(1, 7));

class RandomisedVerbsLong : public RandomisedVerbs
{
};

TEST_P(RandomisedVerbsLong, KeepTheRules)
{
    Run(GetParam(), 100000);
}

INSTANTIATE_TEST_SUITE_P(Slow, RandomisedVerbsLong, ::testing::Range<uint64_t>(101, 107));

} // namespace ns3::nfsrdma::reference
