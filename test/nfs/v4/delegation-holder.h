/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_NFS_V4_DELEGATION_HOLDER_H
#define NFSRDMA_TEST_NFS_V4_DELEGATION_HOLDER_H

#include "client-server-fixture.h"

namespace ns3::nfsrdma::test
{

/// A client of NFSv4 that holds a read delegation of a file, another one of NFSv4, and the RPC
/// client of a third, of an older version, at the same server. Parameter: the minor version.
class DelegationHolder : public Nfs4ClientServer
{
  protected:
    void SetUp() override
    {
        Nfs4ClientServer::SetUp();
        m_olderMemory = CreateObject<HostMemory>();
        m_olderTransport = CreateObject<ScriptedTransport>(m_rpcServer, m_olderMemory);
        m_olderTransport->source = 99;
        m_olderTransport->replyMemory = m_serverMemory;
        m_olderRpc = CreateObject<RpcClient>();
        m_olderRpc->SetTransport(m_olderTransport);
        AuthSysCredential credential;
        credential.machineName = "older";
        m_olderRpc->SetCredential(credential);
        m_olderRpc->TraceConnectWithoutContext(
            "RpcCompleted",
            Callback<void, const RpcRecord&>(
                [this](const RpcRecord& record) { m_statuses.push_back(record.programStatus); }));
        Mount(m_hosts[0]);
        m_root = m_hosts[0].files->GetRoot(); // Handles are the same in every version.
        Close(m_hosts[0], Open(m_hosts[0], "file", true, true));
        m_held = Open(m_hosts[0], "file", false);
        if (!HoldsDelegation())
        {
            // The server wants to see the callback path work first.
            Close(m_hosts[0], m_held);
            m_held = Open(m_hosts[0], "file", false);
        }
        ASSERT_TRUE(HoldsDelegation());
        m_began = Simulator::Now();
    }

    void TearDown() override
    {
        if (!m_abandoned)
        {
            Close(m_hosts[0], m_held);
            Unmount(m_hosts[0]);
        }
        EXPECT_EQ(m_olderMemory->GetAllocationCount(), 0U);
        Nfs4ClientServer::TearDown();
    }

    bool HoldsDelegation() const
    {
        return !m_hosts[0].client->GetHeld().GetDelegations().empty();
    }

    /// From now on no callback reaches the holder.
    void Silence()
    {
        m_hosts[0].callbackTransport->loseCalls = 1000;
        m_abandoned = true;
    }

    /// When a delegation is gone that cannot be asked for: a lease after the recall; with NFSv4.0
    /// the holder's next RENEW tells it that the callback path is down, and it gives all back.
    [[nodiscard]] Time GetLoss() const
    {
        return GetParam() == 0 ? Seconds(60) : Seconds(90);
    }

    [[nodiscard]] Time GetTaken() const
    {
        return Simulator::Now() - m_began;
    }

    static constexpr auto JUKEBOX = static_cast<uint32_t>(Nfs3Status::JUKEBOX);

    Ptr<HostMemory> m_olderMemory;
    Ptr<ScriptedTransport> m_olderTransport;
    Ptr<RpcClient> m_olderRpc;
    FileRef m_root;
    std::shared_ptr<OpenFile> m_held;
    std::vector<uint32_t> m_statuses; ///< Of RPCs of the older client.
    Time m_began;
    bool m_abandoned{false}; ///< The holder does not unmount.
};

} // namespace ns3::nfsrdma::test

#endif // NFSRDMA_TEST_NFS_V4_DELEGATION_HOLDER_H
