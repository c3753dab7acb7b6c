/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-test.h"

#include <cmath>

namespace ns3::nfsrdma
{
namespace
{

using Names = std::vector<std::string>;

/// A way through the stack that costs something, and the keys of costs that it must pay.
struct CostPath
{
    std::string name;
    std::string text; ///< Sections of a scenario, without [host].
    Names server;     ///< Keys of [host] that a server pays there.
};

/// Small files, and lists of names of one directory.
std::string
MakeListing(uint32_t count)
{
    return "[workload]\nkind = listing\nlist_directories = 1\nlist_entries = 400\nrequests = 10\n"
           "list_count = " +
           std::to_string(count) + "\n";
}

std::string
MakeTransfer(const std::string& kind, uint32_t size)
{
    return "[workload]\nkind = fio\nreadwrite = " + kind +
           "\ndirect = true\nsize = 64KiB\nrequests = 10\nbs = " + std::to_string(size) + "\n";
}

const std::vector<CostPath> PATHS{
    {"inline replies", "[rpcrdma]\n" + MakeListing(2000), {"copy_rate"}},
    {"inline replies with data", MakeTransfer("randread", 3000), {"copy_rate", "map_cost"}},
    {"replies with Write chunk", MakeTransfer("randread", 8192), {"copy_rate"}},
    {"replies of WRITEs", MakeTransfer("randwrite", 3000), {"copy_rate"}},
    {"Reply chunks", MakeListing(16384), {"copy_rate"}},
    {"replies by Read chunk",
     "[rpcrdma]\nprofile = read-chunk-replies\nclient_reply_mechanism = reply-chunk-never\n" +
         MakeListing(16384),
     {"copy_rate", "map_cost"}},
    {"sinks of Read chunks", MakeTransfer("randwrite", 8192), {"copy_rate", "map_cost"}},
    {"sinks of Read chunks, copied",
     "[rpcrdma]\nserver_registration_strategy = preregistered\n" + MakeTransfer("randwrite", 8192),
     {"copy_rate"}},
    {"sinks of long calls",
     "[rpcrdma]\nclient_call_form = long\n" + MakeTransfer("randwrite", 3000),
     {"copy_rate", "map_cost"}},
    {"NFSv4.1", "[nfs]\nversion = 4.1\n" + MakeTransfer("randread", 3000), {"copy_rate"}},
    {"krb5i",
     "[nfs]\nclient_security = krb5i\nserver_security = krb5i\n" + MakeListing(2000),
     {"copy_rate"}},
};

class Costs : public FaultTest
{
  protected:
    /// \return the mean latency of \p text's RPCs, us, when a server's \p key is \p value.
    [[nodiscard]] double Measure(const std::string& text,
                                 const std::string& key,
                                 const std::string& value,
                                 const Names& options = {}) const
    {
        const ProcessResult result =
            RunText("[cluster]\nclients = 1\n" + text + "[host srv]\nhosts = servers\n" + key +
                        " = " + value + "\n",
                    options);
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
        return Summary()["latency_us"]["mean"].get<double>();
    }
};

TEST_F(Costs, APulledReplyTakesTheTimeOfItsCopy)
{
    std::vector<double> means;
    for (const std::string& rate : Names{"80Gbps", "8Gbps", "800Mbps"})
    {
        // The section [host srv] of the file.
        ASSERT_EQ(RunFault("expose-copy-cost", {"--set", "host srv.copy_rate=" + rate}).status, 0);
        means.push_back(Summary()["latency_us"]["mean"].get<double>());
    }
    // Some 30 KiB are put together for each.
    EXPECT_GT(means[1], means[0] + 15);
    EXPECT_NEAR((means[2] - means[1]) / (means[1] - means[0]), 10, 1);
}

TEST_F(Costs, AServerPaysForEveryCopyOnEveryPath)
{
    for (const CostPath& path : PATHS)
    {
        SCOPED_TRACE(path.name);
        for (const std::string& key : path.server)
        {
            SCOPED_TRACE(key);
            const bool isRate = key == "copy_rate";
            const double once = Measure(path.text, key, isRate ? "200Mbps" : "20us");
            const double twice = Measure(path.text, key, isRate ? "100Mbps" : "40us");
            EXPECT_GT(twice, once + 0.9);
        }
    }
}

TEST_F(Costs, ServersPayForRegistrationsByVerbAndForCryptography)
{
    const std::string sinks =
        "[rpcrdma]\nserver_registration_strategy = regular\n" + MakeTransfer("randwrite", 8192);
    const auto ofVerb = [this, &sinks](const std::string& cost) {
        return Measure(sinks, "copy_rate", "80Gbps", {"--set", "rnic.host_register_base=" + cost});
    };
    EXPECT_GT(ofVerb("20us"), ofVerb("10us") + 5);
    for (const std::string& flavour : Names{"krb5i", "krb5p"})
    {
        SCOPED_TRACE(flavour);
        const std::string rate = flavour == "krb5i" ? "gss_mic_rate" : "gss_wrap_rate";
        const auto ofRate = [this, &flavour, &rate](const std::string& value) {
            return Measure("[nfs]\nclient_security = " + flavour +
                               "\nserver_security = " + flavour + "\n" + rate + " = " + value +
                               "\n" + MakeTransfer("randwrite", 8192),
                           "copy_rate",
                           "80Gbps");
        };
        // Both ends, of at least 8192 octets.
        EXPECT_GT(ofRate("1Gbps"), ofRate("2Gbps") + 60);
    }
}

TEST_F(Costs, ModerationCostsLatencyAtLowDepthAndSavesInterruptsAtHighDepth)
{
    const std::string text =
        "[workload]\nkind = fio\nreadwrite = randread\ndirect = true\nbs = 4KiB\nsize = 1MiB\n";
    const auto measure = [&](const Names& moderation, uint32_t depth, uint32_t requests) {
        Names options{"--set",
                      "workload.iodepth=" + std::to_string(depth),
                      "--set",
                      "workload.requests=" + std::to_string(requests)};
        options.insert(options.end(), moderation.begin(), moderation.end());
        const double latency = Measure(text, "copy_rate", "80Gbps", options);
        double interrupts = 0;
        for (auto& row : Table("counters.csv"))
        {
            interrupts += row["counter"] == "interrupts" ? std::stod(row["value"]) : 0;
        }
        return std::make_pair(latency, interrupts);
    };
    const Names fixed{"--set", "rnic.moderation_count=16", "--set", "rnic.moderation_period=16us"};
    const Names adaptive{"--set", "rnic.adaptive_moderation=true"};
    const auto alone = measure({}, 1, 300);
    // A call alone fills no count: server and client each wait for the whole period.
    EXPECT_NEAR(measure(fixed, 1, 300).first, alone.first + 32, 0.5);
    EXPECT_LT(measure(adaptive, 1, 300).first, alone.first + 3);
    const auto many = measure({}, 64, 3000);
    const auto moderated = measure(fixed, 64, 3000);
    EXPECT_LT(moderated.second, 0.5 * many.second);
    EXPECT_LT(moderated.first, many.first + 8);
    EXPECT_LT(measure(adaptive, 64, 3000).second, 0.8 * many.second);
}

} // namespace
} // namespace ns3::nfsrdma
