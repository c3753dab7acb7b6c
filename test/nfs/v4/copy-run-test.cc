/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server-operations.h"
#include "nfs/v4/server/copy-run.h"

namespace ns3::nfsrdma::test
{
namespace
{

/// A copy of two pieces and one octet that the mounted client of a server has been told of.
class Nfs4CopyRunTest : public Nfs4ServerOperations
{
  protected:
    static constexpr uint64_t OCTETS = 2 * Nfs4CopyRun::PIECE + 1;

    void SetUp() override
    {
        m_minorVersion = 2;
        Nfs4ServerOperations::SetUp();
        Mount();
        Nfs4AsyncCopy copy;
        copy.client = m_client;
        copy.from = m_store->AddFile(m_root, "from", OCTETS, {0666, 0, 0});
        copy.to = m_store->AddFile(m_root, "to", 0, {0666, 0, 0});
        copy.count = OCTETS;
        m_copy = m_server->GetState().copies.Add(std::move(copy));
    }

    void Start()
    {
        std::make_shared<Nfs4CopyRun>(m_server->GetState(), m_storage, m_copy)->Start();
    }

    [[nodiscard]] uint64_t GetCopied() const
    {
        return m_store->Get(m_copy->to).content->GetSize();
    }

    [[nodiscard]] uint64_t GetNotices()
    {
        return m_server->GetState().callbacks.GetSent(m_client, Nfs4CbOp::OFFLOAD);
    }

    Nfs4AsyncCopyPtr m_copy;
    Ptr<ServerStorage> m_storage; ///< Null: takes no time.
};

TEST_F(Nfs4CopyRunTest, IsForgottenWhenTheClientKnowsOfItsEnd)
{
    Start();
    EXPECT_EQ(GetCopied(), OCTETS);
    EXPECT_EQ(m_copy->copied, OCTETS);
    EXPECT_EQ(m_copy->ended, Nfs4Status::OK);
    EXPECT_EQ(GetNotices(), 1U);
    Simulator::Run();
    EXPECT_FALSE(m_copy->stopped);
    CbCompound4Res results;
    CbSequenceRes4 sequence;
    sequence.sessionId = m_session;
    results.ops = {sequence, CbOffloadRes4()};
    XdrWriter writer;
    results.Encode(writer);
    m_transport->Answer(writer.Take());
    Simulator::Run();
    EXPECT_EQ(m_server->GetState().copies.Find(m_client, m_copy->id), nullptr);
}

TEST_F(Nfs4CopyRunTest, WithoutItsFileItEndsWithAnError)
{
    m_copy->from = 12345;
    Start();
    EXPECT_EQ(m_copy->ended, Nfs4Status::STALE);
    EXPECT_EQ(GetCopied(), 0U);
    EXPECT_EQ(GetNotices(), 1U);
}

TEST_F(Nfs4CopyRunTest, AStoppedOneDoesNothing)
{
    m_server->GetState().copies.Remove(m_copy);
    Start();
    EXPECT_EQ(GetCopied(), 0U);
    EXPECT_FALSE(m_copy->ended);
    EXPECT_EQ(GetNotices(), 0U);
}

TEST_F(Nfs4CopyRunTest, ARestartStopsItBetweenPieces)
{
    const auto device = CreateObject<StorageModel>();
    device->SetAttribute("ReadLatency", TimeValue(Seconds(1)));
    m_storage = CreateObject<ServerStorage>();
    m_storage->SetDevice(device);
    Start();
    Simulator::Schedule(MilliSeconds(1500), [this] { m_server->Restart(); });
    Simulator::Run();
    EXPECT_EQ(GetCopied(), Nfs4CopyRun::PIECE);
    EXPECT_EQ(m_copy->copied, Nfs4CopyRun::PIECE);
    EXPECT_FALSE(m_copy->ended);
}

} // namespace
} // namespace ns3::nfsrdma::test
