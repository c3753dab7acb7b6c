/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/capture/capture-list.h"
#include "helper/capture/pcap-reader.h"
#include "helper/charts/exchange-tracker.h"
#include "link/tcp-segment.h"
#include "parameter-name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <random>

namespace ns3::nfsrdma::test
{

namespace
{

using ::testing::HasSubstr;

constexpr uint32_t CLIENT = 1;
constexpr uint32_t SERVER = 0;
constexpr uint16_t NFS_PORT = 20049;

/// The messages of a capture of Linux, read one by one.
class CapturedMessages
{
  public:
    struct Entry
    {
        WireMessage message;
        ReadMessage read;
        bool fromClient{false};
    };

    explicit CapturedMessages(const std::string& name)
    {
        const auto file = ReadCaptureFile(CAPTURES + "/linux-6.1-" + name + ".pcap.gz").value();
        auto reader = PcapReader::Create(file).value();
        for (auto frame = reader.Next(); frame && *frame; frame = reader.Next())
        {
            const auto segment = TcpSegment::Decode((*frame)->octets);
            if (segment &&
                (segment->sourcePort == NFS_PORT || segment->destinationPort == NFS_PORT))
            {
                Take(*segment);
            }
        }
    }

    [[nodiscard]] const std::vector<Entry>& Get() const
    {
        return m_entries;
    }

    [[nodiscard]] std::map<std::string, int> CountNames() const
    {
        std::map<std::string, int> counts;
        for (const auto& entry : m_entries)
        {
            ++counts[entry.read.name.substr(0, entry.read.name.find(" 0x"))];
        }
        return counts;
    }

    ExchangeTracker tracker;

  private:
    void Take(const TcpSegment& segment)
    {
        const bool fromClient = segment.destinationPort == NFS_PORT;
        const auto port = fromClient ? segment.sourcePort : segment.destinationPort;
        auto& follower = m_followers[port];
        if (!follower || (segment.flags & (TcpSegment::SYN | TcpSegment::ACK)) == TcpSegment::SYN)
        {
            follower = std::make_unique<MessageFollower>();
        }
        for (const auto& message : follower->Take(fromClient ? 0 : 1, segment, Seconds(0)))
        {
            const auto from = fromClient ? CLIENT : SERVER;
            m_entries.push_back(
                {message, tracker.Take(message, from, CLIENT + SERVER - from), fromClient});
        }
    }

    std::map<uint16_t, std::unique_ptr<MessageFollower>> m_followers;
    std::vector<Entry> m_entries;
};

class CapturedExchangesTest : public testing::TestWithParam<const char*>
{
};

TEST_P(CapturedExchangesTest, EveryMessageIsAboutOneRpc)
{
    CapturedMessages messages(GetParam());
    ASSERT_GT(messages.Get().size(), 20U);
    std::map<uint64_t, std::array<uint64_t, 2>> numbers;
    for (const auto& entry : messages.Get())
    {
        ASSERT_EQ(entry.read.exchanges.size(), 1U) << entry.read.name << " " << entry.read.text;
        const auto& exchange = entry.read.exchanges.front();
        const auto from = entry.fromClient ? CLIENT : SERVER;
        if (entry.read.isCall)
        {
            EXPECT_EQ(exchange.requester, from);
        }
        EXPECT_EQ(exchange.requester + exchange.responder, CLIENT + SERVER);
    }
    EXPECT_TRUE(messages.tracker.ListOutstanding(CLIENT, SERVER).empty());
}

TEST_P(CapturedExchangesTest, DataGoToTheRpcThatOffersRoomForThem)
{
    CapturedMessages messages(GetParam());
    std::map<ExchangeKey, std::string> calls;
    for (const auto& entry : messages.Get())
    {
        const auto& exchange = entry.read.exchanges.front();
        if (entry.read.isCall)
        {
            calls[exchange] = entry.read.text;
        }
        else if (entry.message.opcode == RdmapOpcode::WRITE)
        {
            EXPECT_THAT(calls[exchange], HasSubstr(ShortHex(entry.message.stag) + " "));
        }
        else if (entry.message.opcode == RdmapOpcode::READ_REQUEST)
        {
            EXPECT_THAT(calls[exchange], HasSubstr("Read chunk"));
        }
    }
    EXPECT_FALSE(calls.empty());
}

INSTANTIATE_TEST_SUITE_P(Linux,
                         CapturedExchangesTest,
                         testing::Values("nfs-v3-mtu1500",
                                         "nfs-v3-crc-mtu1500",
                                         "nfs-v3-1m-read",
                                         "nfs-v3-loss3",
                                         "nfs-v4.1-mtu1500"),
                         [](const auto& test) { return ToParameterName(test.param); });

TEST(ExchangeTrackerTest, CountsOfALossyCaptureAreThoseOfItsRpcs)
{
    auto counts = CapturedMessages("nfs-v3-loss3").CountNames();
    EXPECT_EQ(counts["Send"] + counts["Send with Invalidate"], 36);
    EXPECT_EQ(counts["Send with Invalidate"], 6);
    EXPECT_EQ(counts["RDMA Read Request"], 3);
    EXPECT_EQ(counts["RDMA Read Response"], 3);
    EXPECT_EQ(counts["RDMA Write"], 12); // 3 of 65536 octets, at most 20480 each.
}

TEST(ExchangeTrackerTest, RestartLeavesTheCallOutstandingUntilItIsSentAgain)
{
    CapturedMessages messages("nfs-v3-nfsd-restart");
    std::map<ExchangeKey, int> calls;
    for (const auto& entry : messages.Get())
    {
        if (entry.read.isCall)
        {
            ++calls[entry.read.exchanges.front()];
        }
    }
    EXPECT_EQ(std::count_if(calls.begin(),
                            calls.end(),
                            [](const auto& call) { return call.second == 2; }),
              1);
    EXPECT_TRUE(messages.tracker.ListOutstanding(CLIENT, SERVER).empty());
}

TEST(ExchangeTrackerTest, NewRegistrationsBelongToNobody)
{
    CapturedMessages messages("nfs-v3-1m-read");
    for (const auto& entry : messages.Get())
    {
        if (entry.message.opcode == RdmapOpcode::WRITE)
        {
            const auto stag = entry.message.stag;
            EXPECT_EQ(messages.tracker.FindOwner(CLIENT, stag), entry.read.exchanges.front());
            messages.tracker.Release(CLIENT, stag);
            EXPECT_FALSE(messages.tracker.FindOwner(CLIENT, stag));
            return;
        }
    }
    FAIL() << "no RDMA Write";
}

TEST(ExchangeTrackerTest, TakesAnything)
{
    std::mt19937_64 random(20491);
    ExchangeTracker tracker;
    for (int i = 0; i < 20000; ++i)
    {
        WireMessage message;
        message.opcode = static_cast<RdmapOpcode>(random() % RDMAP_OPCODES);
        message.stag = random() % 4;
        message.octets.resize(random() % 120);
        for (auto& octet : message.octets)
        {
            octet = random() % 4 == 0 ? static_cast<uint8_t>(random()) : 0;
        }
        if (message.octets.size() > 8)
        {
            message.octets[7] = 1; // rdma_vers, so that more is read.
        }
        const auto read = tracker.Take(message, random() % 2, 2);
        EXPECT_FALSE(read.name.empty());
    }
}

} // namespace

} // namespace ns3::nfsrdma::test
