/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/generator.h"
#include "nfs/v4/protocol/reply-size.h"
#include "nfs/v4/protocol/size-meter.h"
#include "rpc/message.h"

#include <gtest/gtest.h>
#include <map>
#include <set>

namespace ns3::nfsrdma::test
{
namespace
{

/// \return octets of one result: number, status and the rest, un-reduced.
uint32_t
GetLength(const Nfs4ResOp& result)
{
    Compound4Res compound;
    compound.ops.push_back(result);
    XdrWriter writer;
    compound.Encode(writer);
    const Nfs3Data* const item = GetItem(result);
    const uint32_t reduced = item != nullptr && item->reduced ? RoundUp4(item->length) : 0;
    return static_cast<uint32_t>(writer.GetSize()) - 12 + reduced;
}

/// Random operations and results that a server could give.
class Nfs4ReplySizes : public testing::TestWithParam<uint32_t>
{
  protected:
    static constexpr uint32_t OPERATIONS = 100000;

    Nfs4ReplySizes()
    {
        m_generator.SetReduction(true, 20000);
    }

    Nfs4ArgOp MakeArgs()
    {
        m_generator.SetMaxElements(4);
        m_generator.SetMaxOctets(40);
        Nfs4ArgOp args = m_generator.ArgOp(GetParam());
        if (auto* read = std::get_if<ReadArgs4>(&args))
        {
            read->count = m_generator.Below(20000);
        }
        else if (auto* readdir = std::get_if<ReaddirArgs4>(&args))
        {
            readdir->maxcount = 16 + m_generator.Below(3000);
        }
        else if (auto* list = std::get_if<ListxattrsArgs4>(&args))
        {
            list->maxcount = 16 + m_generator.Below(300);
        }
        else if (auto* devices = std::get_if<GetdevicelistArgs4>(&args))
        {
            devices->maxDevices = m_generator.Below(10);
        }
        else if (auto* test = std::get_if<TestStateidArgs4>(&args))
        {
            test->stateids.resize(m_generator.Below(30));
        }
        return args;
    }

    /// \return a random result, as large as the operation's counts let it be now and then.
    Nfs4ResOp MakeResult(const Nfs4ArgOp& args)
    {
        m_generator.SetMaxElements(1 + m_generator.Below(12));
        m_generator.SetMaxOctets(1 + m_generator.Below(2000));
        Nfs4ResOp result;
        do
        {
            m_generator.FillAlternative(result, args.index());
            Fit(args, result);
        } while (!Suits(args, result));
        return result;
    }

    void Fit(const Nfs4ArgOp& args, Nfs4ResOp& result)
    {
        if (auto* getattr = std::get_if<GetattrRes4>(&result))
        {
            getattr->attributes = m_generator.Attributes(std::get<GetattrArgs4>(args).attrRequest);
        }
        else if (auto* read = std::get_if<ReadRes4>(&result))
        {
            const uint32_t count = std::get<ReadArgs4>(args).count;
            read->data =
                Nfs3Data::Reduced(m_generator.Coin() ? count : m_generator.Below(count + 1));
        }
        else if (auto* devices = std::get_if<GetdevicelistRes4>(&result))
        {
            devices->deviceIds.resize(
                m_generator.Below(std::get<GetdevicelistArgs4>(args).maxDevices + 1));
        }
        else if (auto* test = std::get_if<TestStateidRes4>(&result))
        {
            test->statusCodes.resize(std::get<TestStateidArgs4>(args).stateids.size());
        }
        else if (auto* readdir = std::get_if<ReaddirRes4>(&result))
        {
            while (!readdir->entries.empty() &&
                   GetLength(result) > 8 + std::get<ReaddirArgs4>(args).maxcount)
            {
                readdir->entries.pop_back();
            }
        }
        else if (auto* list = std::get_if<ListxattrsRes4>(&result))
        {
            while (!list->names.empty() &&
                   GetLength(result) > 8 + std::get<ListxattrsArgs4>(args).maxcount)
            {
                list->names.pop_back();
            }
        }
    }

    /// \return false for what no server answers to those arguments.
    static bool Suits(const Nfs4ArgOp& args, const Nfs4ResOp& result)
    {
        const auto* exchange = std::get_if<ExchangeIdRes4>(&result);
        if (exchange != nullptr)
        {
            return exchange->stateProtect.how == std::get<ExchangeIdArgs4>(args).stateProtect.how;
        }
        const auto* readdir = std::get_if<ReaddirArgs4>(&args);
        return readdir == nullptr || GetLength(result) <= 8 + readdir->maxcount;
    }

