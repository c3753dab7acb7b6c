/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_MPA_TWO_NODE_FIXTURE_H
#define NFSRDMA_TEST_MPA_TWO_NODE_FIXTURE_H

#include "link/ethernet-channel.h"
#include "link/ethernet-net-device.h"
#include "mpa/connection.h"
#include "mpa/tcp-byte-stream.h"
#include "mpa/tcp-preset.h"
#include "mpa/transport.h"

#include "ns3/drop-tail-queue.h"
#include "ns3/node.h"

#include <array>
#include <functional>
#include <gtest/gtest.h>
#include <optional>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Two nodes with TCP/IP on an Ethernet cable; node 0 opens an MPA connection to node 1.
 *
 * They have ns-3's TCP, whose sockets are counted, unless a case says else. A case overrides the
 * hooks it is about.
 */
class TwoNodeTest : public ::testing::Test
{
  protected:
    static constexpr uint16_t PORT = 20049;
    static constexpr std::size_t INITIATOR = 0;
    static constexpr std::size_t RESPONDER = 1;

    /// A TCP segment that carries payload.
    struct Segment
    {
        uint32_t sequence;
        uint32_t length;
        uint16_t firstTwoOctets;
    };

    void SetUp() override;
    void TearDown() override;

    /// Runs until nothing is left to happen.
    void RunAll();
    /// Starts both ends at time zero and runs for \p duration.
    void StartAndRun(Time duration);

    // Hooks
    virtual void ConfigureTcp(DataCenterTcpPreset& preset);
    virtual uint16_t Mtu() const;
    /// \return whether the nodes have IPv6, beside IPv4, and Start() connects over it.
    virtual bool OverIpv6() const;
    /// Connects the devices of both nodes, as made; a cable.
    virtual void Wire();
    virtual void ConfigureConnection(std::size_t side, MpaConnection& connection);
    virtual void OnRequest(const MpaStartupParameters& peer);
    virtual void OnOperational(std::size_t side);
    virtual void OnReady(std::size_t side);
    virtual void OnUlpdu(std::size_t side, ByteSpan ulpdu);
    /// Every ULPDU in its turn; calls OnUlpdu().
    virtual void OnDelivery(std::size_t side, ByteSpan ulpdu, bool placed);
    /// \return whether a ULPDU behind a gap counts as placed.
    virtual bool OnPlace(std::size_t side, ByteSpan ulpdu);
    virtual void OnSegment(std::size_t side, const Segment& segment);

    /// \return the socket address of \p side, with PORT.
    [[nodiscard]] Address AddressOf(std::size_t side) const;
    /// Makes node 0's connection and node 1's listener.
    void Start();
    /// Sends \p ulpdu when there is room; \return whether there was.
    bool TrySend(std::size_t side, const ByteVector& ulpdu);
    /// \return TCP sockets that \p side still has, listeners included.
    std::size_t CountSockets(std::size_t side) const;
    /// Drops received frames of both sides at random.
    void SetLossRate(double perFrame);

    std::array<Ptr<Node>, 2> nodes;
    std::array<Ptr<EthernetNetDevice>, 2> devices;
    std::array<Ptr<MpaTransport>, 2> transports;
    std::array<Ptr<MpaConnection>, 2> connections;
    std::array<std::optional<MpaStartupParameters>, 2> agreed;
    std::array<std::optional<MpaError>, 2> errors;
    std::array<bool, 2> closed{false, false};
    std::optional<ByteVector> rejection;
    Ptr<EthernetChannel> channel;
    MpaStartupParameters initiatorSays{16, 16, {}};
    MpaStartupParameters responderSays{16, 16, {}};

  private:
    void HandleAccept(Ptr<ByteStream> stream);
    void Watch(std::size_t side);
    void HandleOperational(std::size_t side, const MpaStartupParameters& parameters);
    void HandleRequest(const MpaStartupParameters& peer);
    void HandleReady(std::size_t side);
    void HandleUlpdu(std::size_t side, ByteSpan ulpdu, bool placed);
    bool HandlePlace(std::size_t side, ByteSpan ulpdu);
    void HandleError(std::size_t side, MpaError error);
    void HandleClosed(std::size_t side);
    void HandleRejected(std::size_t side, ByteSpan privateData);
    void HandleFrame(std::size_t side, Ptr<const Packet> frame);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_MPA_TWO_NODE_FIXTURE_H
