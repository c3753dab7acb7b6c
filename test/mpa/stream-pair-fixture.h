/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_MPA_STREAM_PAIR_FIXTURE_H
#define NFSRDMA_TEST_MPA_STREAM_PAIR_FIXTURE_H

#include "mpa/two-node-fixture.h"

#include "ns3/ipv4-header.h"
#include "ns3/tcp-header.h"

#include <optional>
#include <random>
#include <set>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Two byte streams connected to each other, without MPA above.
 *
 * Every octet sent is a function of its offset, so that every octet received, or shown in a
 * segment, is checked against where it says it belongs.
 */
class StreamPairTest : public TwoNodeTest
{
  protected:
    /// A TCP segment with payload, as it left its sender; offsets in the stream.
    struct Cut
    {
        uint64_t begin;
        uint64_t end;
        bool repeated; ///< Begins below what had been sent before.
        Time at;
    };

    void SetUp() override;
    void TearDown() override;

    // Hooks
    /// \return when the frame for \p receiver arrives after all: zero is now, nothing is never.
    virtual std::optional<Time> Fate(std::size_t receiver,
                                     const Ipv4Header& ip,
                                     const TcpHeader& tcp,
                                     uint32_t payload);
    /// A segment is shown; \return whether it is to be taken.
    virtual bool OnShown(std::size_t side, uint64_t offset, uint32_t size);
    virtual void OnEstablished();
    virtual void OnEmss(std::size_t side);
    /// Called when \p side can send more, once established.
    virtual void OnRoom(std::size_t side);

    void SetTransport(std::size_t side, MpaTransport::Kind kind, bool packing, bool nagle);
    /// Opens the connection and runs until nothing is left to happen.
    void Open();
    /// Sends a unit; \return whether there was room.
    bool SendUnit(std::size_t side, uint32_t size);
    Ptr<StreamTcpSocket> Socket(std::size_t side) const;
    /// Has segments that reach \p side shown to OnShown().
    void ShowSegments(std::size_t side);
    /// \return whether a unit of \p side begins, or the last ended, at \p offset.
    bool IsUnitBoundary(std::size_t side, uint64_t offset) const;
    void ExpectAllReceived() const;
    /// Every repeated segment is one that was sent before.
    void ExpectRepeatedAsFirst(std::size_t side) const;

    /// Payload of a full segment: MTU 1500 less the headers of IP and TCP and the timestamps.
    static constexpr uint32_t EMSS = 1448;

    static uint8_t OctetAt(uint64_t offset);

    uint32_t initialSequence{0}; ///< Of both sides.
    std::array<Ptr<TcpByteStream>, 2> streams;
    std::array<uint64_t, 2> sent{};
    std::array<uint64_t, 2> received{};
    std::array<std::set<uint64_t>, 2> boundaries{std::set<uint64_t>{0}, std::set<uint64_t>{0}};
    std::array<std::vector<Cut>, 2> cuts;
    std::array<uint64_t, 2> shown{};
    std::array<std::optional<StreamEnd>, 2> ends;

  private:
    class FrameFilter;

    void OnSegment(std::size_t side, const Segment& segment) override;
    void HandleAcceptedStream(Ptr<ByteStream> stream);
    void Use(std::size_t side, Ptr<ByteStream> stream);
    void HandleOpened();
    void HandleRoom(std::size_t side);
    void HandleEmssChange(std::size_t side);
    void HandleOctets(std::size_t side);
    bool HandleShown(std::size_t side, uint64_t offset, Ptr<const Packet> octets);
    void HandleEnd(std::size_t side, StreamEnd end);
    static void Check(uint64_t offset, Ptr<const Packet> octets);

    std::array<uint64_t, 2> m_sentEnd{};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_MPA_STREAM_PAIR_FIXTURE_H
