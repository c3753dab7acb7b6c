/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/explore/event-order.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>
#include <tuple>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

constexpr const char* EXPECTED = "none, or moves by step, such as hold at 120 for 3; lose at "
                                 "130; double at 140; delay at 145 for 2; advance FaultInjector 0 "
                                 "to 150";

/// Kinds and their words.
constexpr std::array<std::pair<EventMove::Kind, const char*>, 5> KINDS{
    {{EventMove::Kind::HOLD, "hold"},
     {EventMove::Kind::ADVANCE, "advance"},
     {EventMove::Kind::LOSE, "lose"},
     {EventMove::Kind::DOUBLE, "double"},
     {EventMove::Kind::DELAY, "delay"}}};

/// Takes a move apart, word by word.
class MoveReader
{
  public:
    explicit MoveReader(const std::string& text)
        : m_words(text)
    {
    }

    std::string TakeWord()
    {
        std::string word;
        m_words >> word;
        return word;
    }

    /// \return the number that follows; nothing when \p before does not stand before it, or no
    /// number follows.
    std::optional<uint64_t> TakeNumber(const std::string& before)
    {
        constexpr std::size_t MOST_DIGITS = 18;
        const auto word = before.empty() || TakeWord() == before ? TakeWord() : std::string();
        const bool isNumber =
            !word.empty() && word.size() <= MOST_DIGITS &&
            std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c); });
        return isNumber ? std::optional<uint64_t>(std::stoull(word)) : std::nullopt;
    }

    bool IsOver()
    {
        return TakeWord().empty();
    }

  private:
    std::istringstream m_words;
};

std::optional<EventMove>
ParseMove(const std::string& text)
{
    MoveReader reader(text);
    EventMove move;
    const auto kind = reader.TakeWord();
    std::optional<uint64_t> step;
    std::optional<uint64_t> number;
    const auto found = FindMoveKind(kind);
    if (!found)
    {
        return std::nullopt;
    }
    move.kind = *found;
    if (PutsOff(move.kind))
    {
        step = reader.TakeNumber("at");
        number = reader.TakeNumber("for");
    }
    else if (move.kind == EventMove::Kind::ADVANCE)
    {
        move.actor = reader.TakeWord();
        number = reader.TakeNumber("");
        step = reader.TakeNumber("to");
    }
    else
    {
        step = reader.TakeNumber("at");
        number = 0;
    }
    if (!step || !number || !reader.IsOver() || (PutsOff(move.kind) && *number == 0))
    {
        return std::nullopt;
    }
    move.step = *step;
    move.number = *number;
    return move;
}

} // namespace

std::optional<EventMove::Kind>
FindMoveKind(const std::string& word)
{
    const auto* const found = std::find_if(KINDS.begin(), KINDS.end(), [&word](const auto& known) {
        return word == known.second;
    });
    return found == KINDS.end() ? std::nullopt : std::make_optional(found->first);
}

std::string
EventMove::ToText() const
{
    std::ostringstream text;
    if (kind == Kind::ADVANCE)
    {
        text << "advance " << actor << " " << number << " to " << step;
        return text.str();
    }
    const auto* const known =
        std::find_if(KINDS.begin(), KINDS.end(), [this](const auto& candidate) {
            return kind == candidate.first;
        });
    text << known->second << " at " << step;
    if (PutsOff(kind))
    {
        text << " for " << number;
    }
    return text.str();
}

bool
EventMove::operator==(const EventMove& other) const
{
    return std::tie(kind, step, number, actor) ==
           std::tie(other.kind, other.step, other.number, other.actor);
}

std::string
ToText(const EventOrder& order)
{
    std::string text;
    for (const auto& move : order)
    {
        text += (text.empty() ? "" : "; ") + move.ToText();
    }
    return text.empty() ? "none" : text;
}

tl::expected<EventOrder, std::string>
ParseEventOrder(const std::string& text)
{
    EventOrder order;
    if (text == "none")
    {
        return order;
    }
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ';');)
    {
        auto move = ParseMove(part);
        if (!move || (!order.empty() && move->step <= order.back().step))
        {
            return tl::make_unexpected(EXPECTED);
        }
        order.push_back(std::move(*move));
    }
    if (order.empty())
    {
        return tl::make_unexpected(EXPECTED);
    }
    return order;
}

} // namespace ns3::nfsrdma
