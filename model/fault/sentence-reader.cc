/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/sentence-reader.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::string_view PUNCTUATION = ":,|";
constexpr std::string_view BLANKS = " \t\r\n";
constexpr std::array<std::pair<std::string_view, double>, 6> UNITS{
    {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"min", 6e10}, {"h", 3.6e12}}};
constexpr double NS_PER_S = 1e9;
constexpr int HEXADECIMAL = 16;

bool
IsDigit(char c)
{
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

std::vector<std::string_view>
Split(std::string_view text)
{
    std::vector<std::string_view> words;
    std::size_t begin = text.find_first_not_of(BLANKS);
    while (begin != std::string_view::npos)
    {
        std::size_t end = begin + 1;
        if (PUNCTUATION.find(text[begin]) == std::string_view::npos)
        {
            while (end < text.size() && BLANKS.find(text[end]) == std::string_view::npos &&
                   PUNCTUATION.find(text[end]) == std::string_view::npos)
            {
                ++end;
            }
        }
        words.push_back(text.substr(begin, end - begin));
        begin = text.find_first_not_of(BLANKS, end);
    }
    return words;
}

/// \return the number at the front of \p word, digits with at most one point, which is passed.
std::optional<double>
TakeDecimal(std::string_view& word)
{
    std::size_t end = 0;
    std::size_t points = 0;
    while (end < word.size() && (IsDigit(word[end]) || word[end] == '.'))
    {
        points += word[end] == '.' ? 1 : 0;
        ++end;
    }
    double value = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + end, value);
    if (end == 0 || points > 1 || error != std::errc() || stop != word.data() + end)
    {
        return std::nullopt;
    }
    word.remove_prefix(end);
    return value;
}

std::optional<Time>
ParseTime(std::string_view word)
{
    const auto value = TakeDecimal(word);
    const auto* const unit = std::find_if(UNITS.begin(), UNITS.end(), [word](const auto& one) {
        return one.first == word;
    });
    if (!value || unit == UNITS.end() ||
        *value * unit->second > SentenceReader::MAX_SECONDS * NS_PER_S)
    {
        return std::nullopt;
    }
    return NanoSeconds(std::llround(*value * unit->second));
}

/// \return the ending of the ordinal of \p number.
std::string_view
GetEnding(uint64_t number)
{
    constexpr uint64_t TEN = 10;
    constexpr uint64_t HUNDRED = 100;
    const auto teens = number % HUNDRED / TEN == 1;
    if (teens || number % TEN == 0 || number % TEN > 3)
    {
        return "th";
    }
    return std::array<std::string_view, 3>{"st", "nd", "rd"}.at(number % TEN - 1);
}

} // namespace

SentenceReader::SentenceReader(std::string_view sentence)
    : m_words(Split(sentence))
{
}

std::string_view
SentenceReader::Peek() const
{
    return IsAtEnd() ? std::string_view() : m_words[m_next];
}

std::string_view
SentenceReader::Next()
{
    const auto word = Peek();
    m_next += IsAtEnd() ? 0 : 1;
    return word;
}

bool
SentenceReader::Accept(std::string_view word)
{
    if (IsAtEnd() || Peek() != word)
    {
        return false;
    }
    ++m_next;
    return true;
}

void
SentenceReader::Expect(std::string_view word)
{
    if (!Accept(word))
    {
        Fail("'" + std::string(word) + "'");
    }
}

void
SentenceReader::ExpectEither(std::string_view one, std::string_view other)
{
    if (!Accept(one))
    {
        Expect(other);
    }
}

void
SentenceReader::Fail(const std::string& expected, std::vector<std::string> candidates)
{
    if (!m_error)
    {
        m_error = FaultError{std::string(Peek()), expected, std::move(candidates)};
    }
}

Time
SentenceReader::ReadTime()
{
    const auto time = ParseTime(Peek());
    if (!time)
    {
        Fail("a time such as 500us or 10ms, not before 0");
        return {};
    }
    Next();
    return *time;
}

Time
SentenceReader::ReadDuration()
{
    const auto time = ParseTime(Peek());
    if (!time || time->IsZero())
    {
        Fail("a time such as 500us or 10ms, above 0");
        return NanoSeconds(1);
    }
    Next();
    return *time;
}

bool
SentenceReader::IsNumber() const
{
    const auto word = Peek();
    return !word.empty() && std::all_of(word.begin(), word.end(), IsDigit);
}

uint64_t
SentenceReader::ReadNumber(uint64_t least, uint64_t most, const std::string& what)
{
    const auto word = Peek();
    uint64_t number = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (word.empty() || error != std::errc() || stop != word.data() + word.size() ||
        number < least || number > most)
    {
        Fail(what + ", " + std::to_string(least) + " to " + std::to_string(most));
        return 0;
    }
    Next();
    return number;
}

uint32_t
SentenceReader::ReadXid()
{
    auto digits = Peek();
    const bool hexadecimal = digits.substr(0, 2) == "0x";
    digits.remove_prefix(hexadecimal ? 2 : 0);
    uint32_t xid = 0;
    const auto [stop, error] = std::from_chars(digits.data(),
                                               digits.data() + digits.size(),
                                               xid,
                                               hexadecimal ? HEXADECIMAL : 10);
    if (digits.empty() || error != std::errc() || stop != digits.data() + digits.size())
    {
        Fail("an XID such as 0x1a2b3c4d");
        return 0;
    }
    Next();
    return xid;
}

double
SentenceReader::ReadProbability()
{
    auto word = Peek();
    const auto value = TakeDecimal(word);
    if (!value || !word.empty() || *value <= 0 || *value > 1)
    {
        Fail("a probability above 0, up to 1");
        return 0;
    }
    Next();
    return *value;
}

std::string
SentenceReader::ReadHost()
{
    const auto word = Peek();
    if (word.empty() || PUNCTUATION.find(word.front()) != std::string_view::npos)
    {
        Fail("a host such as client-0");
        return {};
    }
    return std::string(Next());
}

std::optional<uint64_t>
SentenceReader::ReadOrdinal()
{
    const auto word = Peek();
    if (word.empty() || !IsDigit(word.front()))
    {
        return std::nullopt;
    }
    uint64_t number = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    const auto ending = word.substr(static_cast<std::size_t>(stop - word.data()));
    if (error != std::errc() || number == 0 || ending != GetEnding(number))
    {
        Fail(number == 0 || error != std::errc()
                 ? "an ordinal from 1st on"
                 : std::to_string(number) + std::string(GetEnding(number)));
        return 1;
    }
    Next();
    return number;
}

} // namespace ns3::nfsrdma
