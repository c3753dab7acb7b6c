/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/captured-events.h"
#include "fault/connection-follower.h"
#include "fault/followed-stream.h"
#include "link/segment-run.h"
#include "parameter-name.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <string_view>

namespace ns3::nfsrdma::test
{

namespace
{

/// Follows every connection of a list of segments.
class Followers
{
  public:
    FollowedFrame Take(const TcpSegment& segment)
    {
        const auto flow = segment.GetFlow();
        const TcpSegment::Flow reverse{segment.destination,
                                       segment.source,
                                       segment.destinationPort,
                                       segment.sourcePort};
        const bool opens = (segment.flags & (TcpSegment::SYN | TcpSegment::ACK)) == TcpSegment::SYN;
        auto& one = m_followers[std::min(flow, reverse)];
        if (!one.follower || (opens && segment.sequence != one.sequence))
        {
            one = {std::make_unique<ConnectionFollower>(true), flow, segment.sequence};
        }
        return one.follower->Take(flow == one.opener ? 0 : 1, segment);
    }

    void Count(const TcpSegment& segment)
    {
        for (const auto& event : Take(segment).events)
        {
            ++m_counts[std::string(ToString(event.kind))];
            if (event.rpc)
            {
                const auto prefix = std::string(ToString(event.kind)) + " ";
                for (const auto& procedure : event.rpc->procedures)
                {
                    ++m_counts[prefix + std::string(procedure)];
                }
            }
        }
    }

    uint64_t Get(const std::string& name) const
    {
        const auto found = m_counts.find(name);
        return found == m_counts.end() ? 0 : found->second;
    }

  private:
    struct One
    {
        std::unique_ptr<ConnectionFollower> follower;
        TcpSegment::Flow opener;
        uint32_t sequence{0};
    };

