/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

#include <string>

#if defined(__SANITIZE_ADDRESS__)
#define NFSRDMA_TEST_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define NFSRDMA_TEST_ADDRESS_SANITIZER 1
#endif
#endif

namespace ns3::nfsrdma
{

namespace
{

/// A client that has mounted and done next to nothing.
struct IdleClientCase
{
    std::string version;
    double most; ///< Octets for each further one. Measured with glibc 2.36, plus a twentieth.
};

class ClientMemoryTest : public SimulatorTest, public ::testing::WithParamInterface<IdleClientCase>
{
  protected:
    static constexpr uint32_t FEW = 100;
    static constexpr uint32_t MANY = 400;

    [[nodiscard]] double MeasurePeak(uint32_t clients) const
    {
        const auto result = Run({"run",
                                 "idle.ini",
                                 "--out",
                                 "out-" + std::to_string(clients),
                                 "--set",
                                 "nfs.version=" + GetParam().version,
                                 "--set",
                                 "cluster.clients=" + std::to_string(clients)});
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
        return static_cast<double>(result.peakMemory);
    }
};

TEST_P(ClientMemoryTest, AFurtherIdleClientTakesLittle)
{
#ifdef NFSRDMA_TEST_ADDRESS_SANITIZER
    GTEST_SKIP() << "AddressSanitizer has memory of its own";
#endif
    m_directory.WriteFile("idle.ini",
                          "[cluster]\nclients = 1\n"
                          "[topology]\narp = directed\n"
                          "[nfs]\nthreads = 64\n"
                          "[workload]\nkind = fio\nrequests = 1\nsize = 4KiB\ndirect = true\n"
                          "[output]\nrpc_csv = false\n");
    const double few = MeasurePeak(FEW);
    const double many = MeasurePeak(MANY);
    EXPECT_LT((many - few) / (MANY - FEW), GetParam().most);
}

INSTANTIATE_TEST_SUITE_P(Versions,
                         ClientMemoryTest,
                         ::testing::Values(IdleClientCase{"3", 178'000},
                                           IdleClientCase{"4.1", 215'000}),
                         [](const auto& each) {
                             return each.param.version == "3" ? "Nfs3" : "Nfs41";
                         });

} // namespace

} // namespace ns3::nfsrdma
