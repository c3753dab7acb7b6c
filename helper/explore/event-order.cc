/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/explore/event-order.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <sstream>
#include <tuple>

namespace ns3::nfsrdma
{

namespace
{

constexpr const char* EXPECTED = "none, or moves by step, such as hold at 120 for 3; advance "
                                 "FaultInjector 0 to 150";

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
    if (kind == "hold")
    {
        step = reader.TakeNumber("at");
        number = reader.TakeNumber("for");
    }
    else if (kind == "advance")
    {
        move.kind = EventMove::Kind::ADVANCE;
        move.actor = reader.TakeWord();
        number = reader.TakeNumber("");
        step = reader.TakeNumber("to");
    }
    if (!step || !number || !reader.IsOver() || (kind == "hold" && *number == 0))
    {
        return std::nullopt;
    }
    move.step = *step;
    move.number = *number;
    return move;
}

} // namespace

std::string
EventMove::ToText() const
{
    std::ostringstream text;
    if (kind == Kind::HOLD)
    {
        text << "hold at " << step << " for " << number;
    }
    else
    {
        text << "advance " << actor << " " << number << " to " << step;
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
