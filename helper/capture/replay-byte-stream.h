/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CAPTURE_REPLAY_BYTE_STREAM_H
#define NFSRDMA_HELPER_CAPTURE_REPLAY_BYTE_STREAM_H

#include "mpa/byte-stream.h"
#include "wire/bytes.h"

namespace ns3::nfsrdma
{

/// A byte stream whose peer is a capture: what arrives is given, what is sent is kept.
class ReplayByteStream : public ByteStream
{
  public:
    static TypeId GetTypeId();

    /// Octets arrive in order.
    void Arrive(ByteSpan octets);
    /// The peer has ended the stream.
    void End(StreamEnd end);

    /// \return the first unit sent: the startup frame; empty when there was none.
    [[nodiscard]] const ByteVector& GetFirstUnit() const
    {
        return m_firstUnit;
    }

    // ByteStream
    [[nodiscard]] bool SendUnit(Ptr<Packet> unit) override;
    [[nodiscard]] uint32_t GetTxAvailable() const override;
    [[nodiscard]] uint32_t GetEmss() const override;
    [[nodiscard]] Ptr<Packet> ReceiveAtMost(uint32_t limit) override;
    [[nodiscard]] uint64_t GetReceivedOctets() const override;
    void Close() override;
    void Abort() override;
    [[nodiscard]] Address GetPeerAddress() const override;
    [[nodiscard]] Address GetLocalAddress() const override;

  private:
    ByteVector m_firstUnit;
    Ptr<Packet> m_arrived;
    uint64_t m_receivedOctets{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CAPTURE_REPLAY_BYTE_STREAM_H
