/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-test.h"
#include "tshark.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

namespace ns3::nfsrdma
{
namespace
{

/// What RFC 8267 says of NFS over RPC-over-RDMA.
class NfsBinding : public FaultTest
{
  protected:
    /// What became of the GETACLs of a run.
    struct Lists
    {
        uint32_t calls{0};
        uint32_t failed{0};
        uint32_t again{0};    ///< Made more than once, and answered.
        uint32_t inChunk{0};  ///< Of these, those whose last call had a Reply chunk.
        uint32_t attempts{0}; ///< Of a call at most.
    };

    [[nodiscard]] Lists CountLists() const
    {
        Lists lists;
        for (auto& row : Table("rpc.csv"))
        {
            if (row["operation"].find("GETACL") == std::string::npos)
            {
                continue;
            }
            ++lists.calls;
            const bool answered = row["outcome"] == "SUCCESS";
            const auto attempts = static_cast<uint32_t>(std::stoul(row["attempts"]));
            lists.failed += answered ? 0 : 1;
            lists.again += answered && attempts > 1 ? 1 : 0;
            lists.inChunk += answered && attempts > 1 && row["reply_segments"] != "0" ? 1 : 0;
            lists.attempts = std::max(lists.attempts, attempts);
        }
        return lists;
    }

    /// \return how often the octets of ca_headerpadsize to ca_rdma_ird of a back channel with
    /// messages of \p octets stand in the capture of client-0: once in the call of CREATE_SESSION,
    /// once in its reply.
    [[nodiscard]] uint32_t CountBackChannels(uint32_t octets, uint32_t slots = 16) const
    {
        std::string attributes;
        for (const uint32_t word : {0U, octets, octets, 0U, 2U, slots, 0U})
        {
            for (const uint32_t shift : {24U, 16U, 8U, 0U})
            {
                attributes += static_cast<char>(word >> shift & 0xffU);
            }
        }
        const std::string capture = m_directory.ReadFile("out/client-0.pcap");
        uint32_t count = 0;
        for (auto at = capture.find(attributes); at != std::string::npos;
             at = capture.find(attributes, at + 1))
        {
            ++count;
        }
        return count;
    }

