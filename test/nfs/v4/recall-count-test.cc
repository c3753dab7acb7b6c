/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client-server-fixture.h"

#include <map>
#include <string>
#include <vector>

namespace ns3::nfsrdma::test
{

namespace
{

constexpr uint32_t FILES = 5;

/// Host 0 has read what host 1 writes, and has delegations of it. How often what is said is
/// counted: callbacks, returns, and changes of the change attribute.
class RecallCount : public Nfs4ClientServer
{
  protected:
    void SetUp() override
    {
        Nfs4ClientServer::SetUp();
        Mount(m_hosts[0]);
        Mount(m_hosts[1]);
        for (std::size_t i = 0; i < m_hosts.size(); ++i)
        {
            m_hosts[i].rpc->TraceConnectWithoutContext(
                "RpcCompleted",
                Callback<void, const RpcRecord&>([this, i](const RpcRecord& record) {
                    ++m_sent[i][static_cast<Nfs4ClientProcedure>(record.operation)];
                }));
        }
        for (uint32_t i = 0; i < FILES; ++i)
        {
            Close(m_hosts[1], Open(m_hosts[1], Name(i), true, true));
        }
        // The server wants to see the callback path work first.
        Close(m_hosts[0], Open(m_hosts[0], Name(0), false));
        for (uint32_t i = 0; i < FILES; ++i)
        {
            Close(m_hosts[0], Open(m_hosts[0], Name(i), false));
        }
        ASSERT_EQ(CountHeld(0), FILES);
        m_sent.clear();
    }

    void TearDown() override
    {
        Unmount(m_hosts[0]);
        Unmount(m_hosts[1]);
        Nfs4ClientServer::TearDown();
    }

    static std::string Name(uint32_t index)
    {
        return "file-" + std::to_string(index);
    }

    std::size_t CountHeld(std::size_t host) const
    {
        return m_hosts[host].client->GetHeld().GetDelegations().size();
    }

    uint64_t CountRecalls(std::size_t host) const
    {
        return m_hosts[host].client->GetCallbackProgram()->GetAnswered(Nfs4CbOp::RECALL);
    }

    uint64_t CountReturns(std::size_t host)
    {
        return m_sent[host][Nfs4ClientProcedure::DELEGRETURN];
    }

    /// \return its change attribute, as host 1 is told it.
    uint64_t GetChange(uint32_t index)
    {
        const auto reply = Await<FileObjectReply>([&](auto done) {
            m_hosts[1].files->Run(FileLookup{{m_hosts[1].files->GetRoot(), Name(index)}}, done);
        });
        EXPECT_TRUE(reply.IsOk());
        return reply.news.empty() ? 0 : reply.news.front().change.value_or(0);
    }

    std::map<std::size_t, std::map<Nfs4ClientProcedure, uint64_t>> m_sent; ///< By host.
};

TEST_P(RecallCount, EachOpenForWritingRecallsOneDelegationOnce)
{
    std::vector<std::shared_ptr<OpenFile>> opened;
    for (uint32_t i = 0; i < FILES; ++i)
    {
        opened.push_back(Open(m_hosts[1], Name(i), true));
        EXPECT_EQ(CountRecalls(0), i + 1);
        EXPECT_EQ(CountReturns(0), i + 1);
        EXPECT_EQ(CountHeld(0), FILES - i - 1);
    }
    for (const auto& file : opened)
    {
        Write(m_hosts[1], file, "text");
        Write(m_hosts[1], file, "more text");
        Close(m_hosts[1], file);
    }
    EXPECT_EQ(CountRecalls(0), FILES) << "there was nothing left to recall";
    EXPECT_EQ(CountRecalls(1), 0U) << "nobody has asked for what the writer holds";
}

TEST_P(RecallCount, AnOpenForReadingRecallsNothing)
{
    for (uint32_t i = 0; i < FILES; ++i)
    {
        Close(m_hosts[1], Open(m_hosts[1], Name(i), false));
    }
    EXPECT_EQ(CountRecalls(0), 0U);
    EXPECT_EQ(CountReturns(0), 0U);
    EXPECT_EQ(CountHeld(0), FILES);
    EXPECT_EQ(CountHeld(1), FILES);
}

TEST_P(RecallCount, EachChangeOfAFileRaisesItsChangeAttribute)
{
    const auto file = Open(m_hosts[1], Name(0), true);
    uint64_t before = GetChange(0);
    for (int i = 0; i < 4; ++i)
    {
        EXPECT_EQ(GetChange(0), before) << "nothing has changed";
        Write(m_hosts[1], file, std::string(static_cast<std::size_t>(i) + 1, 'x'));
        const uint64_t after = GetChange(0);
        EXPECT_GT(after, before);
        before = after;
    }
    Close(m_hosts[1], file);
    EXPECT_EQ(GetChange(0), before) << "a close changes nothing";
    const auto reader = Open(m_hosts[0], Name(0), false);
    EXPECT_EQ(Read(m_hosts[0], reader), "xxxx");
    Close(m_hosts[0], reader);
    EXPECT_EQ(GetChange(0), before) << "nor does a read";
    EXPECT_EQ(CountRecalls(0), 1U);
}

TEST_P(RecallCount, ARecallWhoseReplyIsLostIsCarriedOutOnce)
{
    m_hosts[0].callbackTransport->loseReplies = 1;
    const auto file = Open(m_hosts[1], Name(0), true);
    EXPECT_EQ(CountRecalls(0), 1U);
    EXPECT_EQ(CountReturns(0), 1U);
    EXPECT_EQ(CountHeld(0), FILES - 1);
    EXPECT_TRUE(Write(m_hosts[1], file, "text").IsOk());
    Close(m_hosts[1], file);
}

TEST_P(RecallCount, TheHoldersOwnOpenForWritingIsAReturnWithoutARecall)
{
    const auto file = Open(m_hosts[0], Name(0), true);
    EXPECT_EQ(CountRecalls(0), 0U);
    EXPECT_EQ(CountReturns(0), 1U);
    for (const auto& [handle, delegation] : m_hosts[0].client->GetHeld().GetDelegations())
    {
        EXPECT_EQ(delegation->type, OpenDelegationType4::READ) << "nfsd grants no other";
    }
    Close(m_hosts[0], file);
}

/// The same with the caches of host 0.
class DelegatedCaches : public RecallCount
{
  protected:
    void SetUp() override
    {
        Nfs4ClientServer::SetUp();
        for (const auto& host : m_hosts)
        {
            Mount(host);
        }
        m_hosts[0].files->EnableCaches();
        m_hosts[0].rpc->TraceConnectWithoutContext(
            "RpcCompleted",
            Callback<void, const RpcRecord&>([this](const RpcRecord& record) {
                ++m_sent[0][static_cast<Nfs4ClientProcedure>(record.operation)];
            }));
    }

