/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/sentence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

using Mode = FaultWhen::Mode;
using Form = FaultWhere::Form;

FaultSpec
Parse(const std::string& sentence)
{
    const auto spec = ParseFault("name", sentence);
    EXPECT_TRUE(spec) << sentence << ": got '" << spec.error().got << "', expected "
                      << spec.error().expected;
    return spec.value_or(FaultSpec{});
}

/// \return "got | expected" of a sentence that is wrong.
std::string
Refusal(const std::string& sentence)
{
    const auto spec = ParseFault("name", sentence);
    return spec ? "taken" : spec.error().got + " | " + spec.error().expected;
}

TEST(FaultSentence, KeepsNameAndText)
{
    const auto spec = ParseFault("cut", "1st fpdu: drop");
    ASSERT_TRUE(spec);
    EXPECT_EQ(spec->name, "cut");
    EXPECT_EQ(spec->sentence, "1st fpdu: drop");
}

TEST(FaultSentence, ReadsATime)
{
    const auto spec = Parse("at 10ms on client-1: link-down for 1.5us");
    EXPECT_EQ(spec.when.mode, Mode::AT);
    EXPECT_EQ(spec.when.at, MilliSeconds(10));
    EXPECT_TRUE(spec.when.interval.IsZero());
    EXPECT_EQ(spec.when.times, 1U);
    EXPECT_EQ(spec.where.form, Form::ON);
    EXPECT_EQ(spec.where.first, "client-1");
    EXPECT_EQ(spec.what.GetWord(), "link-down");
    EXPECT_EQ(spec.what.duration, NanoSeconds(1500));
}

TEST(FaultSentence, ReadsUnitsOfTime)
{
    const std::pair<const char*, Time> times[]{{"7ns", NanoSeconds(7)},
                                               {"7us", MicroSeconds(7)},
                                               {"0.5ms", MicroSeconds(500)},
                                               {"7s", Seconds(7)},
                                               {"2min", Seconds(120)},
                                               {"1h", Seconds(3600)},
                                               {"0s", Seconds(0)}};
    for (const auto& [text, time] : times)
    {
        EXPECT_EQ(Parse("at " + std::string(text) + " on server-0: crash").when.at, time) << text;
    }
}

TEST(FaultSentence, ReadsRepeatedTimes)
{
    auto spec = Parse("at 10ms every 5ms 3 times: partition client-0 | server-0 for 1ms");
    EXPECT_EQ(spec.when.interval, MilliSeconds(5));
    EXPECT_EQ(spec.when.times, 3U);
    spec = Parse("at 10ms every 5ms: partition client-0 | server-0 for 1ms");
    EXPECT_EQ(spec.when.times, 0U);
}

TEST(FaultSentence, ReadsOrdinals)
{
    const std::pair<const char*, uint64_t> ordinals[]{{"1st", 1},
                                                      {"2nd", 2},
                                                      {"3rd", 3},
                                                      {"4th", 4},
                                                      {"11th", 11},
                                                      {"12th", 12},
                                                      {"13th", 13},
                                                      {"21st", 21},
                                                      {"112th", 112},
                                                      {"1000003rd", 1000003}};
    for (const auto& [text, number] : ordinals)
    {
        const auto spec = Parse(std::string(text) + " fpdu: drop");
        EXPECT_EQ(spec.when.mode, Mode::NTH);
        EXPECT_EQ(spec.when.number, number) << text;
        EXPECT_EQ(spec.when.times, 1U);
    }
}

TEST(FaultSentence, ReadsEveryEvent)
{
    for (const auto name : GetFaultEventNames())
    {
        const auto spec = Parse("1st " + std::string(name) + ": drop");
        EXPECT_EQ(ToString(spec.when.event.kind), name);
    }
}