    [[nodiscard]] uint64_t CountForm(const std::string& form) const
    {
        const auto forms = Summary()["forms"];
        return forms.contains(form) ? forms[form].get<uint64_t>() : 0;
    }
};

constexpr const char* MECHANISMS[]{"linux",
                                   "write-chunk-first",
                                   "write-and-reply-chunk",
                                   "solved",
                                   "reply-chunk-always",
                                   "reply-chunk-when-surely-large",
                                   "reply-chunk-never",
                                   "running-estimate"};

/// RFC 8267 section 3.1: a retry has a larger Reply chunk, whatever the client offers without.
TEST_F(NfsBinding, ShortReplyRetryOffersMoreRoom)
{
    ASSERT_EQ(RunFault("acl-retry-no-chunk").status, 0);
    const Lists file = CountLists();
    EXPECT_EQ(file.calls, 200U);
    EXPECT_EQ(file.failed, 0U);
    EXPECT_GT(file.again, 50U);
    EXPECT_EQ(file.inChunk, file.again);
    for (const auto* mechanism : MECHANISMS)
    {
        for (const auto* room : {"64B", "4KiB", "260KiB"})
        {
            const auto result =
                RunFault("acl-retry-no-chunk",
                         {"--set",
                          std::string("rpcrdma.client_reply_mechanism=") + mechanism,
                          "--set",
                          std::string("nfs.client_acl_room=") + room,
                          "--set",
                          "workload.requests=20"});
            EXPECT_EQ(result.status, 0) << mechanism << " " << room << result.errors;
            const Lists lists = CountLists();
            EXPECT_EQ(lists.failed, 0U) << mechanism << " " << room;
            EXPECT_EQ(lists.inChunk, lists.again) << mechanism << " " << room;
            const bool short1 =
                std::string(room) != "260KiB" || std::string(mechanism) == "reply-chunk-never";
            EXPECT_EQ(lists.again > 5, short1) << mechanism << " " << room;
        }
    }
}

/// RFC 8267 section 5.2: so do GETACLs of NFSACL, of either version.
TEST_F(NfsBinding, AccessListsBesideVersions2And3AreAskedForAgain)
{
    for (const std::string version : {"2\nnfsacl2 = true", "3"})
    {
        for (const auto* mechanism : MECHANISMS)
        {
            const auto text = [&](uint32_t attempts) {
                return "[nfs]\nversion = " + version +
                       "\nclient_reply_attempts = " + std::to_string(attempts) +
                       "\n[rpcrdma]\ninline_threshold = 1KiB\nclient_reply_mechanism = " +
                       mechanism +
                       "\n[workload]\nkind = acl\nacl_files = 10\nacl_entries = 5:1,200:1\n"
                       "acl_set_fraction = 0\nrequests = 20\n";
            };
            EXPECT_EQ(RunText(text(2)).status, 0) << version << " " << mechanism;
            const Lists lists = CountLists();
            EXPECT_EQ(lists.calls, 40U);
            EXPECT_EQ(lists.failed, 0U) << version << " " << mechanism;
            EXPECT_EQ(lists.inChunk, lists.again) << version << " " << mechanism;
            const bool never = std::string(mechanism) == "reply-chunk-never";
            EXPECT_EQ(lists.again > 3, never) << version << " " << mechanism;
            if (never)
            {
                EXPECT_EQ(RunText(text(1)).status, 1) << "as Linux, once";
                EXPECT_EQ(CountLists().again, 0U);
                EXPECT_GT(CountLists().failed, 3U);
            }
        }
    }
}

/// RFC 8267 sections 4 and 6.1: the path of READLINK may come by Write chunk, in every version.
TEST_F(NfsBinding, ReadlinkIsReducedInEveryVersion)
{
    for (const auto* version : {"2", "3", "4.0", "4.1", "4.2"})
    {
        const std::string set = std::string("nfs.version=") + version;
        ASSERT_EQ(RunFault("readlink-v4", {"--set", set}).status, 0) << version;
        uint32_t links = 0;
        uint64_t octets = 0;
        for (auto& row : Table("rpc.csv"))
        {
            if (row["operation"] == "READLINK")
            {
                ++links;
                EXPECT_EQ(row["form"], "msg+W") << version;
                octets += std::stoul(row["write_chunk_bytes"]);
            }
        }
        EXPECT_EQ(links, 100U) << version;
        EXPECT_EQ(octets, 700U) << version;
        ASSERT_EQ(
            RunFault("readlink-v4", {"--set", set, "--set", "nfs.reduce_readlink=false"}).status,
            0);
        for (auto& row : Table("rpc.csv"))
        {
            if (row["operation"] == "READLINK")
            {
                EXPECT_EQ(row["form"], "msg+reply") << version << ": as Linux";
            }
        }
    }
}

/// What a COMPOUND is for decides how large its reply is likely to be.
TEST_F(NfsBinding, RunningEstimateKnowsTheOperationsOfACompound)
{
    for (const auto* version : {"3", "4.0", "4.1", "4.2"})
    {
        for (const auto* mix : {"readdirplus:1,getattr:4",
                                "getattr:9,readdirplus:1",
                                "readdirplus:2,read:3,lookup:1,getattr:2"})
        {
            ASSERT_EQ(RunFault("estimate-compound",
                               {"--set",
                                std::string("nfs.version=") + version,
                                "--set",
                                std::string("workload.operation_mix=") + mix})
                          .status,
                      0)
                << version;
            EXPECT_GT(CountForm("msg+reply"), 30U) << version << " " << mix;
            EXPECT_LE(CountForm("msg/read"), 1U) << version << " " << mix;
        }
    }
}

/// RFC 8267 section 6.5.2: a back channel without Long Calls has messages that fit inline.
TEST_F(NfsBinding, BackChannelIsWhatFitsInline)
{
    struct Case
    {
        std::vector<std::string> keys;
        uint32_t octets;
        uint32_t slots;
    };

    const std::vector<Case> cases{
        {{"rpcrdma.inline_threshold=1KiB"}, 996, 16},
        {{"rpcrdma.inline_threshold=2KiB"}, 2020, 16},
        {{"rpcrdma.inline_threshold=4KiB"}, 4068, 16},
        // Linux's client takes a page at most.
        {{"rpcrdma.inline_threshold=8KiB"}, 4068, 16},
        {{"rpcrdma.inline_threshold=8KiB", "rpcrdma.client_reverse_message=64KiB"}, 8164, 16},
        {{"rpcrdma.server_inline_receive=2KiB"}, 2020, 16},
        {{"rpcrdma.server_inline_send=1KiB"}, 996, 16},
        {{"rpcrdma.client_inline_send=3KiB"}, 3044, 16},
        {{"rpcrdma.client_inline_receive=1KiB", "rpcrdma.server_honour_sizes=true"}, 996, 16},
        {{"rpcrdma.client_reverse_credits=3"}, 4068, 3},
        {{"nfs.nconnect=4", "rpcrdma.inline_threshold=1KiB"}, 996, 16}};
    for (const auto* version : {"4.1", "4.2"})
    {
        for (const Case& it : cases)
        {
            std::vector<std::string> options{"--set",
                                             std::string("nfs.version=") + version,
                                             "--set",
                                             "workload.operations=4",
                                             "--pcap",
                                             "client-0"};
            for (const std::string& key : it.keys)
            {
                options.insert(options.end(), {"--set", key});
            }
            const auto result = RunFault("estimate-compound", options);
            EXPECT_EQ(result.status, 0) << it.keys.back() << result.errors;
            EXPECT_EQ(CountBackChannels(it.octets, it.slots), 2U)
                << version << " " << it.keys.back();
        }
    }
}

/// A session has room for the transfers of its mount: WRITEs above 1 MiB were REQ_TOO_BIG.
TEST_F(NfsBinding, SessionHasRoomForTheTransfers)
{
    for (const auto* version : {"3", "4.0", "4.1", "4.2"})
    {
        for (const auto* size : {"1MiB", "2MiB", "4MiB"})
        {
            for (const auto* direction : {"write", "read"})
            {
                const auto result = RunText(
                    std::string("[nfs]\nversion = ") + version + "\ntransfer_size = " + size +
                    "\n[rpcrdma]\nclient_max_data_pages = 1025\nclient_region_pages = 1025\n"
                    "server_max_call_bytes = 8MiB\n"
                    "[workload]\nkind = fio\ndirect = true\nbs = 4194304\nsize = 4MiB\n"
                    "requests = 1\nreadwrite = " +
                    direction + "\n");
                EXPECT_EQ(result.status, 0)
                    << version << " " << size << " " << direction << result.output << result.errors;
            }
        }
    }
}

/// RFC 8267 sections 4.2 and 6.3: version 4 uses the well-known port and asks nobody for it, older
/// versions may use any.
TEST_F(NfsBinding, ClientsConnectToTheWellKnownPortAndAskNobody)
{
    const std::string work = "[cluster]\nclients = 2\n[workload]\nkind = mix\noperations = 5\n"
                             "[output]\npcap = client-0\n[nfs]\nversion = ";
    const std::string capture = m_directory.GetPath() + "/out/client-0.pcap";
    const auto count = [&capture](const std::string& filter) {
        return test::RunTshark(capture, "-Y '" + filter + "'").size();
    };
    for (const std::string version : {"3", "4.0", "4.1", "4.2"})
    {
        ASSERT_EQ(RunText(work + version + "\n").status, 0) << version;
        EXPECT_GT(count("tcp.dstport == 20049 && tcp.flags.syn == 1"), 0U) << version;
        EXPECT_EQ(count("iwarp_mpa.req && tcp.dstport != 20049"), 0U) << version;
        EXPECT_EQ(count("tcp.port == 111 || udp"), 0U) << version;
    }
    ASSERT_EQ(RunText(work + "3\nport = 20123\n").status, 0);
    EXPECT_GT(count("tcp.dstport == 20123 && tcp.flags.syn == 1"), 0U);
    EXPECT_EQ(count("tcp.port == 20049"), 0U);
}

/// RFC 8267 section 6.2: what XDR and ca_maxresponsesize allow is enough for every reply.
TEST_F(NfsBinding, RepliesFitWhatXdrAllows)
{
    const std::string text = "[cluster]\nclients = 2\n[workload]\nkind = mix\noperations = 200\n"
                             "[nfs]\nversion = ";
    for (const std::string version : {"4.0", "4.1", "4.2"})
    {
        std::map<std::string, uint64_t> room;
        for (const std::string estimate : {"linux", "xdr"})
        {
            const auto result =
                RunText(text + version + "\n", {"--set", "nfs.client_reply_estimate=" + estimate});
            ASSERT_EQ(result.status, 0) << version << " " << estimate << result.errors;
            for (auto& row : Table("rpc.csv"))
            {
                EXPECT_EQ(row["outcome"], "SUCCESS") << version << " " << estimate;
                room[estimate] += row["reply_segments"] != "0" ? 1 : 0;
            }
        }
        EXPECT_NE(room["linux"], room["xdr"]) << version;
    }
}

/// RFC 8267 section 6.4.2: what clients send. Regions of four pages make 16 segments of the largest
/// READ and WRITE; with smaller ones these fail, as Linux's do, and no chunk has more segments.
TEST_F(NfsBinding, ChunkListsAreAsSimpleAsTheyShouldBe)
{
    const std::string text = "[cluster]\nclients = 2\n[workload]\nkind = mix\noperations = 120\n"
                             "files = 4\nfile_size = 1MiB\nio_sizes = 5001:1,262144:1\n"
                             "operation_mix = read:3,write:3,readdir:1,getattr:1\n";
    for (const std::string profile : {"rfc8267", "linux-6.1"})
    {
        for (const auto& [version, pages] : {std::pair("4.0", 4), {"4.1", 4}, {"4.1", 1}})
        {
            SCOPED_TRACE(profile + " " + version + " " + std::to_string(pages));
            const auto result = RunText(text + "[rpcrdma]\nprofile = " + profile +
                                        "\nclient_region_pages = " + std::to_string(pages) +
                                        "\n[nfs]\nversion = " + version + "\n");
            ASSERT_EQ(result.status, pages == 1 ? 1 : 0) << result.errors;
            uint64_t mostOfWrite = 0;
            uint64_t mostOfRead = 0;
            for (auto& row : Table("rpc.csv"))
            {
                const uint64_t ofWrite = std::stoul(row["write_segments"]);
                const uint64_t ofRead = std::stoul(row["read_segments"]);
                EXPECT_LE(std::stoul(row["write_chunks"]), 1U) << row["operation"];
                EXPECT_LE(std::stoul(row["reply_segments"]), 16U) << row["operation"];
                mostOfWrite = std::max(mostOfWrite, ofWrite);
                mostOfRead = std::max(mostOfRead, ofRead);
            }
            EXPECT_LE(mostOfWrite, 16U);
            EXPECT_LE(mostOfRead, 16U);
            EXPECT_EQ(mostOfWrite == 16 && mostOfRead == 16, pages == 4);
        }
    }
}

/// Profiles that do what a specification says serve every version of NFS.
TEST_F(NfsBinding, ProfilesOfSpecificationsServeEveryVersion)
{
    const std::string text = "[cluster]\nclients = 2\n[workload]\nkind = mix\noperations = 40\n"
                             "io_sizes = 3880:1,5001:1,65536:1\n[nfs]\nversion = ";
    for (const std::string version : {"2", "3", "4.0", "4.1", "4.2"})
    {
        for (const std::string profile : {"rpcrdma.profile=rfc8166",
                                          "rpcrdma.profile=rfc8797",
                                          "rpcrdma.profile=draft-read-chunks",
                                          "rpcrdma.profile=rfc8267",
                                          "rnic.profile=rfc5044"})
        {
            const auto result = RunText(text + version + "\n", {"--set", profile});
            EXPECT_EQ(result.status, 0) << version << " " << profile << result.errors;
            EXPECT_EQ(Summary()["verification"]["failed_operations"], 0);
        }
    }
}

/// RFC 8166 section 3.3.2: what fits the inline threshold with its header goes inline; Linux sets
/// the largest header aside.
TEST_F(NfsBinding, WritesThatFitGoInlineAsRfc8166Says)
{
    const std::string text = "[cluster]\nclients = 1\n[workload]\nkind = mix\noperations = 20\n"
                             "io_sizes = 3880:1\noperation_mix = write:1\n[rpcrdma]\nprofile = ";
    for (const bool exact : {false, true})
    {
        ASSERT_EQ(RunText(text + (exact ? "rfc8166\n" : "linux-6.1\n")).status, 0);
        uint32_t inlineWrites = 0;
        for (auto& row : Table("rpc.csv"))
        {
            inlineWrites += row["operation"] == "WRITE" && row["form"] == "msg/inline" ? 1 : 0;
        }
        EXPECT_EQ(inlineWrites, exact ? 20U : 0U);
    }
}

/// RFC 8267 section 6.4.1: each READ of a COMPOUND has its Write chunk, each WRITE its Read chunk.
class SeveralDataOperations : public NfsBinding
{
  protected:
    [[nodiscard]] ProcessResult RunWith(const std::string& version,
                                        uint32_t operations,
                                        uint32_t chunks) const
    {
        std::ostringstream text;
        text << "[cluster]\nclients = 2\n[output]\npcap = client-0\n[nfs]\nversion = " << version
             << "\nclient_data_operations = " << operations
             << "\n[rpcrdma]\nclient_max_read_chunks = " << chunks
             << "\nclient_max_write_chunks = " << chunks
             << "\n[workload]\nkind = mix\noperations = 60\nfiles = 4\nfile_size = 128KiB\n"
                "io_sizes = 65536:2,50001:1,100:1\noperation_mix = read:1,write:1\n";
        return RunText(text.str());
    }

