/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/files.h"
#include "nfs/types/file-handle.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma::test
{

class FileStoreTest : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        m_store = CreateObject<FileStore>();
        m_root = m_store->CreateExport("/export");
    }

    void TearDown() override
    {
        Simulator::Destroy();
    }

    Ptr<FileStore> m_store;
    InodeNumber m_root{0};
    FileCredential m_superuser;
};

TEST_F(FileStoreTest, PreloadedTreeIsListedInOrder)
{
    const InodeNumber dir = m_store->AddDirectory(m_root, "d", {0700, 3, 4});
    const InodeNumber file = m_store->AddFile(dir, "z", 10);
    m_store->AddSymlink(m_root, "l", "d/z");
    m_store->AddSpecial(m_root, "q", Ftype3::FIFO, {});
    m_store->AddLink(m_root, "a", file);
    const auto listed = m_store->List(m_root);
    std::vector<std::string> lines;
    for (const auto& object : listed)
    {
        lines.push_back(object.path + ":" + ToString(object.type) + ":" +
                        std::to_string(object.size));
    }
    EXPECT_EQ(lines,
              (std::vector<std::string>{":DIR:4096",
                                        "d:DIR:4096",
                                        "d/z:REG:10",
                                        "l:LNK:3",
                                        "q:FIFO:0",
                                        "a:REG:10"}));
    EXPECT_EQ(m_store->Get(file).attributes.nlink, 2U);
    EXPECT_EQ(m_store->Get(m_root).attributes.nlink, 3U);
    EXPECT_EQ(m_store->FindPath(m_root, "d/z"), file);
    EXPECT_EQ(m_store->FindPath(m_root, ""), m_root);
    EXPECT_FALSE(m_store->FindPath(m_root, "d/z/x"));
    EXPECT_EQ(m_store->GetFileSystem().GetInodeCount(), 5U);
}

TEST_F(FileStoreTest, PreloadedContentIsGenerated)
{
    const auto content = [](uint64_t offset, MutableByteSpan out) {
        for (std::size_t i = 0; i < out.size(); ++i)
        {
            out[i] = static_cast<uint8_t>(offset + i);
        }
    };
    const InodeNumber file =
        m_store->AddFile(m_root, "big", uint64_t{1} << 34, {0644, 0, 0}, content);
    ByteVector out(4);
    EXPECT_EQ(m_store->GetData().ReadContent(file, (uint64_t{1} << 33) + 254, out), 4U);
    EXPECT_EQ(out, (ByteVector{254, 255, 0, 1}));
    EXPECT_EQ(m_store->GetData().ReadContent(file, (uint64_t{1} << 34) - 1, out), 1U);
    EXPECT_EQ(m_store->Get(file).attributes.used, uint64_t{1} << 34);
    const InodeNumber sparse = m_store->AddFile(m_root, "sparse", uint64_t{1} << 34);
    EXPECT_EQ(m_store->Get(sparse).attributes.used, 0U);
}

TEST_F(FileStoreTest, ExportsAreApart)
{
    const InodeNumber second = m_store->CreateExport("/second");
    EXPECT_EQ(m_store->GetExports(), (std::vector<std::string>{"/export", "/second"}));
    EXPECT_EQ(m_store->GetExport("/second"), second);
    EXPECT_FALSE(m_store->GetExport("/third"));
    EXPECT_NE(m_store->GetHandle(m_root), m_store->GetHandle(second));
    EXPECT_EQ(m_store->Resolve(m_store->GetHandle(second)), second);
    EXPECT_EQ(m_store->Get(second).attributes.fsid, 2U);
    const InodeNumber file = m_store->AddFile(second, "f", 0);
    EXPECT_EQ(m_store->Get(file).attributes.fsid, 2U);
    NfsFh3 foreign = m_store->GetHandle(file);
    foreign.octets[4] = 1;
    EXPECT_EQ(m_store->Resolve(foreign), tl::make_unexpected(Nfs3Status::STALE));
}

TEST_F(FileStoreTest, HandlesOfAllLengthsResolve)
{
    const InodeNumber file = m_store->AddFile(m_root, "f", 0);
    for (uint32_t octets = FileHandle::MIN_OCTETS; octets <= NFS3_FHSIZE; ++octets)
    {
        m_store->SetAttribute("RootHandleOctets", UintegerValue(octets - 8));
        m_store->SetAttribute("HandleOctets", UintegerValue(octets));
        const NfsFh3 root = m_store->GetHandle(m_root);
        const NfsFh3 handle = m_store->GetHandle(file);
        EXPECT_EQ(root.length, octets - 8);
        EXPECT_EQ(handle.length, octets);
        EXPECT_EQ(m_store->Resolve(root), m_root);
        EXPECT_EQ(m_store->Resolve(handle), file);
        for (uint32_t i = 0; i < octets; ++i)
        {
            NfsFh3 changed = handle;
            changed.octets[i] ^= 0x40;
            EXPECT_FALSE(m_store->Resolve(changed)) << "octet " << i;
        }
        NfsFh3 cut = handle;
        cut.octets[--cut.length] = 0;
        EXPECT_EQ(m_store->Resolve(cut), tl::make_unexpected(Nfs3Status::BADHANDLE));
    }
    EXPECT_FALSE(m_store->SetAttributeFailSafe("RootHandleOctets", UintegerValue(7)));
    EXPECT_FALSE(m_store->SetAttributeFailSafe("HandleOctets", UintegerValue(15)));
    EXPECT_FALSE(m_store->SetAttributeFailSafe("HandleOctets", UintegerValue(65)));
}

TEST_F(FileStoreTest, RootHandleIsLinuxs)
{
    const NfsFh3 root = m_store->GetHandle(m_root);
    EXPECT_EQ(ByteVector(root.AsSpan().begin(), root.AsSpan().end()),
              (ByteVector{1, 0, 1, 0, 1, 0, 0, 0}));
}

TEST_F(FileStoreTest, TimesAreSimulatedTime)
{
    m_store->SetAttribute("Epoch", UintegerValue(1000));
    Simulator::Schedule(MilliSeconds(2500), [this] {
        const auto made =
            m_store->GetNames().Create(m_root, "f", CreateMode3::GUARDED, {}, {}, m_superuser);
        const Fattr3& attributes = m_store->Get(*made).attributes;
        EXPECT_EQ(attributes.mtime, (NfsTime3{1002, 500000000}));
        EXPECT_EQ(m_store->Get(m_root).attributes.mtime, attributes.mtime);
    });
    Simulator::Schedule(Seconds(4), [this] {
        const InodeNumber file = *m_store->FindPath(m_root, "f");
        m_store->GetData().Read(file, 0, 0, [](uint64_t, uint64_t) { return MutableByteSpan(); });
        EXPECT_EQ(m_store->Get(file).attributes.atime, (NfsTime3{1004, 0}));
        EXPECT_EQ(m_store->Get(file).attributes.mtime, (NfsTime3{1002, 500000000}));
    });
    Simulator::Schedule(Seconds(5), [this] {
        const InodeNumber file = *m_store->FindPath(m_root, "f");
        m_store->GetData().Read(file, 0, 0, [](uint64_t, uint64_t) { return MutableByteSpan(); });
        EXPECT_EQ(m_store->Get(file).attributes.atime, (NfsTime3{1004, 0})) << "as relatime";
    });
    Simulator::Run();
}

} // namespace ns3::nfsrdma::test
