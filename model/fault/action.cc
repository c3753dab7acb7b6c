/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/action.h"

#include "link/least-mtu.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint64_t MAX_OCTETS = 65535;
constexpr uint64_t MAX_BITS = 4096;
constexpr uint64_t MAX_COPIES = 100;
constexpr uint64_t MAX_BEHIND = 10000;

void
ReadTimes(SentenceReader& reader, FaultWhat& what, uint64_t most)
{
    if (reader.IsNumber())
    {
        what.count = reader.ReadNumber(1, most, "a number of times");
        reader.ExpectEither("times", "time");
    }
}

void
ReadFor(SentenceReader& reader, FaultWhat& what)
{
    reader.Expect("for");
    what.duration = reader.ReadDuration();
}

void
ReadField(SentenceReader& reader, FaultWhat& what)
{
    what.field = FindFpduField(reader.Peek());
    if (what.field != nullptr)
    {
        reader.Next();
        return;
    }
    std::vector<std::string> words;
    std::string text;
    for (const auto& field : GetFpduFields())
    {
        words.emplace_back(field.name);
        text += (text.empty() ? "" : ", ") + words.back();
    }
    reader.Fail("a field of an FPDU: " + text, words);
}

void
ReadCorrupt(SentenceReader& reader, FaultWhat& what)
{
    if (reader.IsNumber())
    {
        what.count = reader.ReadNumber(1, MAX_BITS, "a number of bits");
        reader.ExpectEither("bits", "bit");
    }
    if (reader.Accept("before"))
    {
        reader.Expect("crc");
        what.beforeCrc = true;
    }
    else if (reader.Accept("after"))
    {
        reader.Expect("crc");
    }
    if (reader.Accept("octet"))
    {
        what.octet =
            static_cast<uint32_t>(reader.ReadNumber(0, MAX_OCTETS, "an octet of the FPDU"));
    }
    else if (reader.Accept("field"))
    {
        ReadField(reader, what);
    }
}

void
Corrupt(const FaultWhat& what, MetFrame& frame)
{
    frame.isAsItWas = CorruptSegment(frame.segment, what, frame.fpdu, frame.draw) == 0;
    frame.verdict.isChanged = frame.verdict.isChanged || !frame.isAsItWas;
}

void
ReadReorder(SentenceReader& reader, FaultWhat& what)
{
    reader.Expect("behind");
    what.count = reader.ReadNumber(1, MAX_BEHIND, "a number of segments");
    static_cast<void>(reader.Accept("segments") || reader.Accept("segment"));
}

void
ReadFlap(SentenceReader& reader, FaultWhat& what)
{
    what.count = reader.ReadNumber(1, SentenceReader::MANY, "a number of times");
    reader.ExpectEither("times", "time");
    reader.Expect("down");
    what.down = reader.ReadDuration();
    reader.Expect("up");
    what.up = reader.ReadDuration();
}

void
Flap(const FaultWhat& what, LinkState& link, const bool& running, uint64_t times)
{
    if (!running)
    {
        return;
    }
    link.TakeDown();
    Simulator::Schedule(what.down, &LinkState::BringUp, &link);
    if (times > 1)
    {
        Simulator::Schedule(what.down + what.up, [&what, &link, &running, times] {
            Flap(what, link, running, times - 1);
        });
    }
}

void
ReadHosts(SentenceReader& reader, std::vector<std::string>& hosts)
{
    do
    {
        hosts.push_back(reader.ReadHost());
    } while (reader.Accept(","));
}

void
ReadPartition(SentenceReader& reader, FaultWhat& what)
{
    ReadHosts(reader, what.sides[0]);
    reader.Expect("|");
    ReadHosts(reader, what.sides[1]);
    ReadFor(reader, what);
}

void
ReadMtu(SentenceReader& reader, FaultWhat& what)
{
    what.count = reader.ReadNumber(LEAST_MTU, MAX_OCTETS, "an MTU");
    ReadFor(reader, what);
    what.silently = reader.Accept("silently");
}

