/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_FAULTS_KEYS_FIXTURE_H
#define NFSRDMA_TEST_FAULTS_KEYS_FIXTURE_H

#include "fault-test.h"
#include "scenarios/simulator/keys/scenario-schema.h"
#include "scenarios/simulator/sweep/loaded-scenario.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// A key and the value that is to change what a run writes.
struct KeyTrial
{
    std::string key; ///< "section.key", or "section NAME.key".
    std::string value;
    bool isRefused{false}; ///< What changes is that the scenario makes no sense any more.
};

/// A scenario of test/data/keys/situations.txt, and the keys that do something in it.
struct Situation
{
    std::string name;
    std::string text;
    std::vector<KeyTrial> trials;

    /// \return whether no cluster comes into it by itself: the names of tests that bring it about
    /// stand for values.
    [[nodiscard]] bool IsElsewhere() const;
};

/// \return the situations of test/data/keys/situations.txt, "*" as each choice but the default.
std::vector<Situation> ReadSituations(const ScenarioSchema& schema);

/// \return the key as the tables have it: "rnic.mpa_crc" of "rnic servers.mpa_crc".
std::string GetPlainKey(const ScenarioSchema& schema, const std::string& key);

/// Runs scenarios and compares all that they write.
class KeysTest : public FaultTest
{
  protected:
    /// \return all that a run writes but the echo of its configuration, and its status; empty when
    /// the scenario is refused: m_refusal says why.
    std::string RunAndRead(const std::string& text, const std::vector<std::string>& options) const;

    /// \return what is said against a scenario that is not run; empty: nothing.
    std::string GetRefusal(const std::string& text, const std::vector<ScenarioEntry>& more) const;

    /// Copies the topologies and recordings that situations name.
    void CopyInputs() const;

    mutable std::string m_refusal;
    ScenarioSchema m_schema{ScenarioSchema::Standard()};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_FAULTS_KEYS_FIXTURE_H
