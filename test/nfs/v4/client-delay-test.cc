/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "client-fixture.h"

namespace ns3::nfsrdma::test
{

namespace
{

/// A server that says DELAY, to clients of NFSv4.0 and 4.1.
class ClientDelay : public Nfs4ClientTest, public ::testing::WithParamInterface<uint32_t>
{
  protected:
    uint32_t GetMinorVersion() const override
    {
        return GetParam();
    }

    /// The LOCKs that the server has seen.
    std::vector<LockArgs4> GetLocks() const
    {
        std::vector<LockArgs4> locks;
        for (const auto& call : m_server->calls)
        {
            for (const auto& op : call.ops)
            {
                if (const auto* lock = std::get_if<LockArgs4>(&op))
                {
                    locks.push_back(*lock);
                }
            }
        }
        return locks;
    }
};

TEST_P(ClientDelay, WaitsDoubleUpToFifteenSeconds)
{
    Mount();
    m_server->errors[Nfs4Op::LOOKUP] = std::vector<Nfs4Status>(10, Nfs4Status::DELAY);
    const Time start = Simulator::Now();
    EXPECT_TRUE(Await<FileObjectReply>([&](auto done) {
                    m_files->Run(FileLookup{{m_files->GetRoot(), "x"}}, done);
                }).IsOk());
    // 0.1 + 0.2 + 0.4 + 0.8 + 1.6 + 3.2 + 6.4 + 12.8, then 15 twice.
    EXPECT_GE(Simulator::Now() - start, MilliSeconds(55500));
    EXPECT_LT(Simulator::Now() - start, MilliSeconds(55520));
    Unmount();
}

TEST_P(ClientDelay, LockThatIsDelayedCountsItsSeqidsUp)
{
    Mount();
    const auto opened = Open("file", true);
    m_server->errors[Nfs4Op::LOCK] = {Nfs4Status::DELAY, Nfs4Status::DELAY};
    const auto lock = [&] {
        return Await<FileReply>([&](auto done) {
            m_files->GetLocks().Lock(opened.file, LockType4::WRITE, 0, 100, done);
        });
    };
    EXPECT_TRUE(lock().IsOk());
    auto locks = GetLocks();
    ASSERT_EQ(locks.size(), 3U);
    const uint32_t first = locks[0].openOwner.openSeqid;
    const uint32_t step = GetParam() == 0 ? 1 : 0;
    for (uint32_t i = 0; i < 3; ++i)
    {
        EXPECT_TRUE(locks[i].newLockOwner);
        EXPECT_EQ(locks[i].openOwner.openSeqid, first + i * step);
        EXPECT_EQ(locks[i].openOwner.lockSeqid, i * step);
    }
    EXPECT_TRUE(lock().IsOk());
    locks = GetLocks();
    ASSERT_EQ(locks.size(), 4U);
    EXPECT_FALSE(locks[3].newLockOwner);
    EXPECT_EQ(locks[3].lockOwner.lockSeqid, 3 * step);
    Close(opened.file);
    Unmount();
}

INSTANTIATE_TEST_SUITE_P(MinorVersions, ClientDelay, ::testing::Values(0U, 1U));

} // namespace

} // namespace ns3::nfsrdma::test
