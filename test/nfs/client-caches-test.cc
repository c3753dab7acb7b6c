/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/nfs3-loop.h"
#include "nfs/v3/file-client3.h"

#include "ns3/boolean.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <gmock/gmock.h>

namespace ns3::nfsrdma::test
{

namespace
{

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Two clients of one server: one whose system calls its caches answer, and one that changes what
/// it has cached. The calls of the first are recorded.
class ClientCachesTest : public Nfs3Loop
{
  protected:
    void SetUp() override
    {
        Nfs3Loop::SetUp();
        const ByteSpan octets = m_rootHandle.AsSpan();
        m_rootRef.octets.assign(octets.begin(), octets.end());
        m_files = CreateObject<Nfs3FileClient>();
        m_files->SetClients(m_client, nullptr);
        m_rpcClient->TraceConnectWithoutContext(
            "RpcCompleted",
            Callback<void, const RpcRecord&>([this](const RpcRecord& record) {
                m_calls.emplace_back(ToString(static_cast<Nfs3Procedure>(record.procedure)));
            }));
        const auto rpc = CreateObject<RpcClient>();
        rpc->SetTransport(CreateObject<LoopTransport>(m_rpcServer, m_clientMemory, m_serverMemory));
        rpc->SetCredential(AuthSysCredential());
        const auto nfs = CreateObject<Nfs3Client>();
        nfs->SetRpcClient(rpc);
        nfs->SetHostMemory(m_clientMemory);
        m_other = CreateObject<Nfs3FileClient>();
        m_other->SetClients(nfs, nullptr);
    }

    /// Its caches begin; a directory "d" is there, and in it a file "f".
    void Begin()
    {
        m_files->EnableCaches();
        m_dir = Await<FileObjectReply>([&](auto done) {
                    m_files->Call(FileMakeDirectory{{m_rootRef, "d"}, {}}, done);
                }).object;
        m_file = Create(m_files, "f");
        m_calls.clear();
    }

    template <typename Reply, typename Start>
    Reply Await(Start&& start)
    {
        std::optional<Reply> reply;
        start(FileClient::Done<Reply>([&](const Reply& got) { reply = got; }));
        Simulator::Run();
        EXPECT_TRUE(reply) << "not completed";
        return reply.value_or(Reply());
    }

    FileRef Create(const Ptr<Nfs3FileClient>& files, const std::string& name)
    {
        FileOpenHow how;
        how.create = true;
        how.attributes.mode = 0644;
        return Await<FileOpenReply>([&](auto done) {
                   files->Run(FileOpen{{m_dir, name}, how}, done);
               })
            .object;
    }

    void Remove(const Ptr<Nfs3FileClient>& files, const std::string& name)
    {
        EXPECT_TRUE(Await<FileReply>([&](auto done) {
                        files->Run(FileRemove{{m_dir, name}}, done);
                    }).IsOk());
    }

    void SetMode(const Ptr<Nfs3FileClient>& files, uint32_t mode)
    {
        Sattr3 changes;
        changes.mode = mode;
        EXPECT_TRUE(Await<FileReply>([&](auto done) {
                        files->Run(FileSetAttributes{m_file, nullptr, changes}, done);
                    }).IsOk());
    }

    static void Sleep(Time time)
    {
        Simulator::Stop(time);
        Simulator::Run();
    }

    /// fstat() of the file. \return its permissions.
    uint32_t GetMode()
    {
        m_calls.clear();
        return Await<FileAttributesReply>(
                   [&](auto done) { m_files->Call(FileGetAttributes{m_file}, done); })
            .attributes.mode;
    }

    /// stat() of a name in the directory.
    bool Stat(const std::string& name)
    {
        m_calls.clear();
        return Await<FileObjectReply>([&](auto done) {
                   m_files->Call(FileLookup{{m_dir, name}}, done);
               })
            .IsOk();
    }

    bool MayRead()
    {
        m_calls.clear();
        return (Await<FileAccessReply>([&](auto done) {
                    m_files->Call(FileAccess{m_file, ACCESS3_READ}, done);
                }).access &
                ACCESS3_READ) != 0;
    }

    FileCacheStatistics GetStatistics() const
    {
        return m_files->GetCaches()->GetStatistics();
    }

