/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server-operations.h"

#include <functional>

namespace ns3::nfsrdma::test
{

namespace
{

/// A copy at the server of PIECES that take PIECE_TIME each, whose client has fallen silent.
class Nfs42CopyExpiry : public Nfs4ServerOperations
{
  protected:
    static constexpr uint64_t PIECE = 4U << 20;
    static constexpr uint64_t PIECES = 10;
    static constexpr int64_t PIECE_TIME = 20; ///< Seconds.

    void SetUp() override
    {
        m_minorVersion = 2;
        Nfs4ServerOperations::SetUp();
        const auto device = CreateObject<StorageModel>();
        device->SetAttribute("ReadLatency", TimeValue(Seconds(PIECE_TIME)));
        m_storage = CreateObject<ServerStorage>();
        m_storage->SetDevice(device);
        m_from = m_store->AddFile(m_root, "from", PIECES * PIECE, {0666, 0, 0});
        m_to = m_store->AddFile(m_root, "to", 0, {0666, 0, 0});
        Mount();
    }

    /// Opens both files and starts to copy all. COMPOUNDs take no time, what is copied does.
    void StartCopy()
    {
        CopyArgs4 args;
        args.srcStateid = GetOpenState(OpenIt("from", SHARE_READ));
        args.dstStateid = GetOpenState(OpenIt("to", SHARE_BOTH));
        args.count = PIECES * PIECE;
        args.synchronous = false;
        const auto started = InSession({Put(m_from), SavefhArgs4(), Put(m_to), args});
        ASSERT_EQ(started.results.status, Nfs4Status::OK);
        ASSERT_EQ(GetCopies(), 1U);
        m_server->SetStorage(m_storage);
    }

    [[nodiscard]] std::size_t GetCopies()
    {
        return m_server->GetState().copies.GetCount();
    }

    [[nodiscard]] uint64_t GetCopied() const
    {
        return m_store->Get(m_to).content->GetSize();
    }

    /// COMPOUNDs of \p what, after \p when, take no time.
    void AtOnce(Time when, std::function<void()> what)
    {
        Simulator::Schedule(when, [this, what = std::move(what)] {
            m_server->SetStorage(nullptr);
            what();
            m_server->SetStorage(m_storage);
        });
    }

    Ptr<ServerStorage> m_storage;
    InodeNumber m_from{0};
    InodeNumber m_to{0};
};

TEST_F(Nfs42CopyExpiry, TheEndOfTheLeaseEndsIt)
{
    StartCopy();
    Simulator::Run();
    EXPECT_EQ(GetCopies(), 0U);
    // A lease of 90 s: four pieces, and the one that is under way.
    EXPECT_EQ(GetCopied(), 5 * PIECE);
    EXPECT_EQ(m_server->GetState().callbacks.GetSent(m_client, Nfs4CbOp::OFFLOAD), 0U);
    EXPECT_EQ(m_server->GetState().clients.GetCount(), 0U) << "no courtesy for who copies";
}

TEST_F(Nfs42CopyExpiry, WithTheLeaseRenewedItGoesOn)
{
    StartCopy();
    AtOnce(Seconds(85), [this] { InSession({}); });
    AtOnce(Seconds(165), [this] { InSession({}); });
    Simulator::Stop(Seconds(PIECE_TIME * static_cast<int64_t>(PIECES) + 1));
    Simulator::Run();
    EXPECT_EQ(GetCopies(), 0U);
    EXPECT_EQ(GetCopied(), PIECES * PIECE);
    EXPECT_EQ(m_server->GetState().callbacks.GetSent(m_client, Nfs4CbOp::OFFLOAD), 1U);
}

TEST_F(Nfs42CopyExpiry, AnotherClientsCallFindsTheLeaseOver)
{
    const Mounted other = MountOther();
    StartCopy();
    Swap(other);
    AtOnce(Seconds(80), [this] { InSession({}); });
    AtOnce(Seconds(91), [this] {
        EXPECT_EQ(GetCopies(), 1U);
        InSession({});
        EXPECT_EQ(GetCopies(), 0U);
    });
    Simulator::Run();
    EXPECT_EQ(GetCopied(), 4 * PIECE);
}

TEST_F(Nfs42CopyExpiry, AClientThatComesAgainWithAnotherVerifierHasNone)
{
    StartCopy();
    ExchangeIdArgs4 exchange;
    const std::string owner = "client";
    exchange.ownerId.assign(owner.begin(), owner.end());
    exchange.verifier = {1};
    m_server->SetStorage(nullptr);
    const auto exchanged = Call({exchange});
    EXPECT_EQ(GetCopies(), 1U) << "until it is confirmed";
    m_client = Get<ExchangeIdRes4>(exchanged, 0).clientId;
    const auto sequence = Get<ExchangeIdRes4>(exchanged, 0).sequenceId;
    EXPECT_EQ(Call({MakeCreateSession(sequence)}).results.status, Nfs4Status::OK);
    EXPECT_EQ(GetCopies(), 0U);
    Simulator::Run();
    EXPECT_EQ(GetCopied(), 0U);
}

} // namespace
} // namespace ns3::nfsrdma::test