Time
LastFor(const FaultWhat& what)
{
    return what.duration;
}

FaultAction
OnFrame(const char* name, decltype(FaultAction::read) read, decltype(FaultAction::meet) meet)
{
    return {name, FaultPlace::FRAME, read, meet, nullptr, nullptr};
}

FaultAction
OnLink(const char* name,
       decltype(FaultAction::read) read,
       decltype(FaultAction::act) act,
       decltype(FaultAction::getDuration) getDuration)
{
    return {name, FaultPlace::LINK, read, nullptr, act, getDuration};
}

} // namespace

const NameTable<FaultAction>&
GetFaultActions()
{
    static const NameTable<FaultAction> actions{
        OnFrame(
            "drop",
            [](SentenceReader& reader, FaultWhat& what) {
                ReadTimes(reader, what, SentenceReader::MANY);
            },
            [](const FaultWhat& what, MetFrame& frame) {
                frame.verdict.drops = std::max(frame.verdict.drops, what.count);
            }),
        OnFrame("corrupt", ReadCorrupt, Corrupt),
        OnFrame(
            "duplicate",
            [](SentenceReader& reader, FaultWhat& what) { ReadTimes(reader, what, MAX_COPIES); },
            [](const FaultWhat& what, MetFrame& frame) { frame.verdict.copies += what.count; }),
        OnFrame(
            "delay",
            [](SentenceReader& reader, FaultWhat& what) { what.duration = reader.ReadDuration(); },
            [](const FaultWhat& what, MetFrame& frame) { frame.verdict.delay += what.duration; }),
        OnFrame("reorder",
                ReadReorder,
                [](const FaultWhat& what, MetFrame& frame) {
                    frame.verdict.behind = std::max(frame.verdict.behind, what.count);
                }),
        OnFrame(
            "resegment",
            [](SentenceReader& reader, FaultWhat& what) {
                what.count = reader.ReadNumber(1, MAX_OCTETS, "octets of a segment");
                reader.Accept("octets");
            },
            [](const FaultWhat& what, MetFrame& frame) {
                frame.verdict.segmentSize = static_cast<uint32_t>(what.count);
            }),
        OnLink(
            "link-down",
            ReadFor,
            [](const FaultWhat& what, LinkState& link, const bool& /* running */) {
                link.TakeDown();
                Simulator::Schedule(what.duration, &LinkState::BringUp, &link);
            },
            LastFor),
        OnLink(
            "flap",
            ReadFlap,
            [](const FaultWhat& what, LinkState& link, const bool& running) {
                Flap(what, link, running, what.count);
            },
            [](const FaultWhat& what) {
                return what.down * static_cast<int64_t>(what.count) +
                       what.up * static_cast<int64_t>(what.count - 1);
            }),
        {"partition", FaultPlace::NETWORK, ReadPartition, nullptr, nullptr, LastFor},
        OnLink(
            "mtu",
            ReadMtu,
            [](const FaultWhat& what, LinkState& link, const bool& /* running */) {
                const auto number =
                    link.AddLimit({static_cast<uint32_t>(what.count), what.silently});
                Simulator::Schedule(what.duration, &LinkState::RemoveLimit, &link, number);
            },
            LastFor),
    };
    return actions;
}

std::vector<std::string>
GetFaultActionNames()
{
    auto names = GetFaultActions().GetNames();
    for (const auto name : GetHostFaultNames())
    {
        names.emplace_back(name);
    }
    return names;
}

FaultPlace
FaultWhat::GetPlace() const
{
    return action == nullptr ? FaultPlace::HOST : action->place;
}

std::string_view
FaultWhat::GetWord() const
{
    return action == nullptr ? ToString(host.kind) : action->name;
}

Time
FaultWhat::GetDuration() const
{
    if (action == nullptr)
    {
        return host.duration;
    }
    return action->getDuration == nullptr ? Time() : action->getDuration(*this);
}

} // namespace ns3::nfsrdma
