/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/content-model.h"
#include "workload/generate/mix.h"
#include "workload/workload-loop.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <map>
#include <optional>

namespace ns3::nfsrdma::test
{

namespace
{

/// What two clients are told of one object and one name, at given seconds.
class StalenessModelTest : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        m_content.GetStaleness().Enable();
    }

    void TearDown() override
    {
        Simulator::Destroy();
    }

    static void GoTo(int64_t second)
    {
        Simulator::Stop(Seconds(static_cast<double>(second)) - Simulator::Now());
        Simulator::Run();
    }

    /// The server tells a client the change attribute.
    void Tell(uint32_t client, uint64_t change)
    {
        m_content.GetStaleness()
            .CheckChange(m_object, client, change, Simulator::Now(), Time(0), true);
    }

    /// A client answers out of its cache, whose times are of ten seconds.
    uint64_t Answer(uint32_t client, uint64_t change)
    {
        const auto before = m_content.GetReadCheck().mismatches;
        m_content.GetStaleness()
            .CheckChange(m_object, client, change, Simulator::Now(), Seconds(10), false);
        return m_content.GetReadCheck().mismatches - before;
    }

    void Make(uint32_t client, const StalenessModel::Meaning& meaning)
    {
        m_content.GetStaleness().BeginName({m_dir, "name"});
        m_content.GetStaleness().ChangeName({m_dir, "name"}, client, meaning, Simulator::Now());
    }

    uint64_t Find(uint32_t client, const StalenessModel::Meaning& meaning, Time allowed)
    {
        const auto before = m_content.GetReadCheck().mismatches;
        m_content.GetStaleness().CheckName({m_dir, "name"},
                                           client,
                                           meaning,
                                           Simulator::Now(),
                                           allowed);
        return m_content.GetReadCheck().mismatches - before;
    }

    ContentModel m_content{0};
    ByteVector m_object{1};
    ByteVector m_dir{2};
    const StalenessModel::Meaning m_absent{};
    const StalenessModel::Meaning m_file{ByteVector{3}};
    const StalenessModel::Meaning m_otherFile{ByteVector{4}};
};

TEST_F(StalenessModelTest, AnAnswerMayBeAsOldAsTheTimeAndNoOlder)
{
    Tell(1, 5);
    GoTo(1);
    Tell(0, 6);
    GoTo(10);
    EXPECT_EQ(Answer(1, 5), 0U) << "told nine seconds ago";
    GoTo(11);
    EXPECT_EQ(Answer(1, 5), 1U);
    EXPECT_EQ(Answer(1, 6), 0U);
    EXPECT_EQ(Answer(1, 7), 0U) << "what nobody else has seen yet";
}

TEST_F(StalenessModelTest, AClientNeverGoesBack)
{
    Tell(1, 5);
    GoTo(1);
    Tell(1, 6);
    EXPECT_EQ(Answer(1, 5), 0U) << "it may have begun before that";
    GoTo(2);
    EXPECT_EQ(Answer(1, 5), 1U);
    EXPECT_EQ(Answer(0, 5), 0U) << "another one, which has seen nothing later";
}

TEST_F(StalenessModelTest, ANameIsWhatItWasMadeWithinTheTime)
{
    Make(0, m_file);
    GoTo(1);
    Make(0, m_absent);
    GoTo(10);
    EXPECT_EQ(Find(1, m_file, Seconds(10)), 0U);
    EXPECT_EQ(Find(1, m_absent, Seconds(10)), 0U);
    EXPECT_EQ(Find(1, m_file, Time(0)), 1U) << "an open";
    EXPECT_EQ(Find(0, m_file, Seconds(10)), 1U) << "its own removal";
    EXPECT_EQ(Find(1, m_otherFile, Seconds(10)), 1U) << "never that";
    GoTo(11);
    EXPECT_EQ(Find(1, m_file, Seconds(10)), 1U);
    EXPECT_EQ(Find(1, m_absent, Seconds(10)), 0U);
}