    Nfs4Generator m_generator{8267 + GetParam()};
};

TEST_P(Nfs4ReplySizes, NoResultPassesItsMaximumUnlessFlagged)
{
    std::map<Nfs4Op, uint32_t> exact;
    std::map<Nfs4Op, uint32_t> flagged;
    std::set<Nfs4Op> seen;
    uint32_t atMaximum = 0;
    uint32_t passed = 0;
    for (uint32_t i = 0; i < OPERATIONS; ++i)
    {
        const Nfs4ArgOp args = MakeArgs();
        const Nfs4ResOp result = MakeResult(args);
        const Nfs4Op op = GetOp(args);
        const Nfs4ResultSize size = GetNfs4ResultSize(args);
        const uint32_t length = GetLength(result);
        seen.insert(op);
        if (GetStatus(result) == Nfs4Status::OK)
        {
            EXPECT_GE(length, size.minimum) << ToString(op);
            if (size.IsExact())
            {
                EXPECT_EQ(length, size.maximum) << ToString(op);
                ++exact[op];
            }
        }
        atMaximum += length == size.maximum ? 1 : 0;
        if (size.bounded)
        {
            EXPECT_LE(length, size.maximum) << ToString(op);
        }
        else
        {
            ++flagged[op];
            passed += length > size.maximum ? 1 : 0;
        }
    }
    constexpr uint32_t OPERATIONS_OF[]{37, 56, 73};
    EXPECT_EQ(seen.size(), OPERATIONS_OF[GetParam()]);
    constexpr uint32_t EXACT_OF[]{20, 30, 39};
    EXPECT_GE(exact.size(), EXACT_OF[GetParam()]);
    EXPECT_GT(atMaximum, OPERATIONS / 4);
    EXPECT_GT(passed, 0U) << "nothing that is flagged was larger than its guess";
    for (const auto& [op, count] : flagged)
    {
        const std::set<Nfs4Op> unpredictable{Nfs4Op::GETATTR,
                                             Nfs4Op::OPEN,
                                             Nfs4Op::READLINK,
                                             Nfs4Op::SECINFO,
                                             Nfs4Op::SETCLIENTID,
                                             Nfs4Op::EXCHANGE_ID,
                                             Nfs4Op::GETDEVICEINFO,
                                             Nfs4Op::LAYOUTGET,
                                             Nfs4Op::SECINFO_NO_NAME,
                                             Nfs4Op::SET_SSV,
                                             Nfs4Op::WANT_DELEGATION,
                                             Nfs4Op::COPY_NOTIFY,
                                             Nfs4Op::READ_PLUS,
                                             Nfs4Op::GETXATTR};
        EXPECT_EQ(unpredictable.count(op), 1U) << ToString(op) << ' ' << count;
    }
}

TEST_P(Nfs4ReplySizes, CompoundsAreTheSumOfTheirOperations)
{
    uint32_t bounded = 0;
    for (uint32_t i = 0; i < OPERATIONS / 20; ++i)
    {
        Compound4Args args;
        Compound4Res result;
        args.minorVersion = GetParam();
        args.tag = m_generator.Octets(m_generator.Below(10));
        result.tag = args.tag;
        const uint32_t ops = 1 + m_generator.Below(5);
        uint32_t length =
            RpcReplyHeader::ACCEPTED_SIZE + 12 + RoundUp4(static_cast<uint32_t>(args.tag.size()));
        bool known = true;
        bool success = true;
        for (uint32_t op = 0; op < ops && success; ++op)
        {
            args.ops.push_back(MakeArgs());
            result.ops.push_back(MakeResult(args.ops.back()));
            length += GetLength(result.ops.back());
            known = known && GetNfs4ResultSize(args.ops.back()).bounded;
            success = GetStatus(result.ops.back()) == Nfs4Status::OK;
        }
        Nfs4ReplyLimits limits;
        limits.reduceReadlink = m_generator.Coin();
        const auto estimate = EstimateNfs4Reply(args, limits, Nfs4ReplySizePolicy::XDR);
        if (success)
        {
            EXPECT_GE(length, estimate.minimum);
        }
        if (known)
        {
            ++bounded;
            EXPECT_LE(length, estimate.GetTotal());
        }
        std::size_t item = 0;
        for (const Nfs4ArgOp& op : args.ops)
        {
            if (GivesItem(GetOp(op)))
            {
                const bool eligible = GetOp(op) == Nfs4Op::READ || limits.reduceReadlink;
                EXPECT_EQ(estimate.items.at(item).ddpEligible, eligible);
                ++item;
            }
        }
        EXPECT_EQ(item, estimate.items.size());
        if (known)
        {
            limits.maxResponseSize = std::max(estimate.minimum, length);
            const auto limited = EstimateNfs4Reply(args, limits, Nfs4ReplySizePolicy::XDR);
            EXPECT_LE(limited.GetTotal(), estimate.GetTotal());
            EXPECT_GE(limited.GetTotal(), std::min(length, limits.maxResponseSize));
        }
    }
    EXPECT_GT(bounded, OPERATIONS / 100);
}

INSTANTIATE_TEST_SUITE_P(MinorVersions,
                         Nfs4ReplySizes,
                         testing::Values(0U, 1U, 2U),
                         [](const auto& test) { return "v4_" + std::to_string(test.param); });

/// Sizes of protocol-defined results, number and status included.
TEST(Nfs4ResultSizes, AreThoseOfTheTables)
{
    const std::map<Nfs4Op, uint32_t> sizes{
        {Nfs4Op::ACCESS, 16},
        {Nfs4Op::CLOSE, 24},
        {Nfs4Op::COMMIT, 16},
        {Nfs4Op::LINK, 28},
        {Nfs4Op::LOOKUP, 8},
        {Nfs4Op::LOCKU, 24},
        {Nfs4Op::OPEN_CONFIRM, 24},
        {Nfs4Op::OPEN_DOWNGRADE, 24},
        {Nfs4Op::PUTFH, 8},
        {Nfs4Op::PUTROOTFH, 8},
        {Nfs4Op::REMOVE, 28},
        {Nfs4Op::RENAME, 48},
        {Nfs4Op::RENEW, 8},
        {Nfs4Op::SAVEFH, 8},
        {Nfs4Op::WRITE, 24},
        {Nfs4Op::BIND_CONN_TO_SESSION, 32},
        {Nfs4Op::DESTROY_SESSION, 8},
        {Nfs4Op::SEQUENCE, 44},
        {Nfs4Op::RECLAIM_COMPLETE, 8},
        {Nfs4Op::ALLOCATE, 8},
        {Nfs4Op::SEEK, 20},
        {Nfs4Op::CLONE, 8},
        {Nfs4Op::SETXATTR, 28},
        {Nfs4Op::REMOVEXATTR, 28},
    };
    Nfs4Generator generator(1);
    for (std::size_t index = 0; index < std::variant_size_v<Nfs4ArgOp::Variant>; ++index)
    {
        Nfs4ArgOp args;
        generator.FillAlternative(args, index);
        const Nfs4ResultSize size = GetNfs4ResultSize(args);
        const auto it = sizes.find(GetOp(args));
        if (it != sizes.end())
        {
            EXPECT_TRUE(size.IsExact()) << ToString(it->first);
            EXPECT_EQ(size.maximum, it->second) << ToString(it->first);
        }
    }
    ReadArgs4 read;
    read.count = 5;
    EXPECT_EQ(GetNfs4ResultSize(read).minimum, 16U);
    EXPECT_EQ(GetNfs4ResultSize(read).maximum, 24U);
    EXPECT_EQ(GetNfs4ResultSize(GetfhArgs4()).maximum, 140U);
    EXPECT_EQ(GetNfs4ResultSize(LockArgs4()).maximum, 1064U);
    EXPECT_EQ(GetNfs4ResultSize(CreateSessionArgs4()).minimum, 88U);
    EXPECT_EQ(GetNfs4ResultSize(CreateSessionArgs4()).maximum, 96U);
    EXPECT_EQ(GetNfs4ResultSize(LayoutreturnArgs4()).maximum, 28U);
    // Linux's default request: 112 octets and two names.
    const auto mask = Nfs4Bitmap::FromWords({0x0010011a, 0x00b0a23a});
    EXPECT_EQ(GetNfs4AttributesSize(mask).minimum, 8U);
    EXPECT_EQ(GetNfs4AttributesSize(mask).maximum, 16U + 4U + 112U + 2U * 132U);
    EXPECT_FALSE(GetNfs4AttributesSize(mask).bounded);
    EXPECT_TRUE(GetNfs4AttributesSize(MakeAttrMask({Nfs4Attr::SIZE, Nfs4Attr::MODE})).bounded);
}

TEST(Nfs4ReplyEstimate, OnlyLargeAttributesOfMinorVersionZeroAreTriedAgain)
{
    Compound4Args call;
    call.ops = {PutfhArgs4(), GetattrArgs4{MakeAttrMask({Nfs4Attr::ACL})}};
    EXPECT_FALSE(EstimateNfs4Reply(call).bounded);
    EXPECT_FALSE(EstimateNfs4Reply(call, {}, Nfs4ReplySizePolicy::XDR).bounded);
    call.minorVersion = 1;
    EXPECT_TRUE(EstimateNfs4Reply(call).bounded);
    call.minorVersion = 0;
    call.ops = {PutfhArgs4(), ReadlinkArgs4()};
    EXPECT_TRUE(EstimateNfs4Reply(call).bounded);
    call.ops = {PutfhArgs4(), GetattrArgs4{Nfs4Bitmap::FromWords({0x0010011a, 0x00b0a23a})}};
    EXPECT_TRUE(EstimateNfs4Reply(call).bounded);
    EXPECT_FALSE(EstimateNfs4Reply(call, {}, Nfs4ReplySizePolicy::XDR).bounded);
    call.ops = {PutfhArgs4(), GetattrArgs4{MakeAttrMask({Nfs4Attr::FS_LOCATIONS})}};
    EXPECT_FALSE(EstimateNfs4Reply(call).bounded);
}

TEST(Nfs4ReplyEstimate, CaMaxresponsesizeIsTheMostWhereNothingElseBoundsAReply)
{
    Compound4Args call;
    call.minorVersion = 1;
    call.ops = {SequenceArgs4(),
                PutfhArgs4(),
                GetattrArgs4{MakeAttrMask({Nfs4Attr::ACL, Nfs4Attr::FS_LOCATIONS})}};
    Nfs4ReplyLimits limits;
    const uint32_t unlimited = EstimateNfs4Reply(call, limits, Nfs4ReplySizePolicy::XDR).GetTotal();
    for (const uint32_t most : {600U, 1000U, 4096U})
    {
        ASSERT_LT(most, unlimited);
        limits.maxResponseSize = most;
        const auto estimate = EstimateNfs4Reply(call, limits, Nfs4ReplySizePolicy::XDR);
        EXPECT_EQ(estimate.GetTotal(), most);
        EXPECT_LE(estimate.minimum, most);
        EXPECT_EQ(EstimateNfs4Reply(call, limits).GetTotal(), EstimateNfs4Reply(call).GetTotal())
            << "the policy LINUX takes no notice";
    }
    limits.maxResponseSize = unlimited + 1;
    EXPECT_EQ(EstimateNfs4Reply(call, limits, Nfs4ReplySizePolicy::XDR).GetTotal(), unlimited);
}

TEST(Nfs4ReplyEstimate, SeveralReadsAreSeveralItems)
{
    Compound4Args call;
    call.minorVersion = 1;
    ReadArgs4 read;
    read.count = 5001;
    call.ops = {SequenceArgs4(), PutfhArgs4(), read, PutfhArgs4(), ReadlinkArgs4(), read};
    for (const auto policy : {Nfs4ReplySizePolicy::LINUX, Nfs4ReplySizePolicy::XDR})
    {
        Nfs4ReplyLimits limits;
        limits.reduceReadlink = true;
        const auto estimate = EstimateNfs4Reply(call, limits, policy);
        ASSERT_EQ(estimate.items.size(), 3U);
        EXPECT_EQ(estimate.items[0].maximum, 5001U);
        EXPECT_EQ(estimate.items[1].maximum, 4096U);
        EXPECT_EQ(estimate.items[2].maximum, 5001U);
        EXPECT_EQ(estimate.head, 24U + 12 + 44 + 8 + 16);
        EXPECT_EQ(estimate.tail, 3U + 8 + 12 + 16 + 3);
        EXPECT_EQ(estimate.minimum, 24U + 12 + 44 + 8 + 16 + 8 + 12 + 16);
    }
}

TEST(Nfs4ReplyEstimate, CallbacksFitInline)
{
    CbCompound4Args call;
    call.minorVersion = 1;
    call.ops = {CbSequenceArgs4(), CbRecallArgs4()};
    const auto estimate = EstimateNfs4Reply(call);
    EXPECT_EQ(estimate.head, 24U + 12 + 40 + 8);
    EXPECT_EQ(estimate.minimum, estimate.head);
    EXPECT_TRUE(estimate.items.empty());
}

} // namespace
} // namespace ns3::nfsrdma::test