TEST(FaultSentence, ReadsEveryAndProbability)
{
    auto spec = Parse("every fpdu: drop");
    EXPECT_EQ(spec.when.mode, Mode::EVERY);
    EXPECT_EQ(spec.when.number, 1U);
    EXPECT_EQ(spec.when.times, 0U);
    spec = Parse("every 100th fpdu 7 times: drop");
    EXPECT_EQ(spec.when.number, 100U);
    EXPECT_EQ(spec.when.times, 7U);
    spec = Parse("every fpdu 1 time: drop");
    EXPECT_EQ(spec.when.times, 1U);
    spec = Parse("fpdu with probability 0.25: drop");
    EXPECT_EQ(spec.when.mode, Mode::PROBABILITY);
    EXPECT_EQ(spec.when.probability, 0.25);
    spec = Parse("fpdu from client-0 2 times with probability 1 : drop");
    EXPECT_EQ(spec.when.probability, 1);
    EXPECT_EQ(spec.when.times, 2U);
}

TEST(FaultSentence, ReadsCallsAndReplies)
{
    auto spec = Parse("4th nfs read call: drop");
    EXPECT_EQ(spec.when.event.kind, FaultEventKind::RPC_CALL);
    EXPECT_EQ(spec.when.event.program, "nfs");
    EXPECT_EQ(spec.when.event.procedure, "READ");
    spec = Parse("1st nfsacl GETACL reply: drop");
    EXPECT_EQ(spec.when.event.kind, FaultEventKind::RPC_REPLY);
    EXPECT_EQ(spec.when.event.program, "nfsacl");
    spec = Parse("1st callback call: drop");
    EXPECT_EQ(spec.when.event.program, "callback");
    EXPECT_EQ(spec.when.event.procedure, "");
}

TEST(FaultSentence, ReadsXids)
{
    EXPECT_EQ(Parse("1st rdma-msg of xid 0x1A2b: drop").when.event.xid, 0x1a2bU);
    EXPECT_EQ(Parse("1st nfs WRITE reply of xid 77: drop").when.event.xid, 77U);
    EXPECT_EQ(Parse("1st rdma-msg of xid 0xffffffff: drop").when.event.xid, 0xffffffffU);
}

TEST(FaultSentence, ReadsPlaces)
{
    const auto where = [](const std::string& text) {
        return Parse("1st fpdu " + text + ": drop").where;
    };
    EXPECT_EQ(where("").form, Form::ANYWHERE);
    EXPECT_EQ(where("from client-2").form, Form::FROM);
    EXPECT_EQ(where("from client-2").first, "client-2");
    EXPECT_EQ(where("to server-0").form, Form::TO);
    EXPECT_EQ(where("to server-0").second, "server-0");
    for (const auto* text : {"from client-2 to server-0", "to server-0 from client-2"})
    {
        EXPECT_EQ(where(text).form, Form::FROM_TO);
        EXPECT_EQ(where(text).first, "client-2");
        EXPECT_EQ(where(text).second, "server-0");
    }
    const auto between = where("between client-2 and server-0 connection 3");
    EXPECT_EQ(between.form, Form::BETWEEN);
    EXPECT_EQ(between.first, "client-2");
    EXPECT_EQ(between.second, "server-0");
    EXPECT_EQ(between.connection, 3U);
    EXPECT_EQ(where("on clients").form, Form::ON);
}

TEST(FaultSentence, ReadsWindows)
{
    const auto spec = Parse("2nd segment after 1ms before 2ms from clients: drop");
    EXPECT_EQ(spec.when.after, MilliSeconds(1));
    EXPECT_EQ(spec.when.before, MilliSeconds(2));
    EXPECT_FALSE(Parse("2nd segment: drop").when.before);
}

TEST(FaultSentence, ReadsFrameActions)
{
    const auto what = [](const std::string& text) { return Parse("1st fpdu: " + text).what; };
    EXPECT_EQ(what("drop").count, 1U);
    EXPECT_EQ(what("drop 3 times").count, 3U);
    EXPECT_EQ(what("duplicate").GetWord(), "duplicate");
    EXPECT_EQ(what("duplicate 2 times").count, 2U);
    EXPECT_EQ(what("delay 5us").duration, MicroSeconds(5));
    EXPECT_EQ(what("reorder behind 3 segments").count, 3U);
    EXPECT_EQ(what("reorder behind 1").GetWord(), "reorder");
    EXPECT_EQ(what("resegment 100").count, 100U);
    EXPECT_EQ(what("resegment 100 octets").GetWord(), "resegment");
}

