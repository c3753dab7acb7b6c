/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/nfs3-loop.h"

#include <random>
#include <set>

namespace ns3::nfsrdma::test
{

namespace
{

constexpr uint64_t TIB = uint64_t{1} << 40;
constexpr int ENTRIES = 100000;

std::string
LongName(int number)
{
    return "an-entry-of-a-large-directory-" + std::to_string(number);
}

/// A directory of 100,000 entries, and files that are mostly holes.
class LargeObjects : public Nfs3Loop
{
  protected:
    void MakeDirectory()
    {
        m_dir = m_store->AddDirectory(m_root, "large", {0777, 0, 0});
        for (int i = 0; i < ENTRIES; ++i)
        {
            m_store->AddFile(m_dir, LongName(i), 0);
        }
    }

    /// Lists the directory in pieces of \p count octets; \p between is called after each.
    std::vector<std::string> ListAll(uint32_t count,
                                     const std::function<void(const Readdir3Res&)>& between)
    {
        std::vector<std::string> names;
        Readdir3Args args;
        args.dir = HandleOf(m_dir);
        args.count = count;
        for (bool eof = false; !eof;)
        {
            const auto piece = Do(args);
            EXPECT_EQ(piece.status, Nfs3Status::OK);
            if (piece.status != Nfs3Status::OK || (piece.entries.empty() && !piece.eof))
            {
                ADD_FAILURE() << "the listing stops";
                return names;
            }
            for (const auto& entry : piece.entries)
            {
                EXPECT_GT(entry.cookie, args.cookie);
                args.cookie = entry.cookie;
                names.push_back(entry.name);
            }
            args.cookieVerifier = piece.cookieVerifier;
            eof = piece.eof;
            between(piece);
        }
        return names;
    }

