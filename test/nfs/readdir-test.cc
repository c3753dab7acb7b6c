/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/nfs3-loop.h"

#include <cstdio>

namespace ns3::nfsrdma::test
{

namespace
{

std::string
NumberedName(int number)
{
    std::array<char, 32> name{};
    std::snprintf(name.data(), name.size(), "entry-number-%04d", number);
    return name.data();
}

template <typename Results>
std::vector<std::string>
NamesOf(const Results& results)
{
    std::vector<std::string> names;
    for (const auto& entry : results.entries)
    {
        names.push_back(entry.name);
    }
    return names;
}

} // namespace

TEST_F(Nfs3Loop, ReaddirplusOfSevenEntriesHasGoldenLength)
{
    const InodeNumber dir = m_store->AddDirectory(m_root, "dir", {0777, 0, 0});
    for (const char* name : {"f2", "f1", "f4", "f5", "f3"})
    {
        m_store->AddFile(dir, name, 777, {0666, 0, 0});
    }
    const auto listed = Do(Readdirplus3Args{HandleOf(dir), 0, {}, 65536, 65536});
    EXPECT_EQ(listed.status, Nfs3Status::OK);
    EXPECT_TRUE(listed.eof);
    EXPECT_TRUE(listed.dirAttributes);
    EXPECT_EQ(NamesOf(listed), (std::vector<std::string>{".", "..", "f2", "f1", "f4", "f5", "f3"}));
    EXPECT_EQ(m_transport->GetLastReplyLength(), 1104U);
    EXPECT_EQ(m_transport->GetLastEstimate().head, 124U);
    EXPECT_EQ(m_transport->GetLastEstimate().items.at(0).maximum, 65536U);
    EXPECT_EQ(m_transport->GetLastEstimate().tail, 4U);
    EXPECT_FALSE(m_transport->GetLastEstimate().items.at(0).ddpEligible);
    EXPECT_EQ(listed.entries[0].handle, HandleOf(dir));
    EXPECT_EQ(listed.entries[1].handle, m_rootHandle);
    EXPECT_EQ(listed.entries[1].handle->length, 8U);
    EXPECT_EQ(listed.entries[2].handle->length, 16U);
}

TEST_F(Nfs3Loop, ReaddirplusOfFiveHundredEntriesHasGoldenLengths)
{
    const InodeNumber dir = m_store->AddDirectory(m_root, "many", {0777, 0, 0});
    for (int i = 0; i < 500; ++i)
    {
        m_store->AddFile(dir, NumberedName(i), 0);
    }
    const auto first = Do(Readdirplus3Args{HandleOf(dir), 0, {}, 65536, 65536});
    EXPECT_EQ(m_transport->GetLastReplyLength(), 65612U);
    EXPECT_EQ(first.entries.size(), 420U);
    EXPECT_FALSE(first.eof);
    const auto second = Do(Readdirplus3Args{HandleOf(dir),
                                            first.entries.back().cookie,
                                            first.cookieVerifier,
                                            131072,
                                            131072});
    EXPECT_EQ(m_transport->GetLastReplyLength(), 12924U);
    EXPECT_EQ(second.entries.size(), 82U);
    EXPECT_TRUE(second.eof);
    const auto past = Do(Readdirplus3Args{HandleOf(dir),
                                          second.entries.back().cookie,
                                          second.cookieVerifier,
                                          4096,
                                          4096});
    EXPECT_EQ(past.status, Nfs3Status::OK);
    EXPECT_TRUE(past.entries.empty());
    EXPECT_TRUE(past.eof);
}

TEST_F(Nfs3Loop, RootsParentIsOutsideTheExport)
{
    const auto listed = Do(Readdirplus3Args{m_rootHandle, 0, {}, 4096, 4096});
    ASSERT_EQ(listed.entries.size(), 2U);
    EXPECT_EQ(listed.entries[0].handle, m_rootHandle);
    EXPECT_TRUE(listed.entries[0].attributes);
    EXPECT_EQ(listed.entries[1].name, "..");
    EXPECT_FALSE(listed.entries[1].handle);
    EXPECT_FALSE(listed.entries[1].attributes);
}

TEST_F(Nfs3Loop, ReaddirInPiecesFindsEachNameOnce)
{
    for (int i = 0; i < 100; ++i)
    {
        m_store->AddFile(m_root, NumberedName(i), 0);
    }
    std::vector<std::string> names;
    Readdir3Args args;
    args.dir = m_rootHandle;
    args.count = 300;
    bool eof = false;
    while (!eof)
    {
        const auto piece = Do(args);
        ASSERT_EQ(piece.status, Nfs3Status::OK);
        ASSERT_FALSE(piece.entries.empty());
        EXPECT_LE(m_transport->GetLastReplyLength(), 124U + 300U);
        for (const auto& name : NamesOf(piece))
        {
            names.push_back(name);
        }
        args.cookie = piece.entries.back().cookie;
        args.cookieVerifier = piece.cookieVerifier;
        eof = piece.eof;
    }
    ASSERT_EQ(names.size(), 102U);
    EXPECT_EQ(names[2], NumberedName(0));
    EXPECT_EQ(names.back(), NumberedName(99));
}

TEST_F(Nfs3Loop, CookiesSurviveRemoval)
{
    for (int i = 0; i < 6; ++i)
    {
        m_store->AddFile(m_root, NumberedName(i), 0);
    }
    const auto all = Do(Readdir3Args{m_rootHandle, 0, {}, 4096});
    ASSERT_EQ(all.entries.size(), 8U);
    const uint64_t cookie = all.entries[4].cookie;
    Do(Remove3Args{{m_rootHandle, all.entries[4].name}});
    Do(Remove3Args{{m_rootHandle, all.entries[3].name}});
    m_store->AddFile(m_root, "late", 0);
    const auto rest = Do(Readdir3Args{m_rootHandle, cookie, {}, 4096});
    EXPECT_EQ(
        NamesOf(rest),
        (std::vector<std::string>{NumberedName(3), NumberedName(4), NumberedName(5), "late"}));
}

TEST_F(Nfs3Loop, ReaddirErrors)
{
    const InodeNumber file = m_store->AddFile(m_root, "f", 0);
    const InodeNumber closed = m_store->AddDirectory(m_root, "c", {0711, 1, 1});
    const auto notDir = Do(Readdir3Args{HandleOf(file), 0, {}, 4096});
    EXPECT_EQ(notDir.status, Nfs3Status::NOTDIR);
    EXPECT_TRUE(notDir.dirAttributes);
    EXPECT_EQ(Do(Readdirplus3Args{HandleOf(file), 0, {}, 1, 4096}).status, Nfs3Status::NOTDIR);
    EXPECT_EQ(Do(Readdir3Args{NfsFh3(), 0, {}, 4096}).status, Nfs3Status::BADHANDLE);
    EXPECT_EQ(Do(Readdir3Args{m_rootHandle, 0, {}, 35}).status, Nfs3Status::TOOSMALL);
    EXPECT_EQ(Do(Readdir3Args{m_rootHandle, 0, {}, 36}).status, Nfs3Status::OK);
    EXPECT_EQ(Do(Readdir3Args{m_rootHandle, 0, {}, 0}).status, Nfs3Status::TOOSMALL);
    EXPECT_EQ(Do(Readdir3Args{m_rootHandle, 1, {9}, 4096}).status, Nfs3Status::BAD_COOKIE);
    SetCaller(2, 2);
    EXPECT_EQ(Do(Readdir3Args{HandleOf(closed), 0, {}, 4096}).status, Nfs3Status::ACCES);
}

TEST_F(Nfs3Loop, EntriesAreBoundedByTheServer)
{
    m_server->SetMaxTransferSize(1024);
    for (int i = 0; i < 100; ++i)
    {
        m_store->AddFile(m_root, NumberedName(i), 0);
    }
    const auto piece = Do(Readdir3Args{m_rootHandle, 0, {}, 65536});
    EXPECT_FALSE(piece.eof);
    EXPECT_LE(m_transport->GetLastReplyLength(), 124U + 1024U);
}

} // namespace ns3::nfsrdma::test