    Ptr<Nfs3FileClient> m_files;
    Ptr<Nfs3FileClient> m_other;
    FileRef m_rootRef;
    FileRef m_dir;
    FileRef m_file;
    std::vector<std::string> m_calls;
};

TEST_F(ClientCachesTest, AttributesAreTrustedTwiceAsLongEachTimeTheyAreTheSame)
{
    Begin();
    for (int seconds = 3; seconds < 200; seconds = std::min(seconds * 2, 60))
    {
        SCOPED_TRACE(seconds);
        GetMode();
        EXPECT_THAT(m_calls, IsEmpty());
        Sleep(Seconds(seconds) - MilliSeconds(1));
        GetMode();
        EXPECT_THAT(m_calls, IsEmpty());
        Sleep(MilliSeconds(1));
        GetMode();
        EXPECT_THAT(m_calls, ElementsAre("GETATTR"));
        if (seconds == 60 && Simulator::Now() > Seconds(200))
        {
            break;
        }
    }
    EXPECT_EQ(GetStatistics().attributeInvalidations, 0U);
    EXPECT_EQ(GetStatistics().attributeRevalidations, 7U) << "3, 6, 12, 24, 48, 60 and 60 s";
    EXPECT_EQ(GetStatistics().attributeHits, 14U);
}

TEST_F(ClientCachesTest, AChangeByAnotherIsSeenInTimeAndEndsTheTrust)
{
    Begin();
    Sleep(Seconds(3));
    GetMode();
    SetMode(m_other, 0600);
    Sleep(Seconds(5));
    EXPECT_EQ(GetMode(), 0644U) << "six seconds have not passed";
    Sleep(Seconds(1));
    EXPECT_EQ(GetMode(), 0600U);
    EXPECT_EQ(GetStatistics().attributeInvalidations, 1U);
    Sleep(Seconds(3));
    GetMode();
    EXPECT_THAT(m_calls, ElementsAre("GETATTR")) << "the least time again";
}

TEST_F(ClientCachesTest, AChangeOfItsOwnIsSeenAtOnce)
{
    Begin();
    SetMode(m_files, 0600);
    EXPECT_EQ(GetMode(), 0600U);
    EXPECT_THAT(m_calls, IsEmpty());
    Remove(m_files, "f");
    EXPECT_FALSE(Stat("f"));
    EXPECT_THAT(m_calls, IsEmpty());
    EXPECT_EQ(GetStatistics().negativeNameHits, 1U);
    m_file = Create(m_files, "f");
    EXPECT_TRUE(Stat("f"));
    EXPECT_THAT(m_calls, IsEmpty());
    EXPECT_EQ(GetStatistics().attributeInvalidations, 0U);
}

TEST_F(ClientCachesTest, ANameHoldsWhileItsDirectoryIsTheSame)
{
    Begin();
    EXPECT_TRUE(Stat("f"));
    EXPECT_THAT(m_calls, IsEmpty());
    Remove(m_other, "f");
    Create(m_other, "g");
    Sleep(Seconds(2));
    EXPECT_TRUE(Stat("f")) << "neither the directory nor the file is old";
    EXPECT_THAT(m_calls, IsEmpty());
    Sleep(Seconds(28));
    EXPECT_FALSE(Stat("f"));
    EXPECT_THAT(m_calls, ElementsAre("GETATTR", "LOOKUP"));
    EXPECT_EQ(GetStatistics().nameRevalidations, 1U);
    EXPECT_FALSE(Stat("f"));
    EXPECT_THAT(m_calls, IsEmpty()) << "that it is not there is known too";
    EXPECT_TRUE(Stat("g"));
    EXPECT_THAT(m_calls, ElementsAre("LOOKUP"));
    EXPECT_EQ(GetStatistics().nameMisses, 1U);
}

TEST_F(ClientCachesTest, AFileThatIsGoneIsLookedUpAgain)
{
    Begin();
    Remove(m_other, "f");
    Sleep(Seconds(3));
    EXPECT_FALSE(Stat("f"));
    EXPECT_THAT(m_calls, ElementsAre("GETATTR", "LOOKUP")) << "the first found a stale handle";
}

TEST_F(ClientCachesTest, LookupcacheSaysWhichNamesAreKept)
{
    m_files->SetAttribute("Lookupcache", StringValue("positive"));
    Begin();
    EXPECT_TRUE(Stat("f"));
    EXPECT_THAT(m_calls, IsEmpty());
    Stat("none");
    Stat("none");
    EXPECT_THAT(m_calls, ElementsAre("LOOKUP"));
}

TEST_F(ClientCachesTest, WithoutNamesEachIsLookedUp)
{
    m_files->SetAttribute("Lookupcache", StringValue("none"));
    Begin();
    Stat("f");
    Stat("f");
    EXPECT_THAT(m_calls, ElementsAre("LOOKUP"));
}

TEST_F(ClientCachesTest, WithNoacAllIsAskedFor)
{
    m_files->SetAttribute("Noac", BooleanValue(true));
    Begin();
    GetMode();
    EXPECT_THAT(m_calls, ElementsAre("GETATTR"));
    Stat("f");
    EXPECT_THAT(m_calls, ElementsAre("GETATTR", "GETATTR")) << "of the directory and the file";
}

TEST_F(ClientCachesTest, ActimeoStandsForAllFourTimes)
{
    m_files->SetAttribute("Actimeo", TimeValue(Seconds(1)));
    Begin();
    for (int i = 0; i < 4; ++i)
    {
        Sleep(MilliSeconds(999));
        Stat("f");
        EXPECT_THAT(m_calls, IsEmpty());
        Sleep(MilliSeconds(1));
        Stat("f");
        EXPECT_THAT(m_calls, ElementsAre("GETATTR", "GETATTR"));
    }
}

TEST_F(ClientCachesTest, RightsAreAsOldAsTheAttributes)
{
    Begin();
    SetCaller(1000, 1000);
    EXPECT_TRUE(MayRead());
    EXPECT_THAT(m_calls, ElementsAre("ACCESS"));
    EXPECT_TRUE(MayRead());
    EXPECT_THAT(m_calls, IsEmpty());
    Sleep(Seconds(3));
    EXPECT_TRUE(MayRead());
    EXPECT_THAT(m_calls, ElementsAre("GETATTR")) << "nothing has changed";
    SetMode(m_other, 0600);
    EXPECT_TRUE(MayRead());
    EXPECT_THAT(m_calls, IsEmpty());
    Sleep(Seconds(6));
    EXPECT_FALSE(MayRead());
    EXPECT_THAT(m_calls, ElementsAre("GETATTR", "ACCESS"));
    EXPECT_EQ(GetStatistics().accessHits, 3U);
    EXPECT_EQ(GetStatistics().accessMisses, 2U);
}

TEST_F(ClientCachesTest, AnOpenIsNeverOld)
{
    Begin();
    SetMode(m_other, 0600);
    m_calls.clear();
    const auto opened = Await<FileOpenReply>([&](auto done) {
        m_files->Call(FileOpen{{m_dir, "f"}, {}}, done);
    });
    ASSERT_TRUE(opened.IsOk());
    EXPECT_EQ(opened.attributes->mode, 0600U);
    EXPECT_THAT(m_calls, ElementsAre("GETATTR")) << "the name is known";
    EXPECT_EQ(GetMode(), 0600U);
    EXPECT_THAT(m_calls, IsEmpty());
}

TEST_F(ClientCachesTest, AListingFillsTheCaches)
{
    Begin();
    Create(m_other, "a");
    Create(m_other, "b");
    Await<FileListReply>([&](auto done) { m_files->Run(FileList{m_dir, 0, 0, 4096, true}, done); });
    EXPECT_TRUE(Await<FileListReply>([&](auto done) {
                    m_files->Run(FileList{m_dir, 0, 0, 4096, true}, done);
                }).eof);
    for (const char* name : {"a", "b", "f"})
    {
        EXPECT_TRUE(Stat(name));
        EXPECT_THAT(m_calls, IsEmpty()) << name;
    }
}

TEST_F(ClientCachesTest, WhatWasUsedLongestAgoMakesRoom)
{
    m_files->SetAttribute("CachedObjects", UintegerValue(3));
    Begin();
    Create(m_files, "g");
    Create(m_files, "h");
    Create(m_files, "i");
    m_calls.clear();
    EXPECT_TRUE(Stat("i"));
    EXPECT_THAT(m_calls, IsEmpty());
    EXPECT_TRUE(Stat("f"));
    EXPECT_THAT(m_calls, ElementsAre("LOOKUP"));
}

TEST(AttributeCache, WhatComesLateIsNotTaken)
{
    FileCacheSettings settings;
    settings.acregmin = Seconds(3);
    settings.acregmax = Seconds(60);
    settings.cachedObjects = 10;
    AttributeCache cache(settings);
    FileNews news;
    news.object = {{1, 2, 3}};
    news.attributes = Fattr3();
    news.change = 7;
    news.attributes->size = 700;
    cache.Take(news, Seconds(1));
    news.change = 6;
    news.attributes->size = 600;
    cache.Take(news, Seconds(2));
    EXPECT_EQ(cache.Find(news.object)->attributes->size, 700U);
    EXPECT_EQ(cache.GetInvalidations(), 0U);
}

TEST(AttributeCache, OwnChangesFollowEachOther)
{
    FileCacheSettings settings;
    settings.acdirmin = Seconds(30);
    settings.acdirmax = Seconds(60);
    settings.cachedObjects = 10;
    AttributeCache cache(settings);
    FileNews news;
    news.object = {{4}};
    news.isDirectory = true;
    news.own = true;
    news.change = 10;
    cache.Take(news, Time(0));
    const auto version = cache.GetVersion(news.object);
    news.before = 10;
    news.change = 11;
    cache.Take(news, Time(0));
    EXPECT_EQ(cache.GetVersion(news.object), version);
    news.before = 12;
    news.change = 13;
    cache.Take(news, Time(0));
    EXPECT_NE(cache.GetVersion(news.object), version) << "somebody else has made 12 of 11";
    EXPECT_EQ(cache.GetInvalidations(), 1U);
    EXPECT_EQ(cache.GetChangeState(news.object, false), AttributeCache::State::CURRENT);
    EXPECT_EQ(cache.GetState(news.object, false), AttributeCache::State::OLD)
        << "there were no attributes";
}

} // namespace

} // namespace ns3::nfsrdma::test
