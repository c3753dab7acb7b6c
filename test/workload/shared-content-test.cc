/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/fio.h"
#include "workload/kept-pages.h"
#include "workload/workload-loop.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma::test
{

/// Two clients of one tree, one that writes a file and one that reads it.
class SharedContentTest : public WorkloadLoop
{
  protected:
    void SetUp() override
    {
        WorkloadLoop::SetUp();
        m_root = m_store->CreateExport("tree");
        m_tree = std::make_shared<SharedTree>(0);
    }

    void TearDown() override
    {
        for (const auto& workload : m_workloads)
        {
            workload->Dispose();
        }
        WorkloadLoop::TearDown();
    }

    void Add(const char* readWrite, bool direct)
    {
        const auto mount = std::make_shared<ClientMount>(static_cast<uint32_t>(m_workloads.size()),
                                                         m_clientMemory);
        mount->files = m_fileClient;
        mount->SetSharedTree(m_tree);
        mount->SetExport(m_store->GetHandle(m_root), nullptr);
        const auto fio = CreateObject<FioWorkload>();
        fio->SetAttribute("ReadWrite", StringValue(readWrite));
        fio->SetAttribute("Direct", BooleanValue(direct));
        fio->SetAttribute("Size", UintegerValue(16384));
        fio->SetAttribute("Requests", UintegerValue(60));
        fio->SetAttribute("Reopen", UintegerValue(3));
        fio->SetName(readWrite);
        fio->SetDirectory("project");
        fio->SetMount(mount);
        fio->AssignStreams(static_cast<int64_t>(10 * m_workloads.size()));
        m_workloads.push_back(fio);
    }

    /// Runs both. \return what READs gave, compared.
    const ContentCheck& RunBoth(bool direct)
    {
        Add("randwrite", direct);
        Add("randread", direct);
        for (const auto& workload : m_workloads)
        {
            Simulator::ScheduleNow(&Workload::Start, workload);
        }
        Simulator::Run();
        for (const auto& workload : m_workloads)
        {
            EXPECT_TRUE(workload->IsFinished());
            EXPECT_EQ(workload->GetFailed(), 0U);
        }
        return m_tree->GetContent()->GetReadCheck();
    }

    InodeNumber m_root{0};
    std::shared_ptr<SharedTree> m_tree;
    std::vector<Ptr<FioWorkload>> m_workloads;
};

TEST_F(SharedContentTest, WhatAServerGivesIsRight)
{
    const auto& check = RunBoth(true);
    EXPECT_EQ(check.mismatches, 0U);
    EXPECT_GT(check.octets, 0U);
    EXPECT_EQ(m_workloads[0]->Verify(*m_store, m_root).mismatches, 0U);
}

TEST_F(SharedContentTest, AServerThatGivesWhatWasThereBeforeIsFound)
{
    std::optional<ByteVector> first;
    m_transport->changeData = [&first](Nfs3Procedure procedure, ByteVector& data) {
        if (procedure != Nfs3Procedure::READ)
        {
            return;
        }
        if (!first)
        {
            first = data;
        }
        data = *first;
    };
    EXPECT_GT(RunBoth(true).mismatches, 0U);
}

TEST_F(SharedContentTest, AServerThatTearsAReadIsFound)
{
    m_transport->changeData = [](Nfs3Procedure procedure, ByteVector& data) {
        if (procedure == Nfs3Procedure::READ && data.size() > 64)
        {
            std::fill(data.end() - 64, data.end(), uint8_t{0});
        }
    };
    EXPECT_GT(RunBoth(true).mismatches, 0U);
}

TEST_F(SharedContentTest, WhatAClientKeepsIsRight)
{
    EXPECT_EQ(RunBoth(false).mismatches, 0U);
}

TEST_F(SharedContentTest, AClientThatKeepsWhatHasChangedIsFound)
{
    auto& octets = m_tree->GetContent()->GetOctets();
    const ByteVector root{1};
    const ByteVector file{2};
    m_tree->GetContent()->SetRoot(root);
    auto& names = m_tree->GetContent()->GetNames();
    names.EndCreate(names.BeginCreate({root, "f"}, CreateMode3::GUARDED, std::nullopt),
                    ChangeOutcome::DONE,
                    HandleView(file));
    const auto write = [&octets, &file](uint64_t offset) {
        const auto begin = octets.BeginWrite(file, offset, 10, 0);
        octets.EndWrite(begin.token, ChangeOutcome::DONE, 10);
        return begin.pattern;
    };
    const auto pattern = write(0);
    octets.EndRead(
        octets.BeginRead(file, 0, 10, 1),
        10,
        true,
        [&pattern](uint32_t position, MutableByteSpan out) { pattern.Fill(position, out); });
    EXPECT_TRUE(octets.IsCurrent(file, 1));
    write(20);
    EXPECT_TRUE(octets.IsCurrent(file, 1)) << "written elsewhere";
    write(5);
    EXPECT_FALSE(octets.IsCurrent(file, 1));
    EXPECT_TRUE(octets.IsCurrent(file, 0)) << "has read nothing";
    octets.ReportStale(file, 1);
    EXPECT_EQ(m_tree->GetContent()->GetReadCheck().mismatches, 1U);
    octets.Forget(file, 1);
    EXPECT_TRUE(octets.IsCurrent(file, 1));
}

TEST(KeptPages, StayWhileTheAttributesAreTheSame)
{
    KeptPages pages;
    OctetSet some;
    some.Add({0, 4096});
    Fattr3 attributes;
    attributes.size = 4096;
    attributes.ctime = {1, 2};
    EXPECT_FALSE(pages.Open(attributes)) << "nothing is known of it";
    pages.Close(some, false);
    EXPECT_TRUE(pages.Open(attributes));
    EXPECT_EQ(pages.GetPages().GetSize(), 4096U);
    EXPECT_TRUE(pages.Open(std::nullopt)) << "a delegation is held";
    attributes.ctime = {1, 3};
    EXPECT_FALSE(pages.Open(attributes));
    EXPECT_TRUE(pages.GetPages().IsEmpty());
    pages.Close(some, true);
    EXPECT_FALSE(pages.Open(attributes)) << "written by this client";
}

} // namespace ns3::nfsrdma::test
