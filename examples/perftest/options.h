/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_EXAMPLES_OPTIONS_H
#define NFSRDMA_EXAMPLES_OPTIONS_H

#include "perftest/testbed.h"
#include "perftest/traffic.h"

#include <optional>
#include <ostream>
#include <stdexcept>

namespace ns3::nfsrdma
{

/// A command line that cannot be followed; what() is one line.
class UsageError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/// What a test measures.
enum class TestMetric
{
    LATENCY,
    BANDWIDTH
};

/// A test program: send-lat, ..., read-bw.
struct TestProgram
{
    const char* name;
    TestVerb verb;
    TestMetric metric;
};

/// The options of perftest's programs, and those of the testbed.
struct TestOptions
{
    /// What is moved in one run of a size is kept below this, if there are enough iterations left.
    static constexpr uint64_t ALL_OCTETS_LATENCY = 16 << 20;
    static constexpr uint64_t ALL_OCTETS_BANDWIDTH = 64 << 20;
    static constexpr uint64_t ALL_LEAST_LATENCY = 10;
    static constexpr uint64_t ALL_LEAST_BANDWIDTH = 16;

    TestbedOptions testbed;
    bool all{false};
    uint32_t size{2};                   ///< Octets of a message.
    std::optional<uint64_t> iterations; ///< Messages of a size on a queue pair; else the default.
    uint32_t txDepth{1};
    uint32_t rxDepth{512};
    uint32_t queuePairs{1};
    std::optional<uint32_t> inlineSize; ///< Octets; else the default.
    std::optional<uint32_t> signalEvery;
    uint32_t postList{1};
    uint64_t window{
        0}; ///< Octets that messages are sent from, at random places; 0: from one place.
    bool bidirectional{false};
    bool reportGigabits{false};
    std::string csv;    ///< File of the results, or empty.
    std::string stages; ///< File of the stages of work requests, or empty.

    /// \return the sizes to run: 2 to 8 Mi octets in powers of two, or the one.
    [[nodiscard]] std::vector<uint32_t> GetSizes() const;
    /// \return messages of \p size octets on a queue pair.
    [[nodiscard]] uint64_t GetIterations(const TestProgram& program, uint32_t octets) const;
    /// \return the work requests of which one is signaled, for messages of \p octets.
    [[nodiscard]] uint32_t GetSignalEvery(uint32_t octets) const;

    /// \return what the command line says; nothing when help was asked for and written to \p out.
    /// Throws UsageError.
    static std::optional<TestOptions> Parse(const TestProgram& program,
                                            const std::vector<std::string>& arguments,
                                            std::ostream& out);
};

/// Parses \p arguments with \p description: long options and single letters, nothing else. Throws
/// UsageError, with the nearest option for an unknown one.
boost::program_options::variables_map ParseArguments(
    const boost::program_options::options_description& description,
    const std::vector<std::string>& arguments);

/// \return the whole number that \p option has, or \p otherwise. Throws UsageError.
uint64_t GetNumber(const boost::program_options::variables_map& values,
                   const std::string& option,
                   uint64_t least,
                   uint64_t most,
                   uint64_t otherwise);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_EXAMPLES_OPTIONS_H
