/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_KEYS_KEY_CONDITION_H
#define NFSRDMA_SCENARIOS_SIMULATOR_KEYS_KEY_CONDITION_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief When a key does something: what other keys have to be.
 *
 *     CONDITION   = CLAUSE *("; " CLAUSE)         all have to hold
 *     CLAUSE      = ALTERNATIVE *(" or " ALTERNATIVE)
 *     ALTERNATIVE = SECTION.KEY " = " VALUE *(", " VALUE)
 *                 / SECTION.KEY " != " VALUE *(", " VALUE)    none of them
 *                 / SECTION.KEY " has " WORD *(", " WORD)     a list, "WORD:WEIGHT,...", with one
 *                 / SECTION.KEY " is empty"
 *                 / "never, " REASON
 *
 * An ALTERNATIVE may end with " at either end": of what the two ends of a connection agree on, so
 * that a section of any host may say it.
 */
class KeyCondition
{
  public:
    enum class Relation : uint8_t
    {
        IS,
        IS_NOT,
        HAS,
        IS_EMPTY,
        NEVER
    };

    struct Alternative
    {
        std::string key; ///< "section.key"; NEVER: empty.
        Relation relation{Relation::IS};
        std::vector<std::string> values; ///< IS, IS_NOT, HAS; NEVER: the reason alone.
        bool atEitherEnd{false};

        [[nodiscard]] std::string ToText() const;
    };

    using Clause = std::vector<Alternative>;

    KeyCondition() = default;
    /// \param text as above; the tables' own, so that a wrong one aborts.
    explicit KeyCondition(const std::string& text);

    /// \return true when it always holds.
    [[nodiscard]] bool IsEmpty() const;
    [[nodiscard]] const std::vector<Clause>& GetClauses() const;
    /// Has the clauses of \p other hold as well.
    void Add(const KeyCondition& other);
    /// Has \p key be one of \p values, too, wherever it has to be one of several.
    void Allow(const std::string& key, const std::vector<std::string>& values);
    /// \return the text of \p clause.
    static std::string ToText(const Clause& clause);
    [[nodiscard]] std::string ToText() const;

  private:
    std::vector<Clause> m_clauses;
};

/// A condition that several keys have.
struct KeyConditionRow
{
    const char* condition;
    std::vector<std::string> keys; ///< "section.key".
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_KEYS_KEY_CONDITION_H
