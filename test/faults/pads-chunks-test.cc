/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "captured-items.h"
#include "fault-test.h"
#include "wire/bytes.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <map>

namespace ns3::nfsrdma
{
namespace
{

using Names = std::vector<std::string>;

const Names STRATEGIES{"frwr",
                       "memory-window",
                       "regular",
                       "all-physical",
                       "preregistered",
                       "cache"};

/// \return whether \p octets have an XDR item of \p length octets whose pad is zeros.
bool
HasItemWithZeroPad(const ByteVector& octets, uint32_t length)
{
    for (std::size_t at = 0; at + 4 + RoundUp4(length) <= octets.size(); at += 4)
    {
        if (boost::endian::load_big_u32(octets.data() + at) == length)
        {
            const auto pad = octets.begin() + static_cast<std::ptrdiff_t>(at + 4 + length);
            if (std::all_of(pad, pad + Pad4(length), [](uint8_t octet) { return octet == 0; }))
            {
                return true;
            }
        }
    }
    return false;
}

/// READs and WRITEs of two lengths in turn, into buffers that are used again and again.
class PadsAndChunks : public FaultTest
{
  protected:
    static constexpr uint32_t REQUESTS = 40;

    /// \return a scenario of requests of \p length octets, among some that are longer but take the
    /// same buffers, so that there is something behind the shorter ones.
    static std::string MakeScenario(uint32_t length, const std::string& rpcrdma)
    {
        const uint32_t longer = RoundUp4(length) + 8;
        return "[cluster]\nclients = 1\n[host]\nreuse_buffers = true\n[workload]\nkind = fio\n"
               "readwrite = randrw\ndirect = true\nsize = 256KiB\niodepth = 4\nrequests = " +
               std::to_string(REQUESTS) + "\nbssplit = " + std::to_string(longer) + ":1," +
               std::to_string(length) + ":1\n[output]\npcap = client-0\n[rpcrdma]\n" + rpcrdma;
    }