    FileAttributesReply Stat(const FileRef& object)
    {
        return Await<FileAttributesReply>(
            [&](auto done) { m_hosts[0].files->Call(FileGetAttributes{object}, done); });
    }

    FileObjectReply Look(const std::string& name)
    {
        return Await<FileObjectReply>([&](auto done) {
            m_hosts[0].files->Call(FileLookup{{m_hosts[0].files->GetRoot(), name}}, done);
        });
    }

    static void Sleep(Time time)
    {
        Simulator::Stop(time);
        Simulator::Run();
    }
};

TEST_P(DelegatedCaches, AttributesOfADelegatedFileAreTrustedUntilItIsRecalled)
{
    Close(m_hosts[1], Open(m_hosts[1], "file", true, true));
    Close(m_hosts[0], Open(m_hosts[0], "file", false));
    const auto held = Open(m_hosts[0], "file", false);
    ASSERT_EQ(CountHeld(0), 1U);
    const FileRef object = held->GetObject();
    m_sent.clear();
    Sleep(Seconds(1000));
    EXPECT_EQ(Stat(object).attributes.size, 0U);
    EXPECT_TRUE(Look("file").cached) << "nor is the directory asked for";
    EXPECT_EQ(m_sent[0][Nfs4ClientProcedure::GETATTR], 0U);
    EXPECT_EQ(m_sent[0][Nfs4ClientProcedure::LOOKUP], 0U);
    const auto writer = Open(m_hosts[1], "file", true);
    Write(m_hosts[1], writer, "text");
    Close(m_hosts[1], writer);
    EXPECT_EQ(CountHeld(0), 0U);
    EXPECT_EQ(Stat(object).attributes.size, 4U);
    EXPECT_EQ(m_sent[0][Nfs4ClientProcedure::GETATTR], 1U);
    EXPECT_EQ(m_hosts[0].files->GetCaches()->GetStatistics().attributeInvalidations, 1U);
    Close(m_hosts[0], held);
}

TEST_P(DelegatedCaches, NamesHoldWhileOnlyTheClientItselfChangesTheDirectory)
{
    for (const char* name : {"a", "b"})
    {
        EXPECT_TRUE(Await<FileObjectReply>([&](auto done) {
                        m_hosts[0].files->Run(
                            FileMakeDirectory{{m_hosts[0].files->GetRoot(), name}, {}},
                            done);
                    }).IsOk());
    }
    m_sent.clear();
    EXPECT_TRUE(Look("a").IsOk());
    EXPECT_TRUE(Look("b").IsOk());
    EXPECT_EQ(m_sent[0][Nfs4ClientProcedure::LOOKUP], 0U)
        << "change_info of CREATE: nobody else was in between";
    const auto removed = Await<FileReply>([&](auto done) {
        m_hosts[1].files->Run(FileRemoveDirectory{{m_hosts[1].files->GetRoot(), "a"}}, done);
    });
    EXPECT_TRUE(removed.IsOk());
    EXPECT_TRUE(Look("b").IsOk());
    Sleep(Seconds(30));
    EXPECT_FALSE(Look("a").IsOk());
    EXPECT_TRUE(Look("b").IsOk());
    EXPECT_EQ(m_sent[0][Nfs4ClientProcedure::LOOKUP], 2U) << "the directory has changed";
}

INSTANTIATE_TEST_SUITE_P(Minor, RecallCount, ::testing::Values(0U, 1U, 2U));
INSTANTIATE_TEST_SUITE_P(Minor, DelegatedCaches, ::testing::Values(0U, 1U, 2U));

} // namespace

} // namespace ns3::nfsrdma::test
