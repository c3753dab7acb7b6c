/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/charts/message-selection.h"

#include <algorithm>
#include <charconv>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

template <typename Number>
std::optional<Number>
ParseNumber(const std::string& text, int base)
{
    Number number{};
    const char* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, number, base);
    if (text.empty() || result.ec != std::errc() || result.ptr != end)
    {
        return std::nullopt;
    }
    return number;
}

bool
IsOperation(const std::string& text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ' ' || c == '.';
    });
}

std::vector<std::string>
SplitAt(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);)
    {
        const auto begin = part.find_first_not_of(' ');
        const auto end = part.find_last_not_of(' ');
        parts.push_back(begin == std::string::npos ? "" : part.substr(begin, end - begin + 1));
    }
    return parts;
}

} // namespace

std::optional<MessageSelection>
MessageSelection::Parse(const std::string& text)
{
    MessageSelection selection;
    if (text == "none")
    {
        return selection;
    }
    const auto parts = SplitAt(text, ',');
    const bool good =
        !parts.empty() && std::all_of(parts.begin(), parts.end(), [&](const auto& part) {
            return selection.Add(part);
        });
    return good ? std::make_optional(selection) : std::nullopt;
}

bool
MessageSelection::Add(const std::string& text)
{
    constexpr int HEXADECIMAL = 16;
    constexpr int DECIMAL = 10;
    if (text == "all")
    {
        m_items.push_back({});
        return true;
    }
    if (text.rfind("0x", 0) == 0)
    {
        const auto xid = ParseNumber<uint32_t>(text.substr(2), HEXADECIMAL);
        m_xids.insert(xid.value_or(0));
        return xid.has_value();
    }
    const std::string first = "first ";
    if (text.rfind(first, 0) == 0)
    {
        const auto rest = text.substr(first.size());
        const auto space = rest.find(' ');
        const auto count = ParseNumber<uint64_t>(rest.substr(0, space), DECIMAL);
        Item item;
        item.left = count.value_or(0);
        item.operation = space == std::string::npos ? "" : rest.substr(space + 1);
        m_items.push_back(item);
        return item.left != 0 && (item.operation.empty() || IsOperation(item.operation));
    }
    Item item;
    item.operation = text;
    m_items.push_back(item);
    return IsOperation(text);
}

bool
MessageSelection::IsEmpty() const
{
    return m_xids.empty() && m_items.empty();
}

bool
MessageSelection::Take(uint32_t xid, const std::string& operation)
{
    const auto isNamed = [&operation](const std::string& name) {
        return name.empty() || name == operation ||
               (operation.size() > name.size() &&
                operation.compare(operation.size() - name.size() - 1,
                                  std::string::npos,
                                  " " + name) == 0);
    };
    bool wanted = m_xids.count(xid) != 0;
    for (auto& item : m_items)
    {
        if (item.left != 0 && isNamed(item.operation))
        {
            item.left--;
            wanted = true;
        }
    }
    return wanted;
}

} // namespace ns3::nfsrdma
