/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "perftest/message-timing.h"

#include "perftest/median.h"
#include "scenarios/simulator/report/text-table.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <tuple>

namespace ns3::nfsrdma
{

namespace
{

constexpr double NANOSECONDS_OF_MICROSECOND = 1000;

const char*
ToSide(bool fromInitiator)
{
    return fromInitiator ? "client" : "server";
}

std::string
ToText(double value)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), value < 100 ? "%.1f" : "%.0f", value);
    return text.data();
}

} // namespace

bool
MessageStep::operator<(const MessageStep& other) const
{
    const auto key = [](const MessageStep& step) {
        return std::tuple(step.beforeFromInitiator,
                          step.before,
                          step.fromInitiator,
                          step.opcode,
                          step.length);
    };
    return key(*this) < key(other);
}

std::string
MessageStep::ToString() const
{
    return std::string(ToSide(beforeFromInitiator)) + " " + ns3::nfsrdma::ToString(before) +
           " -> " + ToSide(fromInitiator) + " " + ns3::nfsrdma::ToString(opcode) + " " +
           std::to_string(length);
}

std::string
MessageStep::Explain() const
{
    const std::string side = ToSide(fromInitiator);
    if (beforeFromInitiator == fromInitiator)
    {
        return "the " + side + " has a completion, its consumer's turn, post, transmit";
    }
    const std::string way = fromInitiator ? "" : "the link there and back; ";
    if (opcode == RdmapOpcode::READ_RESPONSE)
    {
        return way + "in the " + side + ": receive, fetch, transmit; no consumer";
    }
    return way + "in the " + side + ": receive, consumer's turn, post, transmit";
}

MessageTiming
TimeMessages(const std::vector<std::vector<CapturedMessage>>& connections)
{
    MessageTiming timing;
    for (const auto& messages : connections)
    {
        for (std::size_t i = 1; i < messages.size(); ++i)
        {
            const CapturedMessage& before = messages[i - 1];
            const CapturedMessage& message = messages[i];
            const MessageStep step{before.fromInitiator,
                                   before.opcode,
                                   message.fromInitiator,
                                   message.opcode,
                                   message.length};
            timing[step].push_back((message.time - before.time) / NANOSECONDS_OF_MICROSECOND);
        }
    }
    for (auto& [step, times] : timing)
    {
        std::sort(times.begin(), times.end());
    }
    return timing;
}

std::string
CompareTiming(const MessageTiming& captured, const MessageTiming& modelled)
{
    TextTable table(
        {"step", "count", "captured min", "median", "modelled min", "median", "ratio", "holds"});
    std::vector<std::string> holds;
    for (const auto& [step, times] : captured)
    {
        std::vector<std::string> row{step.ToString(),
                                     std::to_string(times.size()),
                                     ToText(times.front()),
                                     ToText(TakeMedian(times))};
        const auto found = modelled.find(step);
        if (found == modelled.end())
        {
            row.insert(row.end(), {"-", "-", "-"});
        }
        else
        {
            row.push_back(ToText(found->second.front()));
            row.push_back(ToText(TakeMedian(found->second)));
            row.push_back(ToText(TakeMedian(times) / TakeMedian(found->second)));
        }
        const auto known = std::find(holds.begin(), holds.end(), step.Explain());
        row.emplace_back(1, static_cast<char>('a' + (known - holds.begin())));
        if (known == holds.end())
        {
            holds.push_back(step.Explain());
        }
        table.AddRow(row);
    }
    std::string text = table.ToText();
    for (std::size_t i = 0; i < holds.size(); ++i)
    {
        text += std::string(1, static_cast<char>('a' + i)) + "  " + holds[i] + "\n";
    }
    return text;
}

} // namespace ns3::nfsrdma
