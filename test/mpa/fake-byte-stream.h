/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_MPA_FAKE_BYTE_STREAM_H
#define NFSRDMA_TEST_MPA_FAKE_BYTE_STREAM_H

#include "mpa/byte-stream.h"
#include "wire/bytes.h"

#include "ns3/inet-socket-address.h"
#include "ns3/simulator.h"

#include <vector>

namespace ns3::nfsrdma
{

/// A byte stream whose other end is the test: what is sent is kept, what arrives is given.
class FakeByteStream : public ByteStream
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::nfsrdma::FakeByteStream").SetParent<ByteStream>().SetGroupName("NfsRdma");
        return tid;
    }

    bool SendUnit(Ptr<Packet> unit) override
    {
        if (!connected || unit->GetSize() > room)
        {
            return false;
        }
        room -= unit->GetSize();
        ByteVector octets(unit->GetSize());
        unit->CopyData(octets.data(), unit->GetSize());
        sent.push_back(octets);
        return true;
    }

    uint32_t GetTxAvailable() const override
    {
        return connected ? room : 0;
    }

    uint32_t GetEmss() const override
    {
        return emss;
    }

    Ptr<Packet> ReceiveAtMost(uint32_t limit) override
    {
        auto octets = m_received;
        m_received = nullptr;
        if (octets && octets->GetSize() > limit)
        {
            m_received = octets->CreateFragment(limit, octets->GetSize() - limit);
            octets = octets->CreateFragment(0, limit);
        }
        m_receivedOctets += octets ? octets->GetSize() : 0;
        return octets;
    }

    uint64_t GetReceivedOctets() const override
    {
        return m_receivedOctets;
    }

    void Close() override
    {
        closed = true;
    }

    void Abort() override
    {
        aborted = true;
    }

    Address GetPeerAddress() const override
    {
        return InetSocketAddress("10.0.0.2", 20049);
    }

    Address GetLocalAddress() const override
    {
        return InetSocketAddress("10.0.0.1", 49152);
    }

    void Establish()
    {
        connected = true;
        m_callbacks.established();
    }

    /// Octets arrive, in one segment.
    void Arrive(ByteSpan octets)
    {
        const auto arrived = Create<Packet>(octets.data(), static_cast<uint32_t>(octets.size()));
        if (m_received)
        {
            m_received->AddAtEnd(arrived);
        }
        else
        {
            m_received = arrived;
        }
        if (!m_callbacks.receive.IsNull())
        {
            m_callbacks.receive();
        }
    }

    /// \return octets that have arrived and nobody has taken.
    uint32_t GetWaiting() const
    {
        return m_received ? m_received->GetSize() : 0;
    }

    void MakeRoom(uint32_t octets)
    {
        room += octets;
        m_callbacks.space();
    }

    void End(StreamEnd end)
    {
        m_callbacks.ended(end);
    }

    bool connected{false};
    uint32_t room{1 << 20};
    uint32_t emss{1448};
    std::vector<ByteVector> sent;
    bool closed{false};
    bool aborted{false};

  private:
    Ptr<Packet> m_received;
    uint64_t m_receivedOctets{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_MPA_FAKE_BYTE_STREAM_H