    /// Runs it, and looks at the pad of every item of \p length octets in the capture.
    void CheckPads(uint32_t length,
                   const std::string& rpcrdma,
                   const std::vector<std::string>& options = {}) const
    {
        const ProcessResult result = RunText(MakeScenario(length, rpcrdma), options);
        ASSERT_EQ(result.status, 0) << result.output << result.errors;
        const CapturedItems items =
            CapturedItems::Read(m_directory.GetPath() + "/out/client-0.pcap");
        uint32_t seen = 0;
        for (const ByteVector& chunk : items.readChunks)
        {
            const bool isPadded = chunk.size() == RoundUp4(length);
            seen += isPadded || chunk.size() == length ? 1 : 0;
            EXPECT_TRUE(!isPadded || std::all_of(chunk.begin() + length,
                                                 chunk.end(),
                                                 [](uint8_t octet) { return octet == 0; }));
        }
        const auto isLonger = [length](uint64_t octets) { return octets == RoundUp4(length) + 8; };
        for (const uint64_t octets : items.writeChunks)
        {
            seen += octets == length ? 1 : 0;
            EXPECT_TRUE(octets == length || isLonger(octets)) << octets;
        }
        EXPECT_EQ(items.written, items.writtenToChunks);
        for (const ByteVector& message : items.messages)
        {
            seen += message.size() > length && HasItemWithZeroPad(message, length) ? 1 : 0;
        }
        EXPECT_GE(seen, REQUESTS / 5);
    }
};

TEST_F(PadsAndChunks, APadInTheLastSegmentIsZerosOfTheClientsOwn)
{
    for (const std::string& strategy : STRATEGIES)
    {
        SCOPED_TRACE(strategy);
        const ProcessResult result =
            RunFault("pad-last-segment",
                     {"--set", "rpcrdma.client_registration_strategy=" + strategy});
        ASSERT_EQ(result.status, 0) << result.output << result.errors;
        const auto rows = Table("rpc.csv");
        EXPECT_GE(std::count_if(rows.begin(),
                                rows.end(),
                                [](auto row) { return row["read_chunk_bytes"] == "4100"; }),
                  2);
    }
}

TEST_F(PadsAndChunks, AReusedBufferShowsNothingBehindTheItem)
{
    ASSERT_EQ(RunFault("stale-pad").status, 0);
    const CapturedItems items = CapturedItems::Read(m_directory.GetPath() + "/out/client-0.pcap");
    EXPECT_EQ(items.readChunks.size(), 64U);
    for (const std::string& strategy : STRATEGIES)
    {
        for (const std::string& pad : Names{"none", "segment", "last-segment"})
        {
            SCOPED_TRACE(strategy + ", " + pad);
            CheckPads(4097,
                      "client_read_pad = " + pad +
                          "\nclient_call_form = reduce-all\nclient_registration_strategy = " +
                          strategy + "\n");
        }
    }
}

TEST_F(PadsAndChunks, EveryLengthAndVersionHasPadsOfZeros)
{
    for (const std::string& version : Names{"2", "3", "4.0", "4.1", "4.2"})
    {
        for (const uint32_t length : {1U, 2U, 3U, 5U, 3838U, 3955U, 8191U})
        {
            if (version == "2" && length > 8184)
            {
                continue; // More than it takes in one call.
            }
            SCOPED_TRACE("NFSv" + version + ", " + std::to_string(length) + " octets");
            CheckPads(length,
                      "client_read_pad = last-segment\n",
                      {"--set", "nfs.version=" + version});
        }
    }
}

TEST_F(PadsAndChunks, EveryFormOfMessageHasPadsOfZeros)
{
    const Names forms{"client_call_form = long\n",
                      "client_call_form = long-reduced\n",
                      "client_call_form = reduce-all\n",
                      "client_call_form = never-reduce\n",
                      "client_reply_mechanism = reply-chunk-always\n",
                      "client_reply_mechanism = write-chunk-first\n",
                      "client_reply_mechanism = write-and-reply-chunk\n",
                      "profile = read-chunk-replies\n"
                      "client_reply_mechanism = reply-chunk-never\n"
                      "client_max_write_chunks = 0\n"};
    for (const std::string& form : forms)
    {
        for (const uint32_t length : {3U, 1021U, 6002U})
        {
            SCOPED_TRACE(form + std::to_string(length) + " octets");
            CheckPads(length,
                      form + "client_read_pad = segment\n",
                      {"--set", "rpcrdma.server_remote_invalidation=true"});
        }
    }
    CheckPads(1021,
              "",
              {"--set", "nfs.client_security=krb5i", "--set", "nfs.server_security=krb5i"});
}

TEST_F(PadsAndChunks, AnStagOfSeveralCallsIsNotOfferedForInvalidation)
{
    for (const std::string& rules : Names{"linux", "rfc8166"})
    {
        SCOPED_TRACE(rules);
        const ProcessResult result =
            RunFault("shared-pad-invalidated",
                     {"--set", "rpcrdma.client_reply_rules=" + rules, "--pcap", "client-0"});
        ASSERT_EQ(result.status, 0) << result.output << result.errors;
        const CapturedItems items =
            CapturedItems::Read(m_directory.GetPath() + "/out/client-0.pcap");
        EXPECT_EQ(items.sharedInvalidated, 0U);
        EXPECT_EQ(items.invalidations, 100U);
    }
    for (const std::string& strategy : STRATEGIES)
    {
        for (const std::string& policy : Names{"linux", "rfc8797", "largest"})
        {
            for (const std::string& announced : Names{"false", "true"})
            {
                SCOPED_TRACE(strategy + ", " + policy + ", R " + announced);
                const ProcessResult result =
                    RunFault("shared-pad-invalidated",
                             {"--set",
                              "rpcrdma.client_registration_strategy=" + strategy,
                              "--set",
                              "rpcrdma.server_invalidation=" + policy,
                              "--set",
                              "rpcrdma.server_remote_invalidation=" + announced,
                              "--set",
                              "rpcrdma.client_reply_rules=rfc8166",
                              "--set",
                              "workload.requests=12",
                              "--pcap",
                              "client-0"});
                ASSERT_EQ(result.status, 0) << result.output << result.errors;
                const CapturedItems items =
                    CapturedItems::Read(m_directory.GetPath() + "/out/client-0.pcap");
                EXPECT_EQ(items.sharedInvalidated, 0U);
            }
        }
    }
}

TEST_F(PadsAndChunks, ANoticeInvalidatesOnlyWhereBothSidesHaveAnnouncedIt)
{
    for (const std::string& client : Names{"false", "true"})
    {
        for (const std::string& server : Names{"false", "true"})
        {
            for (const std::string& strategy : Names{"frwr", "regular", "preregistered"})
            {
                SCOPED_TRACE("client " + client + ", server " + server + ", " + strategy);
                const ProcessResult result =
                    RunFault("done-invalidates",
                             {"--set",
                              "rpcrdma.client_remote_invalidation=" + client,
                              "--set",
                              "rpcrdma.server_remote_invalidation=" + server,
                              "--set",
                              "rpcrdma.server_registration_strategy=" + strategy,
                              "--pcap",
                              "client-0"});
                ASSERT_EQ(result.status, 0) << result.output << result.errors;
                const CapturedItems items =
                    CapturedItems::Read(m_directory.GetPath() + "/out/client-0.pcap");
                EXPECT_GT(items.dones, 0U);
                const bool both = client == "true" && server == "true" && strategy == "frwr";
                EXPECT_EQ(items.invalidatingDones, both ? items.dones : 0U);
            }
        }
    }
}

TEST_F(PadsAndChunks, ALateReplyWithAReadChunkIsNotTakenForAReverseCall)
{
    for (const std::string& version : Names{"3", "4.0", "4.1", "4.2"})
    {
        for (const std::string& policy : Names{"linux", "invalidate", "set-aside"})
        {
            SCOPED_TRACE("NFSv" + version + ", " + policy);
            const ProcessResult result = RunFault("cancelled-v41",
                                                  {"--set",
                                                   "nfs.version=" + version,
                                                   "--set",
                                                   "rpcrdma.client_cancel=" + policy,
                                                   "--set",
                                                   "workload.requests=200"});
            ASSERT_EQ(result.status, 0) << result.output << result.errors;
            const auto memory = Summary()["server_memory"];
            EXPECT_GT(memory["exposed_peak_octets"].get<uint64_t>(), 0U);
            EXPECT_LT(memory["exposed_peak_octets"].get<uint64_t>(), 100000U);
        }
    }
}

TEST_F(PadsAndChunks, ProbesDoNotKeepAnIdleConnection)
{
    for (const std::string& version : Names{"2", "3"})
    {
        uint64_t without = 0;
        for (const std::string& period : Names{"0ns", "3ms"})
        {
            SCOPED_TRACE("NFSv" + version + ", probes each " + period);
            const ProcessResult result = RunFault("probe-renews-idle",
                                                  {"--set",
                                                   "nfs.version=" + version,
                                                   "--set",
                                                   "rpcrdma.client_probe_period=" + period});
            ASSERT_EQ(result.status, 0) << result.output << result.errors;
            const uint64_t connections =
                CapturedItems::Read(m_directory.GetPath() + "/out/client-0.pcap").connections;
            EXPECT_GT(connections, 3U);
            without = without == 0 ? connections : without;
            EXPECT_EQ(connections, without);
        }
    }
}

TEST_F(PadsAndChunks, ASendThatNoReceiveHoldsIsNamedAtBothEnds)
{
    const std::string text = "[cluster]\nclients = 1\n[rpcrdma]\nprofile = read-chunk-replies\n"
                             "server_honour_sizes = false\nclient_inline_receive = 1KiB\n"
                             "[workload]\nkind = listing\nlist_directories = 1\n"
                             "list_entries = 100\nlist_count = 3000\nrequests = 5\n"
                             "[output]\ntimeline = 1ms\n";
    const ProcessResult result = RunText(text);
    ASSERT_EQ(result.status, 3) << result.output << result.errors;
    EXPECT_THAT(result.errors,
                ::testing::ContainsRegex("client-0: [0-9]+ connections ended: Terminate sent: "
                                         "1/2/05 message too long for the buffer; a Send of the "
                                         "peer is longer than the Receive posted for it"));
    EXPECT_THAT(result.errors,
                ::testing::ContainsRegex("server-0: [0-9]+ connections ended: Terminate received: "
                                         "1/2/05 message too long for the buffer; a Send is longer "
                                         "than the peer's Receive"));
    std::map<std::string, uint32_t> ends;
    for (auto& row : Table("events.csv"))
    {
        ends[row["host"]] += row["kind"] == "terminate" ? 1 : 0;
    }
    EXPECT_GT(ends["client-0"], 0U);
    EXPECT_EQ(ends["client-0"], ends["server-0"]);

    const ProcessResult honoured = RunText(text, {"--set", "rpcrdma.server_honour_sizes=true"});
    EXPECT_EQ(honoured.status, 0) << honoured.output << honoured.errors;
}

TEST_F(PadsAndChunks, ObservedThresholdsRegisterNoMoreThanFixedOnes)
{
    const auto measure = [this](const std::string& policy, const Names& options) {
        Names all{"--set",
                  "rpcrdma.client_inline_policy=" + policy,
                  "--set",
                  "workload.operations=600"};
        for (const std::string& option : options)
        {
            all.insert(all.end(), {"--set", option});
        }
        const ProcessResult result = RunFault("observed-threshold", all);
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
        return Summary()["registrations_per_rpc"].get<double>();
    };
    const std::vector<Names> cases{
        {"nfs.version=4.1"},
        {"nfs.version=2"},
        {"nfs.version=3", "cluster.seed=3"},
        {"nfs.version=4.2", "workload.io_sizes=512:1,3000:1,8192:1"},
        {"nfs.version=3", "workload.operation_mix=getattr:1,readdir:1,lookup:1,read:1"}};
    for (const Names& options : cases)
    {
        SCOPED_TRACE(::testing::PrintToString(options));
        const double fixed = measure("fixed", options);
        EXPECT_LE(measure("observed", options), fixed);
    }
}

} // namespace
} // namespace ns3::nfsrdma
