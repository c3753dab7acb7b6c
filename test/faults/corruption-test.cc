/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-test.h"

namespace ns3::nfsrdma
{

namespace
{

/// Bits that change on the way reach nobody, since MPA's CRC is on unless a profile turns it off
/// (RFC 5044 section 4.4, 2a).
class CorruptionFault : public FaultTest
{
  protected:
    void ExpectNoMismatch(const ProcessResult& run, const std::string& what) const
    {
        SCOPED_TRACE(what);
        EXPECT_EQ(run.status, 0) << run.errors;
        const auto verification = Summary()["verification"];
        EXPECT_EQ(verification["reads"]["mismatches"], 0);
        EXPECT_EQ(verification["exports"]["mismatches"], 0);
    }

    /// The text of a scenario that corrupts by \p section, with \p more.
    static std::string Scenario(const std::string& section, const std::string& more = "")
    {
        return "[cluster]\nclients = 2\n" + section + "[workload]\nkind = mix\noperations = 100\n" +
               more;
    }
};

TEST_F(CorruptionFault, FpdusThatAFaultCorruptsAreNotBelieved)
{
    // With default limits: that a client's timeout is waited for is no stall.
    for (const char* seed : {"1", "2", "3"})
    {
        ExpectNoMismatch(RunFault("corrupt-fpdu", {"--set", std::string("cluster.seed=") + seed}),
                         std::string("corrupt-fpdu, seed ") + seed);
        EXPECT_GT(Summary()["faults"]["plan"][0]["firings"], 20);
    }
}

TEST_F(CorruptionFault, SegmentsThatAMiddleboxCorruptsAreNotBelieved)
{
    ExpectNoMismatch(RunFault("corrupt-middlebox"), "corrupt-middlebox");
}

TEST_F(CorruptionFault, NoVersionNorPlaceBelievesWhatWasCorrupted)
{
    for (const char* version : {"2", "3", "4.1"})
    {
        const std::string nfs = std::string("[nfs]\nversion = ") + version + "\n";
        for (const char* kind : {"send", "rdma-write"})
        {
            ExpectNoMismatch(RunText(Scenario(nfs,
                                              std::string("[faults]\nnoise = every 40th ") + kind +
                                                  ": corrupt 2 bits\n")),
                             std::string(version) + " " + kind);
        }
        ExpectNoMismatch(RunText(Scenario(nfs + "[middlebox]\nat = hosts\ncorrupt = 0.005\n")),
                         std::string(version) + " middlebox");
    }
}

TEST_F(CorruptionFault, EveryDeviceButSiwAsksForCrcs)
{
    for (const char* profile : {"generic-100g", "chelsio-t5-40g", "chelsio-t6-100g"})
    {
        ExpectNoMismatch(RunText(Scenario("[middlebox]\nat = servers\ncorrupt = 0.001\n[rnic]\n"
                                          "profile = " +
                                          std::string(profile) + "\n")),
                         profile);
    }
    const auto siw = RunText(Scenario("[middlebox]\nat = servers\ncorrupt = 0.02\n[rnic]\n"
                                      "profile = software-iwarp\n"));
    EXPECT_NE(siw.status, 0) << "siw asks for no CRC: bits that change are believed";
}

} // namespace

} // namespace ns3::nfsrdma