TEST_F(StalenessModelTest, WhatIsOutstandingOrUnknownMayBeAnything)
{
    Make(0, m_file);
    GoTo(1);
    m_content.GetStaleness().BeginName({m_dir, "name"});
    EXPECT_EQ(Find(1, m_absent, Time(0)), 0U);
    m_content.GetStaleness().RefuseName({m_dir, "name"});
    EXPECT_EQ(Find(1, m_absent, Time(0)), 1U);
    m_content.GetStaleness().BeginName({m_dir, "name"});
    m_content.GetStaleness().ChangeName({m_dir, "name"}, 0, std::nullopt, Simulator::Now());
    EXPECT_EQ(Find(1, m_absent, Time(0)), 0U);
}

TEST_F(StalenessModelTest, FollowsNothingUnlessClientsCache)
{
    ContentModel content(0);
    content.GetStaleness().CheckChange(m_object, 0, 5, Time(0), Time(0), true);
    content.GetStaleness().CheckChange(m_object, 0, 4, Time(0), Time(0), true);
    EXPECT_EQ(content.GetReadCheck().mismatches, 0U);
    EXPECT_EQ(content.GetStaleness().GetCompared(), 0U);
}

/// A FileClient that answers GETATTR of an object with what it was told first, for ever.
class ForeverClient : public FileClient
{
  public:
    Ptr<FileClient> inner;

  private:
    void Start(FileRequest&& request) override
    {
        std::visit([this](auto& call) { Pass(call); }, request);
    }

    template <typename Request>
    void Pass(FileCall<Request>& call)
    {
        const Request& request = call;
        inner->Run(request, call.done);
    }

    void Pass(FileCall<FileGetAttributes>& call)
    {
        const auto found = m_first.find(call.object.octets);
        if (found != m_first.end())
        {
            auto reply = found->second;
            reply.cached = true;
            Simulator::ScheduleNow([done = call.done, reply] { done(reply); });
            return;
        }
        const FileGetAttributes& request = call;
        inner->Run(request,
                   [this, object = call.object, done = call.done](const FileAttributesReply& got) {
                       m_first[object.octets] = got;
                       done(got);
                   });
    }

    std::map<ByteVector, FileAttributesReply> m_first;
};

/// A mix of system calls that change a file and look at it.
class SystemCallsTest : public WorkloadLoop
{
  protected:
    uint64_t CountMismatches(const Ptr<FileClient>& files)
    {
        const auto mount = std::make_shared<ClientMount>(0, m_clientMemory);
        mount->files = files;
        const auto root = m_store->CreateExport("tree");
        mount->SetExport(m_store->GetHandle(root), nullptr);
        const auto mix = CreateObject<MixWorkload>();
        mix->SetAttribute("SystemCalls", BooleanValue(true));
        mix->SetAttribute("OperationMix",
                          StringValue("getattr:10,lookup:10,setattr:5,write:5,create:5,remove:5"));
        mix->SetAttribute("Files", UintegerValue(2));
        mix->SetAttribute("Symlinks", UintegerValue(0));
        mix->SetAttribute("Operations", UintegerValue(300));
        mix->SetMount(mount);
        mix->AssignStreams(1);
        Simulator::ScheduleNow(&Workload::Start, mix);
        Simulator::Run();
        EXPECT_TRUE(mix->IsFinished());
        const uint64_t mismatches = mount->GetContent()->GetReadCheck().mismatches;
        EXPECT_GT(mount->GetContent()->GetStaleness().GetCompared(), 300U);
        mix->Dispose();
        return mismatches;
    }
};

TEST_F(SystemCallsTest, WhatTheCachesSayIsRight)
{
    EXPECT_EQ(CountMismatches(m_fileClient), 0U);
    const auto statistics = m_fileClient->GetCaches()->GetStatistics();
    EXPECT_GT(statistics.attributeHits, 50U);
    EXPECT_GT(statistics.nameHits, 50U);
}

TEST_F(SystemCallsTest, ACacheThatForgetsNothingIsFound)
{
    const auto files = CreateObject<ForeverClient>();
    files->SetAttribute("Noac", BooleanValue(true));
    files->inner = m_fileClient;
    EXPECT_GT(CountMismatches(files), 0U);
    files->Dispose();
}

} // namespace

} // namespace ns3::nfsrdma::test