    [[nodiscard]] std::size_t CountFrames(const std::string& filter) const
    {
        return test::RunTshark(m_directory.GetPath() + "/out/client-0.pcap", "-Y '" + filter + "'")
            .size();
    }

    /// \return calls of the capture that have \p operations READs and as many Write chunks.
    [[nodiscard]] std::size_t CountReads(uint32_t operations) const
    {
        std::size_t calls = 0;
        std::string reads;
        for (uint32_t i = 0; i < operations; ++i)
        {
            reads += ",25";
        }
        reads += "\t" + std::to_string(operations) + "\n";
        for (const std::string& line :
             test::RunTshark(m_directory.GetPath() + "/out/client-0.pcap",
                             "-Y 'rpc.msgtyp == 0 && nfs' -T fields -E separator=/t -e nfs.opcode "
                             "-e rpcordma.writes_count"))
        {
            const auto at = line.find(",25");
            calls += at != std::string::npos && line.substr(at) == reads ? 1 : 0;
        }
        return calls;
    }
};

TEST_F(SeveralDataOperations, HaveAChunkForEach)
{
    for (const std::string version : {"4.0", "4.1", "4.2"})
    {
        for (const uint32_t operations : {2, 4})
        {
            const auto result = RunWith(version, operations, 4);
            ASSERT_EQ(result.status, 0) << version << result.errors;
            EXPECT_EQ(Summary()["verification"]["failed_operations"], 0);
            EXPECT_EQ(Summary()["errors"], 0);
            EXPECT_GT(CountReads(operations), 5U) << version;
            EXPECT_EQ(CountReads(1), 0U) << "those of 100 octets fit inline";
            EXPECT_GT(CountFrames("rpcordma.reads_count == " + std::to_string(operations)), 5U);
            // tshark 4.0 misses the data of READs, and of WRITEs those of all but one Read chunk.
            EXPECT_EQ(CountFrames("_ws.malformed && !(nfs.opcode == 25) && !(nfs.opcode == 38)"),
                      0U);
        }
    }
}

/// Clients whose policy is one chunk of each kind, as Linux's, send the other data otherwise.
TEST_F(SeveralDataOperations, NeedNoChunkForEach)
{
    for (const uint32_t chunks : {1, 2})
    {
        const auto result = RunWith("4.1", 4, chunks);
        EXPECT_EQ(result.status, 0) << chunks << result.errors;
        EXPECT_EQ(Summary()["verification"]["failed_operations"], 0);
        EXPECT_EQ(Summary()["errors"], 0);
    }
}

} // namespace
} // namespace ns3::nfsrdma
