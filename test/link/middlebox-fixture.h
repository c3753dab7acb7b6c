/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_LINK_MIDDLEBOX_FIXTURE_H
#define NFSRDMA_TEST_LINK_MIDDLEBOX_FIXTURE_H

#include "link/ethernet-channel.h"
#include "link/resegmenting-middlebox.h"

#include "ns3/enum.h"
#include "ns3/node.h"
#include "ns3/queue-size.h"
#include "ns3/queue.h"
#include "ns3/simulator.h"

#include <array>
#include <gtest/gtest.h>
#include <vector>

namespace ns3::nfsrdma
{

/// Two hosts with a middlebox between them. A case sends segments from one and looks at what
/// arrives at either.
class MiddleboxTest : public ::testing::Test
{
  protected:
    static constexpr std::size_t LEFT = 0;
    static constexpr std::size_t RIGHT = 1;
    static constexpr uint32_t INITIAL = 0xfffff000; ///< Sequence number of the SYN.

    void SetUp() override
    {
        auto node = CreateObject<Node>();
        box = CreateObject<ResegmentingMiddlebox>();
        node->AggregateObject(box);
        for (std::size_t side = 0; side < 2; ++side)
        {
            auto channel = CreateObject<EthernetChannel>();
            hosts[side] = AddDevice(CreateObject<Node>(), channel);
            box->AddPort(AddDevice(node, channel));
            hosts[side]->SetFrameCallback(MakeCallback(&MiddleboxTest::OnFrame, this, side));
        }
        box->AssignStreams(1);
        boxNode = node;
    }

    void TearDown() override
    {
        Simulator::Destroy();
    }

    static Ptr<EthernetNetDevice> AddDevice(Ptr<Node> node, Ptr<EthernetChannel> channel)
    {
        auto device = CreateObject<EthernetNetDevice>();
        device->SetDataRate(DataRate("10Gbps"));
        device->SetQueueSize(QueueSize("20000p"));
        node->AddDevice(device);
        device->Attach(channel);
        return device;
    }

    void OnFrame(std::size_t side, Ptr<Packet> packet)
    {
        ByteVector frame(packet->GetSize());
        packet->CopyData(frame.data(), packet->GetSize());
        frames[side].push_back(frame);
        times[side].push_back(Simulator::Now());
        if (const auto segment = TcpSegment::Decode(frame))
        {
            arrived[side].push_back(*segment);
        }
    }

    static TcpSegment Header(std::size_t from)
    {
        TcpSegment segment;
        segment.ethernet = {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 0x08, 0x00};
        segment.source = 0x0a000001 + static_cast<uint32_t>(from);
        segment.destination = 0x0a000002 - static_cast<uint32_t>(from);
        segment.sourcePort = from == LEFT ? 49153 : 20049;
        segment.destinationPort = from == LEFT ? 20049 : 49153;
        segment.options = {1, 1, 8, 10, 0, 0, 0, 7, 0, 0, 0, 6};
        return segment;
    }

    /// Octets of the stream from \p offset on; a pattern that shows any shift.
    static TcpSegment Data(uint32_t offset, uint32_t size, std::size_t from = LEFT)
    {
        auto segment = Header(from);
        segment.sequence = INITIAL + 1 + offset;
        for (uint32_t i = 0; i < size; ++i)
        {
            segment.payload.push_back(Octet(offset + i));
        }
        return segment;
    }

    static uint8_t Octet(uint32_t offset)
    {
        return static_cast<uint8_t>(offset * 2654435761U >> 24);
    }

    static TcpSegment Syn()
    {
        auto segment = Header(LEFT);
        segment.sequence = INITIAL;
        segment.flags = TcpSegment::SYN;
        return segment;
    }

    void Send(const TcpSegment& segment, std::size_t from = LEFT)
    {
        const auto octets = segment.Encode(checksums);
        hosts[from]->SendFrame(Create<Packet>(octets.data(), octets.size()));
    }

    /// Sends \p sizes one behind the other and runs until all has arrived.
    void Transfer(const std::vector<uint32_t>& sizes)
    {
        uint32_t offset = 0;
        Send(Syn());
        for (const auto size : sizes)
        {
            Send(Data(offset, size));
            offset += size;
        }
        Simulator::Run();
    }

    /// \return payload octets of the segments at the right host, which must follow each other.
    uint32_t CheckStream() const
    {
        uint32_t offset = 0;
        for (const auto& segment : arrived[RIGHT])
        {
            if (segment.payload.empty())
            {
                continue;
            }
            EXPECT_EQ(segment.sequence, INITIAL + 1 + offset);
            for (const auto octet : segment.payload)
            {
                EXPECT_EQ(octet, Octet(offset));
                ++offset;
            }
        }
        return offset;
    }

    std::vector<uint32_t> Sizes() const
    {
        std::vector<uint32_t> sizes;
        for (const auto& segment : arrived[RIGHT])
        {
            if (!segment.payload.empty())
            {
                sizes.push_back(static_cast<uint32_t>(segment.payload.size()));
            }
        }
        return sizes;
    }

    void SetMode(ResegmentingMiddlebox::Mode mode)
    {
        box->SetAttribute("Mode", EnumValue(mode));
    }

    Ptr<LinkImpairment> Impair(std::size_t from = LEFT)
    {
        auto impairment = CreateObject<LinkImpairment>();
        box->SetImpairment(from, impairment);
        box->AssignStreams(1);
        return impairment;
    }

    bool checksums{false};
    Ptr<Node> boxNode;
    Ptr<ResegmentingMiddlebox> box;
    std::array<Ptr<EthernetNetDevice>, 2> hosts;
    std::array<std::vector<ByteVector>, 2> frames;
    std::array<std::vector<Time>, 2> times;
    std::array<std::vector<TcpSegment>, 2> arrived;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_LINK_MIDDLEBOX_FIXTURE_H