    InodeNumber m_dir{0};
};

/// Entries come and go between the pieces. What was there all the time is listed once; what was
/// removed before its turn is not; what is new is listed, since it comes last.
TEST_F(LargeObjects, ListingGoesOnWhileEntriesComeAndGo)
{
    MakeDirectory();
    std::mt19937_64 random(100);
    std::set<int> there;
    for (int i = 0; i < ENTRIES; ++i)
    {
        there.insert(there.end(), i);
    }
    std::set<std::string> listed;
    std::set<std::string> removedFirst;
    int next = ENTRIES;
    const auto names = ListAll(8192, [&](const Readdir3Res& piece) {
        for (const auto& entry : piece.entries)
        {
            listed.insert(entry.name);
        }
        for (int i = 0; i < 20 && !piece.eof; ++i)
        {
            const auto victim = there.lower_bound(static_cast<int>(random() % next));
            if (victim == there.end())
            {
                continue;
            }
            const std::string name = LongName(*victim);
            ASSERT_EQ(m_store->GetNames().Remove(m_dir, name, FileCredential()), Nfs3Status::OK);
            if (listed.count(name) == 0)
            {
                removedFirst.insert(name);
            }
            there.erase(victim);
            // Names are used again, too.
            m_store->AddFile(m_dir, i % 2 == 0 ? LongName(next) : name + "-again", 0);
            if (i % 2 == 0)
            {
                there.insert(there.end(), next);
                ++next;
            }
        }
    });
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
    EXPECT_GT(removedFirst.size(), 1000U);
    for (const auto& name : removedFirst)
    {
        EXPECT_EQ(listed.count(name), 0U) << name;
    }
    for (const int number : there)
    {
        EXPECT_EQ(listed.count(LongName(number)), 1U) << number;
    }
}

/// Each piece is found by its cookie: 100,000 entries by 30 are 3,000 searches.
TEST_F(LargeObjects, ListingInSmallPiecesIsWholeAndInOrder)
{
    MakeDirectory();
    int pieces = 0;
    const auto names = ListAll(2048, [&pieces](const Readdir3Res&) { ++pieces; });
    EXPECT_GT(pieces, 2900);
    ASSERT_EQ(names.size(), ENTRIES + 2U);
    EXPECT_EQ(names[0], ".");
    EXPECT_EQ(names[1], "..");
    for (int i = 0; i < ENTRIES; ++i)
    {
        ASSERT_EQ(names[i + 2], LongName(i));
    }
}

TEST_F(LargeObjects, CookieOfARemovedEntryGoesOnBehindIt)
{
    MakeDirectory();
    const auto piece = Do(Readdir3Args{HandleOf(m_dir), 50000, {}, 4096});
    ASSERT_EQ(piece.status, Nfs3Status::OK);
    ASSERT_GT(piece.entries.size(), 3U);
    for (int i = 0; i < 3; ++i)
    {
        Do(Remove3Args{{HandleOf(m_dir), piece.entries[i].name}});
    }
    const auto rest =
        Do(Readdir3Args{HandleOf(m_dir), piece.entries[1].cookie, piece.cookieVerifier, 4096});
    EXPECT_EQ(rest.entries.front().name, piece.entries[3].name);
    // Far behind all there is; and with a verifier the server never gave.
    const auto past = Do(Readdir3Args{HandleOf(m_dir), ~uint64_t{0}, {}, 4096});
    EXPECT_TRUE(past.eof);
    EXPECT_TRUE(past.entries.empty());
    EXPECT_EQ(Do(Readdir3Args{HandleOf(m_dir), 7, {1}, 4096}).status, Nfs3Status::BAD_COOKIE);
    EXPECT_EQ(Do(Readdirplus3Args{HandleOf(m_dir), 7, {1}, 4096, 4096}).status,
              Nfs3Status::BAD_COOKIE);
    EXPECT_EQ(Do(Readdir3Args{HandleOf(m_dir), 0, {1}, 4096}).status, Nfs3Status::OK);
}

/// Octets at multi-TiB offsets are really there, between them are zeros, and memory and "used"
/// count what was written.
TEST_F(LargeObjects, SparseFileOfManyTebibytes)
{
    m_store->SetAttribute("TotalBytes", UintegerValue(64 * TIB));
    const InodeNumber file = m_store->AddFile(m_root, "sparse", 0, {0666, 0, 0});
    std::mt19937_64 random(11);
    std::map<uint64_t, ByteVector> written;
    const uint64_t most = m_store->GetFileSystem().GetSettings().maxFileSize;
    for (int i = 0; i < 200; ++i)
    {
        const uint64_t offset = random() % (most - 70000);
        ByteVector data(1 + random() % 65536);
        std::generate(data.begin(), data.end(), [&] { return static_cast<uint8_t>(random()); });
        const auto result = WriteFrom(HandleOf(file), offset, data, StableHow::UNSTABLE);
        ASSERT_EQ(result.status, Nfs3Status::OK);
        written[offset] = data;
    }
    uint64_t octets = 0;
    for (const auto& [offset, data] : written)
    {
        ByteVector out;
        ASSERT_EQ(ReadInto(HandleOf(file), offset, data.size(), out).status, Nfs3Status::OK);
        EXPECT_EQ(out, data) << offset;
        octets += data.size();
        ReadInto(HandleOf(file), offset + data.size(), 4096, out);
        EXPECT_EQ(out, ByteVector(out.size(), 0)) << offset;
    }
    const auto& attributes = m_store->Get(file).attributes;
    EXPECT_GT(attributes.size, 10 * TIB);
    EXPECT_GE(attributes.used, octets);
    EXPECT_LE(attributes.used, octets + written.size() * 2 * SparseFile::PAGE_SIZE);
    ByteVector hole;
    EXPECT_FALSE(ReadInto(HandleOf(file), 0, 1, hole).eof);

    // Cut in the middle, and made large again: what was behind the cut is zeros.
    const auto middle = std::next(written.begin(), 100);
    Setattr3Args cut;
    cut.object = HandleOf(file);
    cut.attributes.size = middle->first;
    EXPECT_EQ(Do(cut).status, Nfs3Status::OK);
    cut.attributes.size = most;
    EXPECT_EQ(Do(cut).status, Nfs3Status::OK);
    EXPECT_LE(m_store->Get(file).attributes.used,
              octets * 6 / 10 + 100 * 2 * SparseFile::PAGE_SIZE);
    for (auto it = middle; it != written.end(); ++it)
    {
        ByteVector out;
        ReadInto(HandleOf(file), it->first, it->second.size(), out);
        EXPECT_EQ(out, ByteVector(it->second.size(), 0));
    }
}

TEST_F(LargeObjects, EndsOfFilesAndTheirErrors)
{
    const InodeNumber file = m_store->AddFile(m_root, "f", 0, {0666, 0, 0});
    const uint64_t most = m_store->GetFileSystem().GetSettings().maxFileSize;
    const ByteVector octet{7};
    EXPECT_EQ(WriteFrom(HandleOf(file), most - 1, octet).status, Nfs3Status::OK);
    EXPECT_EQ(m_store->Get(file).attributes.size, most);
    EXPECT_EQ(WriteFrom(HandleOf(file), most, octet).status, Nfs3Status::FBIG);
    EXPECT_EQ(WriteFrom(HandleOf(file), ~uint64_t{0}, octet).status, Nfs3Status::FBIG);
    ByteVector out;
    const auto last = ReadInto(HandleOf(file), most - 1, 100, out);
    EXPECT_EQ(out, octet);
    EXPECT_TRUE(last.eof);
    for (const uint64_t offset : {most, ~uint64_t{0}})
    {
        const auto behind = ReadInto(HandleOf(file), offset, 100, out);
        EXPECT_EQ(behind.status, Nfs3Status::OK);
        EXPECT_EQ(behind.count, 0U);
        EXPECT_TRUE(behind.eof);
    }
    Setattr3Args grow;
    grow.object = HandleOf(file);
    grow.attributes.size = most + 1;
    EXPECT_EQ(Do(grow).status, Nfs3Status::FBIG);
}

/// The verifier is another one after a restart, and what was not committed is gone.
TEST_F(LargeObjects, RestartChangesTheVerifierAndLosesUncommittedData)
{
    const auto storage = CreateObject<ServerStorage>();
    storage->SetAttribute("CacheSize", UintegerValue(1 << 20));
    storage->SetDevice(m_storage);
    storage->SetFileStore(m_store);
    m_server->SetStorage(storage);
    const InodeNumber file = m_store->AddFile(m_root, "f", 0, {0666, 0, 0});
    const ByteVector data(5000, 0xab);
    WriteFrom(HandleOf(file), 0, data, StableHow::UNSTABLE);
    Commit3Args commit;
    commit.file = HandleOf(file);
    const auto committed = Do(commit);
    HostBuffer buffer(m_clientMemory, data.size());
    buffer.Write(0, data);
    // Written back after 30 s, so not by Await(), which runs until nothing is left to do.
    Write3Args args;
    args.file = HandleOf(file);
    args.offset = 5000;
    args.count = data.size();
    std::optional<Write3Res> unstable;
    m_client->Call(args, buffer.GetAddress(), [&](RpcRecord&, const Write3Res& result) {
        unstable = result;
        Simulator::Stop();
    });
    Simulator::Run();
    ASSERT_TRUE(unstable);
    EXPECT_EQ(unstable->verifier, committed.verifier);
    m_server->Restart();

    const auto after = Do(commit);
    EXPECT_NE(after.verifier, committed.verifier);
    ByteVector out;
    ReadInto(HandleOf(file), 0, 10000, out);
    EXPECT_EQ(ByteVector(out.begin(), out.begin() + 5000), data);
    EXPECT_EQ(ByteVector(out.begin() + 5000, out.end()), ByteVector(5000, 0));
    // The client writes again.
    WriteFrom(HandleOf(file), 5000, data, StableHow::UNSTABLE);
    EXPECT_EQ(Do(commit).verifier, after.verifier);
    m_server->Restart();
    ReadInto(HandleOf(file), 5000, 5000, out);
    EXPECT_EQ(out, data);
    storage->Dispose();
}

} // namespace

} // namespace ns3::nfsrdma::test
