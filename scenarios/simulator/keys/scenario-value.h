/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_KEYS_SCENARIO_VALUE_H
#define NFSRDMA_SCENARIOS_SIMULATOR_KEYS_SCENARIO_VALUE_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <variant>
#include <vector>

namespace ns3::nfsrdma
{

/// Types of scenario values.
enum class ScenarioType
{
    INTEGER, ///< A whole number, not negative.
    REAL,    ///< A decimal number, not negative.
    BOOLEAN, ///< true or false (also yes, no, on, off).
    TIME,    ///< A number with h, min, s, ms, us or ns; kept in nanoseconds.
    RATE,    ///< A number with bps, kbps, Mbps, Gbps or Tbps (or Gb/s, ...).
    SIZE,    ///< Octets: a number with B (or nothing), KiB, MiB, GiB or TiB.
    CHOICE,  ///< One of the words the key lists.
    TEXT,    ///< Any text.
};

const char* ToString(ScenarioType type);

/// What a value may be. minimum and maximum are in base units: ns, bit/s, octets.
struct ScenarioConstraint
{
    ScenarioType type{ScenarioType::TEXT};
    double minimum{0};
    double maximum{0};                ///< 0: as large as the type allows.
    std::vector<std::string> choices; ///< CHOICE.

    /// \return what is expected, as "a time such as 500ns or 10us, at least 1ns".
    [[nodiscard]] std::string Describe() const;
};

/**
 * \brief One value of a scenario, typed.
 */
class ScenarioValue
{
  public:
    ScenarioValue() = default;

    /// \return the value that \p text says. It is wrong when the type or the range is not that of
    /// \p constraint; ScenarioConstraint::Describe() then says what is right.
    static tl::expected<ScenarioValue, std::string> Parse(const ScenarioConstraint& constraint,
                                                          const std::string& text);

    [[nodiscard]] ScenarioType GetType() const;
    [[nodiscard]] uint64_t AsInteger() const; ///< INTEGER, SIZE (octets).
    [[nodiscard]] double AsReal() const;      ///< REAL.
    [[nodiscard]] bool AsBoolean() const;
    [[nodiscard]] Time AsTime() const;
    [[nodiscard]] DataRate AsRate() const;
    [[nodiscard]] const std::string& AsText() const; ///< CHOICE, TEXT.

    /// \return the value with its unit, in a form that Parse() takes back: "4096B", "500ns".
    [[nodiscard]] std::string ToText() const;
    /// \return the value in base units without a unit, for tables: octets, bit/s, seconds.
    [[nodiscard]] std::string ToBaseUnits() const;
    /// \return the value as ns-3's attribute system reads it.
    [[nodiscard]] std::string ToAttributeText() const;

    bool operator==(const ScenarioValue& other) const;

  private:
    ScenarioValue(ScenarioType type, std::variant<uint64_t, double, bool, std::string> value);

    ScenarioType m_type{ScenarioType::TEXT};
    std::variant<uint64_t, double, bool, std::string> m_value{std::string()};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_KEYS_SCENARIO_VALUE_H