    std::map<TcpSegment::Flow, One> m_followers;
    EventCounts m_counts;
};

std::vector<TcpSegment>
ReadSegments(const std::string& capture)
{
    std::vector<TcpSegment> segments;
    const auto file = ReadCaptureData(capture);
    for (const auto& frame : ListFrames(file))
    {
        if (auto segment = TcpSegment::Decode(frame))
        {
            segments.push_back(std::move(*segment));
        }
    }
    return segments;
}

/// \return the names of events whose number does not hang on how TCP cut or repeated them.
std::vector<std::string>
GetNamesOfOnce()
{
    const std::set<std::string_view> others{"segment",
                                            "data",
                                            "retransmission",
                                            "ack",
                                            "syn",
                                            "fin",
                                            "rst",
                                            "rdma-done",
                                            "rpc-call",
                                            "rpc-reply"};
    std::vector<std::string> names;
    for (const auto name : GetFaultEventNames())
    {
        if (others.count(name) == 0)
        {
            names.emplace_back(name);
        }
    }
    return names;
}

void
Compare(const Followers& followers, const std::string& what)
{
    auto counts = CountCapturedEvents(ReadCaptureData(what));
    if (what.find("mpa-probes") != std::string::npos)
    {
        ++counts["send"]; // One has a wrong CRC, which ends a conversation but not a follower.
    }
    for (const auto& name : GetNamesOfOnce())
    {
        const auto found = counts.find(name);
        EXPECT_EQ(followers.Get(name), found == counts.end() ? 0 : found->second)
            << what << ": " << name;
    }
}

class CapturedConnections : public testing::TestWithParam<std::string>
{
};

TEST_P(CapturedConnections, HaveTheEventsThatWholeConnectionsHave)
{
    Followers followers;
    for (const auto& segment : ReadSegments(GetParam()))
    {
        followers.Count(segment);
    }
    Compare(followers, GetParam());
}

TEST_P(CapturedConnections, HaveTheSameEventsHoweverTheyAreCut)
{
    std::mt19937_64 random(1);
    Followers followers;
    for (const auto& segment : ReadSegments(GetParam()))
    {
        if (!segment.IsPlainData())
        {
            followers.Count(segment);
            continue;
        }
        const auto size = [&random] {
            return static_cast<uint32_t>(1 + random() % (random() % 2 == 0 ? 40 : 1400));
        };
        for (const auto& piece : SegmentRun::Split(segment, size))
        {
            followers.Count(piece);
            if (random() % 8 == 0)
            {
                followers.Count(piece);
            }
        }
    }
    Compare(followers, GetParam());
}

/// RFC 5044 section 7.1: MPA may start late, and again after a rejection.
TEST(DelayedStartup, IsFollowedBehindWhatIsSaidBeforeItAndAfterRejections)
{
    const std::string hello = "MPA, please. MPA ID Re";
    const ByteVector preamble(hello.begin(), hello.end());
    for (const uint32_t rejections : {0, 2})
    {
        FollowedStream stream({true, true}, preamble, rejections);
        const auto names = stream.Take(0, stream.MakeSegment(0, stream.MakeWrite(900, true)));
        EXPECT_THAT(names, ::testing::Contains("rdma-write")) << rejections;
        ASSERT_EQ(stream.frame.fpdus.size(), 1U);
        EXPECT_EQ(stream.frame.fpdus[0].position, 0U) << "markers count from the first FPDU";
    }
}

TEST(DelayedStartup, IsNotWaitedForForEver)
{
    FollowedStream stream({true, false}, ByteVector(ConnectionFollower::MAX_STREAMING + 1, 0x20));
    const auto names = stream.Take(0, stream.MakeSegment(0, stream.MakeWrite(900, true)));
    EXPECT_THAT(names, ::testing::Not(::testing::Contains("rdma-write")));
}

TEST(CapturedNames, AreThoseThatTsharkFinds)
{
    const std::pair<const char*, EventCounts> captures[]{{"linux-6.1-nfs-v3-mtu1500.pcap.gz",
                                                          {{"segment", 2235},
                                                           {"data", 1838},
                                                           {"ack", 373},
                                                           {"syn", 12},
                                                           {"fin", 12},
                                                           {"rst", 0},
                                                           {"retransmission", 0},
                                                           {"rpc-call LOOKUP", 529},
                                                           {"rpc-call ACCESS", 23},
                                                           {"rpc-call GETATTR", 17},
                                                           {"rpc-call READ", 10},
                                                           {"rpc-call WRITE", 10},
                                                           {"rpc-call READDIRPLUS", 3},
                                                           {"rpc-call GETACL", 10},
                                                           {"rpc-reply LOOKUP", 529},
                                                           {"rpc-reply READ", 10},
                                                           {"rpc-reply READDIRPLUS", 3}}},
                                                         {"linux-6.1-nfs-v4.1-mtu1500.pcap.gz",
                                                          // tshark finds one call more, in a chunk.
                                                          {{"rpc-call SEQUENCE", 664},
                                                           {"rpc-call PUTFH", 662},
                                                           {"rpc-call LOOKUP", 517},
                                                           {"rpc-call OPEN", 28},
                                                           {"rpc-call CLOSE", 28},
                                                           {"rpc-call READ", 11},
                                                           {"rpc-call WRITE", 10},
                                                           {"rpc-call EXCHANGE_ID", 2},
                                                           {"rpc-call CB_RECALL", 1},
                                                           {"rpc-reply READ", 11},
                                                           {"rpc-reply CB_RECALL", 1}}}};
    for (const auto& [capture, counts] : captures)
    {
        Followers followers;
        for (const auto& segment : ReadSegments(capture))
        {
            followers.Count(segment);
        }
        for (const auto& [name, count] : counts)
        {
            EXPECT_EQ(followers.Get(name), count) << capture << ": " << name;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All,
                         CapturedConnections,
                         testing::ValuesIn(FindEthernetCaptures()),
                         [](const auto& test) {
                             return ToParameterName(test.param.substr(0, test.param.find(".pcap")));
                         });

} // namespace

} // namespace ns3::nfsrdma::test
