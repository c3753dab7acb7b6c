/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/verbs/reference-memory.h"

#include <algorithm>
#include <limits>

namespace ns3::nfsrdma::reference
{

void
ReferenceMemory::Allocate(uint64_t address, std::vector<uint8_t> octets)
{
    std::vector<Octet>& allocation = m_allocations[address];
    allocation.reserve(octets.size());
    for (const uint8_t value : octets)
    {
        allocation.push_back({value, 0, false});
    }
}

void
ReferenceMemory::Free(uint64_t address)
{
    m_allocations.erase(address);
}

bool
ReferenceMemory::Contains(const Range& range) const
{
    const auto after = m_allocations.upper_bound(range.address);
    if (after == m_allocations.begin())
    {
        return false;
    }
    const auto& [base, octets] = *std::prev(after);
    const uint64_t offset = range.address - base;
    return offset <= octets.size() && range.length <= octets.size() - offset;
}

std::optional<Range>
ReferenceMemory::Resolve(uint32_t stag,
                         uint32_t domain,
                         uint32_t access,
                         uint64_t offset,
                         uint64_t length) const
{
    const auto found = tagged.find(stag >> 8);
    if (found == tagged.end())
    {
        return std::nullopt;
    }
    const TaggedMemory& memory = found->second;
    const bool usable = memory.valid && memory.key == (stag & 0xff) && memory.domain == domain &&
                        (memory.access & access) == access;
    const bool wraps = length > std::numeric_limits<uint64_t>::max() - offset;
    if (!usable || wraps || offset < memory.first ||
        offset + length > memory.first + memory.range.length)
    {
        return std::nullopt;
    }
    const Range range{memory.range.address + (offset - memory.first), length};
    return Contains(range) ? std::optional<Range>(range) : std::nullopt;
}

std::optional<std::vector<Range>>
ReferenceMemory::Resolve(const std::vector<Element>& elements,
                         uint32_t domain,
                         uint32_t access) const
{
    std::vector<Range> ranges;
    for (const Element& element : elements)
    {
        if (element.length == 0)
        {
            continue;
        }
        std::optional<Range> range = Range{element.address, element.length};
        const auto named = tagged.find(element.lkey >> 8);
        if (named != tagged.end() && named->second.window)
        {
            range = std::nullopt;
        }
        else if (element.lkey != 0)
        {
            range = Resolve(element.lkey, domain, access, element.address, element.length);
        }
        else if (!Contains(*range))
        {
            range = std::nullopt;
        }
        if (!range)
        {
            return std::nullopt;
        }
        ranges.push_back(*range);
    }
    return ranges;
}

std::vector<Range>
ReferenceMemory::ResolveParts(const std::vector<Element>& elements,
                              uint32_t domain,
                              uint32_t access) const
{
    std::vector<Range> parts;
    for (Element element : elements)
    {
        std::optional<std::vector<Range>> ranges;
        for (; !ranges && element.length != 0; element.length--)
        {
            const auto range =
                Resolve(element.lkey, domain, access, element.address, element.length);
            ranges = element.lkey == 0 ? Resolve({element}, domain, access)
                     : range           ? std::optional<std::vector<Range>>({*range})
                                       : std::nullopt;
        }
        if (ranges)
        {
            parts.insert(parts.end(), ranges->begin(), ranges->end());
        }
    }
    return parts;
}

bool
ReferenceMemory::MayInvalidate(uint32_t stag, uint32_t domain) const
{
    const auto found = tagged.find(stag >> 8);
    return found != tagged.end() && found->second.domain == domain &&
           (!found->second.valid || found->second.key == (stag & 0xff)) && !found->second.regular &&
           found->second.windows == 0;
}

uint32_t
ReferenceMemory::Count(bool windows) const
{
    return std::count_if(tagged.begin(), tagged.end(), [windows](const auto& item) {
        return item.second.window == windows;
    });
}

uint32_t
ReferenceMemory::CountValid(bool windows) const
{
    return std::count_if(tagged.begin(), tagged.end(), [windows](const auto& item) {
        return item.second.window == windows && item.second.valid;
    });
}

void
ReferenceMemory::Close(uint32_t index)
{
    TaggedMemory& memory = tagged.at(index);
    if (memory.window && memory.valid)
    {
        tagged.at(memory.boundOver).windows--;
    }
    memory.valid = false;
}

template <typename Octets, typename Function>
void
ReferenceMemory::ForEach(Octets& allocations, const std::vector<Range>& ranges, Function function)
{
    for (const Range& range : ranges)
    {
        const auto after = allocations.upper_bound(range.address);
        for (uint64_t i = 0; i < range.length; i++)
        {
            if (after == allocations.begin())
            {
                function(nullptr);
                continue;
            }
            auto& [base, octets] = *std::prev(after);
            const uint64_t offset = range.address - base + i;
            function(offset < octets.size() ? &octets[offset] : nullptr);
        }
    }
}

void
ReferenceMemory::Touch(const std::vector<Range>& ranges)
{
    ForEach(m_allocations, ranges, [](Octet* octet) {
        if (octet != nullptr)
        {
            octet->touches = std::min(octet->touches + 1, 2);
        }
    });
}

std::optional<std::vector<uint8_t>>
ReferenceMemory::GetUntouched(const std::vector<Range>& ranges) const
{
    std::vector<uint8_t> octets;
    bool untouched = true;
    ForEach(m_allocations, ranges, [&](const Octet* octet) {
        untouched = untouched && octet != nullptr && octet->touches == 0;
        octets.push_back(octet != nullptr ? octet->value : 0);
    });
    return untouched ? std::optional<std::vector<uint8_t>>(std::move(octets)) : std::nullopt;
}

void
ReferenceMemory::Determine(const std::vector<Range>& ranges, const std::vector<uint8_t>& octets)
{
    std::size_t next = 0;
    ForEach(m_allocations, ranges, [&](Octet* octet) {
        if (octet != nullptr && next < octets.size() && octet->touches == 1)
        {
            octet->value = octets[next];
            octet->determined = true;
        }
        next++;
    });
}

std::optional<std::string>
ReferenceMemory::Settle(uint64_t address, const std::vector<uint8_t>& actual)
{
    std::vector<Octet>& octets = m_allocations.at(address);
    std::optional<std::string> wrong;
    for (std::size_t i = 0; i < octets.size(); i++)
    {
        Octet& octet = octets[i];
        const bool known = octet.touches == 0 || octet.determined;
        if (known && octet.value != actual[i] && !wrong)
        {
            wrong = "octet " + std::to_string(i) + " of the buffer at " + std::to_string(address) +
                    (octet.determined ? " is not what was moved there: "
                                      : " has changed, and nothing was to: ") +
                    std::to_string(actual[i]) + " for " + std::to_string(octet.value);
        }
        octet = {actual[i], 0, false};
    }
    return wrong;
}

std::vector<Element>
Clip(const std::vector<Element>& elements, uint64_t length)
{
    std::vector<Element> clipped;
    for (Element element : elements)
    {
        element.length = std::min<uint64_t>(element.length, length);
        length -= element.length;
        clipped.push_back(element);
    }
    return clipped;
}

bool
Note(std::vector<Range>& noted, const std::vector<Range>& ranges, bool& ambiguous)
{
    if (noted == ranges)
    {
        return false;
    }
    ambiguous = ambiguous || !noted.empty();
    noted = ranges;
    return true;
}

} // namespace ns3::nfsrdma::reference
