/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/policy/call-form.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

using Numbers = std::vector<std::size_t>;

/// A call of 100 octets and items of these lengths, and what each policy makes of it.
struct FormCase
{
    const char* policy;
    std::vector<uint32_t> lengths;
    bool eligible;
    uint32_t maxReadChunks;
    bool positionZero;
    Numbers reduced;
};

class CallForms : public ::testing::TestWithParam<FormCase>
{
};

CallForm
Choose(const FormCase& it, uint32_t elements = 6, bool reduction = true)
{
    RpcPayload call;
    call.octets.resize(100);
    for (const uint32_t length : it.lengths)
    {
        call.items.push_back({4096, length, it.eligible, 100, nullptr});
    }
    return CallFormPolicy::Create(it.policy)->Choose(
        {call, reduction, 3948, elements, it.maxReadChunks});
}

TEST_P(CallForms, AreThoseOfThePolicy)
{
    const CallForm form = Choose(GetParam());
    EXPECT_EQ(form.positionZero, GetParam().positionZero);
    EXPECT_EQ(form.reduced, GetParam().reduced);
}

INSTANTIATE_TEST_SUITE_P(
    Table,
    CallForms,
    ::testing::Values(FormCase{"linux", {}, true, 1, false, {}},
                      FormCase{"linux", {3848}, true, 1, false, {}},
                      FormCase{"linux", {3849}, true, 1, false, {0}},
                      FormCase{"linux", {3849}, false, 1, true, {}},
                      FormCase{"linux", {3849}, true, 0, true, {}},
                      FormCase{"linux", {3000, 3001}, true, 1, false, {1}},
                      FormCase{"linux", {3000, 9000, 4000}, true, 1, true, {1}},
                      FormCase{"linux", {3000, 9000, 4000}, true, 3, false, {0, 1, 2}},
                      FormCase{"reduce-all", {}, true, 4, false, {}},
                      FormCase{"reduce-all", {0, 4}, true, 4, false, {1}},
                      FormCase{"reduce-all", {4, 5000}, false, 4, true, {}},
                      FormCase{"reduce-all", {5000, 4}, true, 1, false, {0}},
                      FormCase{"reduce-as-needed", {3000, 100}, true, 4, false, {}},
                      FormCase{"reduce-as-needed", {3000, 100, 3100}, true, 4, false, {2}},
                      FormCase{"reduce-as-needed", {3900, 5000}, true, 4, false, {0, 1}},
                      FormCase{"reduce-as-needed", {3900, 5000}, true, 1, true, {1}},
                      FormCase{"never-reduce", {100}, true, 4, false, {}},
                      FormCase{"never-reduce", {5000}, true, 4, true, {}},
                      FormCase{"long", {5000}, true, 4, true, {}},
                      FormCase{"long", {}, true, 4, true, {}},
                      FormCase{"long-reduced", {8, 5000}, true, 4, true, {0, 1}},
                      FormCase{"long-reduced", {8, 5000}, false, 4, true, {}}));

TEST(CallFormPolicy, ElementsOfASendAreBounded)
{
    const FormCase item{"linux", {3000}, true, 1, false, {}};
    EXPECT_TRUE(Choose(item, 4).reduced.empty());
    EXPECT_EQ(Choose(item, 3).reduced, Numbers({0}));
    const FormCase text{"linux", {3000}, false, 1, true, {}};
    EXPECT_FALSE(Choose(text, 4).positionZero);
    EXPECT_TRUE(Choose(text, 3).positionZero);
}

TEST(CallFormPolicy, NothingIsReducedWhereTheFlavourForbidsIt)
{
    for (const std::string& name : CallFormPolicy::GetNames())
    {
        const CallForm form = Choose({name.c_str(), {9000}, true, 4, true, {}}, 6, false);
        EXPECT_TRUE(form.positionZero) << name;
        EXPECT_TRUE(form.reduced.empty()) << name;
    }
}

} // namespace
} // namespace ns3::nfsrdma