TEST(FaultSentence, ReadsCorruption)
{
    const auto what = [](const std::string& text) { return Parse("1st fpdu: " + text).what; };
    EXPECT_EQ(what("corrupt").count, 1U);
    EXPECT_FALSE(what("corrupt").beforeCrc);
    EXPECT_EQ(what("corrupt 1 bit").count, 1U);
    EXPECT_EQ(what("corrupt 3 bits after crc").count, 3U);
    EXPECT_TRUE(what("corrupt 3 bits before crc").beforeCrc);
    EXPECT_EQ(what("corrupt before crc octet 17").octet, 17U);
    ASSERT_NE(what("corrupt field stag").field, nullptr);
    for (const auto& field : GetFpduFields())
    {
        EXPECT_EQ(what("corrupt before crc field " + std::string(field.name)).field, &field);
    }
}

TEST(FaultSentence, ReadsLinkActions)
{
    auto what = Parse("1st fpdu: flap 3 times down 1ms up 2ms on client-0").what;
    EXPECT_EQ(what.GetWord(), "flap");
    EXPECT_EQ(what.count, 3U);
    EXPECT_EQ(what.down, MilliSeconds(1));
    EXPECT_EQ(what.up, MilliSeconds(2));
    EXPECT_EQ(what.on, "client-0");
    what = Parse("at 1ms: partition client-0,client-1|server-0 , server-1 for 3ms").what;
    EXPECT_THAT(what.sides[0], testing::ElementsAre("client-0", "client-1"));
    EXPECT_THAT(what.sides[1], testing::ElementsAre("server-0", "server-1"));
    EXPECT_EQ(what.duration, MilliSeconds(3));
    what = Parse("at 1ms on client-0: mtu 576 for 1s").what;
    EXPECT_EQ(what.count, 576U);
    EXPECT_FALSE(what.silently);
    EXPECT_TRUE(Parse("at 1ms on client-0: mtu 576 for 1s silently").what.silently);
}

TEST(FaultSentence, ReadsHostFaults)
{
    for (const auto name : GetHostFaultNames())
    {
        const auto what = Parse("at 1ms on server-0: " + std::string(name)).what;
        EXPECT_EQ(what.GetPlace(), FaultPlace::HOST);
        EXPECT_EQ(ToString(what.host.kind), name);
        EXPECT_TRUE(what.host.duration.IsZero());
        EXPECT_EQ(what.host.amount, 0U);
    }
    const auto what =
        Parse("1st rdma-write: registration-failure 7 for 5ms peer server-1 on client-0").what;
    EXPECT_EQ(what.host.amount, 7U);
    EXPECT_EQ(what.host.duration, MilliSeconds(5));
    EXPECT_EQ(what.host.peer, "server-1");
    EXPECT_EQ(what.on, "client-0");
}

