/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/header-spoiler.h"
#include "fault/adversary/registry.h"
#include "rpcrdma/server/call-header-check.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t XID = 0x12345678;

/// \return RDMA_MSG with a Write chunk and a Reply chunk, and a call of 40 octets.
ByteVector
MakeGoodMessage(uint32_t& headerLength)
{
    RpcRdmaHeader header;
    header.xid = XID;
    header.credit = 32;
    header.chunks.writeList.push_back({{7, 4096, 0}});
    header.chunks.replyChunk = RpcRdmaWriteChunk{{8, 1024, 64}, {9, 1024, 0}};
    headerLength = header.GetEncodedSize();
    ByteVector message(headerLength + 40);
    ByteWriter writer(message);
    header.Encode(writer);
    writer.WriteU32(XID);
    return message;
}

TEST(HeaderSpoilerTest, NoWayButFlippedBitsLeavesACallThatIsServed)
{
    std::mt19937_64 generator(20261122);
    const auto draw = [&generator](uint32_t bound) {
        return static_cast<uint32_t>(generator() % bound);
    };
    const HeaderSpoiler spoiler(draw);
    const CallHeaderCheck check(*CallHeaderRules::Create("rfc8166"), CallLimits());
    uint32_t headerLength = 0;
    const ByteVector good = MakeGoodMessage(headerLength);
    ASSERT_EQ(check.Check(good).verdict, CallVerdict::CALL);
    std::set<std::string> names;
    for (uint32_t way = 0; way < HeaderSpoiler::WAYS; ++way)
    {
        for (int i = 0; i < 500; ++i)
        {
            ByteVector message = good;
            const std::string name = spoiler.SpoilBy(way, message, headerLength);
            names.insert(name);
            EXPECT_NE(message, good) << name;
            EXPECT_FALSE(message.empty());
            const CheckedCall checked = check.Check(message);
            if (name != "malformed: bits flipped")
            {
                EXPECT_NE(checked.verdict, CallVerdict::CALL) << name;
            }
        }
    }
    EXPECT_EQ(names.size(), HeaderSpoiler::WAYS);
}

TEST(AdversaryRegistryTest, HasEveryNameOnceAndMakesTheRole)
{
    std::set<std::string> names;
    for (const AdversaryEntry& entry : GetAdversaryRoles())
    {
        EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
        const auto role = entry.Create();
        ASSERT_NE(role, nullptr);
        EXPECT_EQ(role->GetInstanceTypeId(), entry.GetType());
        EXPECT_EQ(role->GetBroken(), 0U);
        role->Dispose();
    }
    EXPECT_EQ(GetAdversaryRoles().Find("none"), nullptr);
}

} // namespace

} // namespace ns3::nfsrdma
