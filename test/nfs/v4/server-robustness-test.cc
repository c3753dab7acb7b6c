/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/generator.h"
#include "nfs/v4/server-fixture.h"

#include "ns3/boolean.h"

#include <random>

namespace ns3::nfsrdma::test
{
namespace
{

/**
 * Random operations against a server with some state. Whatever they are: each call is answered, the
 * answer decodes, its results are those of the operations up to the first failure, and it is not
 * longer than the session allows.
 */
class Nfs4ServerRobustness : public Nfs4ServerFixture
{
  protected:
    static constexpr uint32_t ROUNDS = 6000;
    static constexpr uint64_t GREATEST_RANGE = 1U << 20U;

    /// Half of the handles and stateids that operations name are real ones.
    void MakeReal(Nfs4ArgOp& op)
    {
        if (auto* put = std::get_if<PutfhArgs4>(&op))
        {
            const std::vector<InodeNumber> all{m_root, m_dir, m_file, m_link};
            put->object = GetHandle(all[m_random() % all.size()]);
        }
        if (auto* args = std::get_if<ReadArgs4>(&op))
        {
            Bound(args->stateid, args->offset);
        }
        if (auto* args = std::get_if<WriteArgs4>(&op))
        {
            Bound(args->stateid, args->offset);
        }
        if (auto* args = std::get_if<CloseArgs4>(&op))
        {
            args->openStateid = m_known[m_random() % m_known.size()];
        }
        if (auto* args = std::get_if<DelegreturnArgs4>(&op))
        {
            args->stateid = m_known[m_random() % m_known.size()];
        }
        if (auto* args = std::get_if<AllocateArgs4>(&op))
        {
            Bound(args->stateid, args->offset);
            args->length %= GREATEST_RANGE;
        }
        if (auto* args = std::get_if<DeallocateArgs4>(&op))
        {
            Bound(args->stateid, args->offset);
        }
        if (auto* args = std::get_if<OpenArgs4>(&op))
        {
            args->owner.clientId = m_client;
            args->shareAccess = 1 + args->shareAccess % 3;
            args->shareDeny = 0;
            args->claim.file = m_random() % 2 == 0 ? "file" : "x" + std::to_string(m_random() % 9);
        }
    }

    void Bound(Nfs4StateId& state, uint64_t& offset)
    {
        state = m_random() % 2 == 0 ? Nfs4StateId() : m_known[m_random() % m_known.size()];
        offset %= GREATEST_RANGE;
    }

    void Note(const Nfs4ResOp& result)
    {
        const auto* open = std::get_if<OpenRes4>(&result);
        if (open != nullptr && open->status == Nfs4Status::OK)
        {
            m_known.push_back(open->stateid);
            if (open->delegation.type == OpenDelegationType4::READ)
            {
                m_known.push_back(open->delegation.stateid);
            }
        }
    }

    void Check(const std::vector<Nfs4Op>& sent, const Answer& answer)
    {
        ASSERT_EQ(answer.accepted, RpcAcceptStatus::SUCCESS);
        ASSERT_LE(answer.results.ops.size(), sent.size());
        for (std::size_t i = 0; i < answer.results.ops.size(); ++i)
        {
            const Nfs4ResOp& result = answer.results.ops[i];
            EXPECT_EQ(GetOp(result), sent[i]);
            const bool last = i + 1 == answer.results.ops.size();
            EXPECT_EQ(GetStatus(result), last ? answer.results.status : Nfs4Status::OK);
            Note(result);
        }
        EXPECT_LE(24 + answer.payload.GetLength(), 266240U);
    }

    std::mt19937_64 m_random{75};
    std::vector<Nfs4StateId> m_known{Nfs4StateId()};
};

TEST_F(Nfs4ServerRobustness, RandomOperationsAreAnswered)
{
    m_server->SetAttribute("Layouts", BooleanValue(true));
    m_server->SetAttribute("Reflinks", BooleanValue(true));
    Nfs4Generator generator(7862);
    m_minorVersion = 2;
    Mount();
    uint32_t carried = 0;
    for (uint32_t round = 0; round < ROUNDS; ++round)
    {
        std::vector<Nfs4ArgOp> ops{Put(m_random() % 2 == 0 ? m_root : m_file)};
        const std::size_t count = 1 + m_random() % 4;
        while (ops.size() <= count)
        {
            Nfs4ArgOp op = generator.ArgOp(2);
            const Nfs4Op number = GetOp(op);
            if (number == Nfs4Op::DESTROY_SESSION || number == Nfs4Op::WRITE ||
                number == Nfs4Op::CREATE)
            {
                continue;
            }
            MakeReal(op);
            ops.push_back(std::move(op));
        }
        std::vector<Nfs4Op> sent{Nfs4Op::SEQUENCE};
        for (const Nfs4ArgOp& op : ops)
        {
            sent.push_back(GetOp(op));
        }
        const auto answer = InSession(std::move(ops), m_random() % 4 == 0);
        carried += answer.results.status == Nfs4Status::OK ? 1 : 0;
        ASSERT_NO_FATAL_FAILURE(Check(sent, answer)) << round;
    }
    EXPECT_GT(carried, ROUNDS / 50);
}

TEST_F(Nfs4ServerRobustness, RandomOctetsAreAnswered)
{
    Mount();
    for (uint32_t round = 0; round < ROUNDS; ++round)
    {
        RpcReceivedMessage message;
        message.octets = {0, 0, 0, 0, 0, 0, 0, static_cast<uint8_t>(m_random() % 4), 0, 0, 0, 2};
        const std::size_t words = m_random() % 40;
        for (std::size_t i = 0; i < words; ++i)
        {
            message.octets.insert(message.octets.end(),
                                  {0, 0, 0, static_cast<uint8_t>(m_random() % 80)});
        }
        const auto answer = Dispatch(std::move(message));
        EXPECT_TRUE(answer.accepted == RpcAcceptStatus::SUCCESS ||
                    answer.accepted == RpcAcceptStatus::GARBAGE_ARGS);
    }
}

} // namespace
} // namespace ns3::nfsrdma::test