TEST(FaultSentence, RefusesWithTheWordAndWhatIsExpected)
{
    const std::pair<const char*, const char*> refusals[]{
        {"", " | at TIME, 1st EVENT, every EVENT, or EVENT with probability P"},
        {"at", " | a time such as 500us or 10ms, not before 0"},
        {"at -1ms on client-0: crash", "-1ms | a time such as 500us or 10ms, not before 0"},
        {"at 10 on client-0: crash", "10 | a time such as 500us or 10ms, not before 0"},
        {"at 1.2.3ms on client-0: crash", "1.2.3ms | a time such as 500us or 10ms, not before 0"},
        {"at 1e9h on client-0: crash", "1e9h | a time such as 500us or 10ms, not before 0"},
        {"at 999999h on client-0: crash", "999999h | a time such as 500us or 10ms, not before 0"},
        {"at 1ms every 0ms on client-0: crash", "0ms | a time such as 500us or 10ms, above 0"},
        {"3th fpdu: drop", "3th | 3rd"},
        {"0th fpdu: drop", "0th | an ordinal from 1st on"},
        {"99999999999999999999th fpdu: drop", "99999999999999999999th | an ordinal from 1st on"},
        {"fpdu: drop", "drop | 'with probability P', or '1st' or 'every' before the event"},
        {"fpdu with probability 0: drop", "0 | a probability above 0, up to 1"},
        {"fpdu with probability 1.5: drop", "1.5 | a probability above 0, up to 1"},
        {"1st rdma-msg of xid zero: drop", "zero | an XID such as 0x1a2b3c4d"},
        {"1st rdma-msg of xid 0x100000000: drop", "0x100000000 | an XID such as 0x1a2b3c4d"},
        {"1st nfs READ: drop", ": | 'call' or 'reply'"},
        {"1st fpdu from : drop", ": | a host such as client-0"},
        {"1st fpdu from client-0 on client-1: drop", "on | one place"},
        {"1st fpdu from client-0 from client-1: drop", "from | one place"},
        {"1st fpdu between client-0: drop", ": | 'and'"},
        {"1st fpdu",
         " | ':' and what happens, or from, to, between, on, connection, after, "
         "before, with"},
        {"at 1ms from client-0: crash", "from | ':' and what happens, or on, every"},
        {"1st fpdu 3 times: drop",
         "3 | ':' and what happens, or from, to, between, on, "
         "connection, after, before, with"},
        {"every fpdu 0 times: drop", "0 | a number of times, 1 to 1000000000"},
        {"1st fpdu connection 0: drop", "0 | a number of a connection, 1 to 1000000000"},
        {"1st fpdu: corrupt 0 bits", "0 | a number of bits, 1 to 4096"},
        {"1st fpdu: corrupt 2 times", "times | 'bit'"},
        {"1st fpdu: corrupt before 3", "3 | 'crc'"},
        {"1st fpdu: delay 0us", "0us | a time such as 500us or 10ms, above 0"},
        {"1st fpdu: reorder 3", "3 | 'behind'"},
        {"1st fpdu: resegment 0", "0 | octets of a segment, 1 to 65535"},
        {"1st fpdu: drop now", "now | the end of the sentence"},
        {"1st fpdu: drop on client-0", "on | the end of the sentence"},
        {"at 1ms on client-0: link-down", " | 'for'"},
        {"at 1ms on client-0: link-down for 0ms", "0ms | a time such as 500us or 10ms, above 0"},
        {"at 1ms: partition client-0 for 1ms", "for | '|'"},
        {"at 1ms: partition client-0, | server-0 for 1ms", "| | a host such as client-0"},
        {"at 1ms on client-0: mtu 575 for 1ms", "575 | an MTU, 576 to 65535"},
        {"at 1ms on client-0: flap 2 times down 1ms", " | 'up'"},
        {"at 1ms on client-0: crash hard",
         "hard | for TIME, by TIME, peer HOST, connection N, on HOST, or the end of the sentence"},
    };
    for (const auto& [sentence, refusal] : refusals)
    {
        EXPECT_EQ(Refusal(sentence), refusal) << sentence;
    }
}

TEST(FaultSentence, OffersCandidatesForAWordThatIsNone)
{
    const auto candidates = [](const std::string& sentence) {
        const auto spec = ParseFault("name", sentence);
        return spec ? std::vector<std::string>() : spec.error().candidates;
    };
    EXPECT_THAT(candidates("1st rdma-wriet: drop"), testing::Contains("rdma-write"));
    EXPECT_THAT(candidates("1st fpdu: dorp"), testing::Contains("drop"));
    EXPECT_THAT(candidates("1st fpdu: craash"), testing::Contains("crash"));
    EXPECT_THAT(candidates("1st fpdu: corrupt field stga"), testing::Contains("stag"));
    EXPECT_THAT(candidates("1st fpdu form client-0: drop"), testing::Contains("from"));
}

} // namespace

} // namespace ns3::nfsrdma
