/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/keys/key-condition.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

const std::string NEVER_WORD = "never, ";
const std::string EMPTY_WORD = " is empty";
const std::string EITHER_END = " at either end";

std::vector<std::string>
SplitAt(const std::string& text, const std::string& separator)
{
    std::vector<std::string> parts;
    std::size_t begin = 0;
    for (auto end = text.find(separator); end != std::string::npos;
         end = text.find(separator, begin))
    {
        parts.push_back(text.substr(begin, end - begin));
        begin = end + separator.size();
    }
    parts.push_back(text.substr(begin));
    return parts;
}

std::string
JoinWith(const std::vector<std::string>& parts, const std::string& separator)
{
    std::string text;
    for (const auto& part : parts)
    {
        text += (text.empty() ? "" : separator) + part;
    }
    return text;
}

KeyCondition::Alternative
ParseAlternative(const std::string& text)
{
    const auto end = text.size() - std::min(text.size(), EITHER_END.size());
    if (text.compare(end, std::string::npos, EITHER_END) == 0)
    {
        auto alternative = ParseAlternative(text.substr(0, end));
        alternative.atEitherEnd = true;
        return alternative;
    }
    using Relation = KeyCondition::Relation;
    if (text.rfind(NEVER_WORD, 0) == 0)
    {
        return {"", Relation::NEVER, {text.substr(NEVER_WORD.size())}};
    }
    if (const auto place = text.find(EMPTY_WORD); place != std::string::npos)
    {
        return {text.substr(0, place), Relation::IS_EMPTY, {}};
    }
    for (const auto& [word, relation] : {std::pair{" != ", Relation::IS_NOT},
                                         std::pair{" = ", Relation::IS},
                                         std::pair{" has ", Relation::HAS}})
    {
        if (const auto place = text.find(word); place != std::string::npos)
        {
            const auto values = place + std::string(word).size();
            return {text.substr(0, place), relation, SplitAt(text.substr(values), ", ")};
        }
    }
    NS_ABORT_MSG("no condition of a key: " << text);
}

} // namespace

std::string
KeyCondition::Alternative::ToText() const
{
    const auto list = JoinWith(values, ", ") + (atEitherEnd ? EITHER_END : "");
    switch (relation)
    {
    case Relation::IS:
        return key + " = " + list;
    case Relation::IS_NOT:
        return key + " != " + list;
    case Relation::HAS:
        return key + " has " + list;
    case Relation::IS_EMPTY:
        return key + EMPTY_WORD;
    case Relation::NEVER:
        break;
    }
    return NEVER_WORD + list;
}

KeyCondition::KeyCondition(const std::string& text)
{
    for (const auto& clause : SplitAt(text, "; "))
    {
        auto& alternatives = m_clauses.emplace_back();
        for (const auto& alternative : SplitAt(clause, " or "))
        {
            alternatives.push_back(ParseAlternative(alternative));
        }
    }
}

bool
KeyCondition::IsEmpty() const
{
    return m_clauses.empty();
}

const std::vector<KeyCondition::Clause>&
KeyCondition::GetClauses() const
{
    return m_clauses;
}

void
KeyCondition::Add(const KeyCondition& other)
{
    m_clauses.insert(m_clauses.end(), other.m_clauses.begin(), other.m_clauses.end());
}

void
KeyCondition::Allow(const std::string& key, const std::vector<std::string>& values)
{
    for (auto& clause : m_clauses)
    {
        for (auto& alternative : clause)
        {
            if (alternative.key == key && alternative.relation == Relation::IS)
            {
                alternative.values.insert(alternative.values.end(), values.begin(), values.end());
            }
        }
    }
}

std::string
KeyCondition::ToText(const Clause& clause)
{
    std::vector<std::string> texts;
    texts.reserve(clause.size());
    for (const auto& alternative : clause)
    {
        texts.push_back(alternative.ToText());
    }
    return JoinWith(texts, " or ");
}

std::string
KeyCondition::ToText() const
{
    std::vector<std::string> texts;
    texts.reserve(m_clauses.size());
    for (const auto& clause : m_clauses)
    {
        texts.push_back(ToText(clause));
    }
    return JoinWith(texts, "; ");
}

} // namespace ns3::nfsrdma
