/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_MPA_ORDERED_READER_H
#define NFSRDMA_TEST_MPA_ORDERED_READER_H

#include "mpa/fpdu-receiver.h"
#include "mpa/receive-queue.h"

#include <utility>

namespace ns3::nfsrdma
{

/// A FpduReceiver below which a ReceiveQueue stands for TCP.
class OrderedReader
{
  public:
    struct Settings
    {
        FpduFraming framing;
        bool lookAhead{false};
        bool dropBadSegments{false};
        uint64_t limit{UINT64_MAX};
    };

    explicit OrderedReader(const Settings& settings)
    {
        m_receiver.StartFullOperation(settings.framing);
        if (settings.lookAhead)
        {
            FpduAssembler::Options options;
            options.dropBadSegments = settings.dropBadSegments;
            options.trustAlignment = true;
            options.limit = settings.limit;
            m_receiver.LookAhead(options, [this](ByteSpan ulpdu) { return Place(ulpdu); });
        }
    }

    /// A segment arrives. \return false when it was dropped
    bool Arrive(uint64_t position, ByteSpan octets)
    {
        if (error)
        {
            return true;
        }
        if (m_receiver.GetAssembler() != nullptr && !m_receiver.LookAt(position, octets))
        {
            return false;
        }
        queue.Add(position, octets);
        const ByteVector ordered = queue.Take();
        if (!ordered.empty())
        {
            m_receiver.Append(
                *Create<Packet>(ordered.data(), static_cast<uint32_t>(ordered.size())));
            TakeFpdus();
        }
        return true;
    }

    const FpduReceiver& GetReceiver() const
    {
        return m_receiver;
    }

    ReceiveQueue queue;
    std::vector<ByteVector> delivered;
    std::vector<bool> deliveredAsPlaced;
    std::vector<ByteVector> placed;
    std::optional<MpaError> error;
    /// Every so many times placing is refused; 0 is never.
    std::size_t refusePlacing{0};

  private:
    bool Place(ByteSpan ulpdu)
    {
        ++m_offered;
        if (refusePlacing != 0 && m_offered % refusePlacing == 0)
        {
            return false;
        }
        placed.emplace_back(ulpdu.begin(), ulpdu.end());
        return true;
    }

    void TakeFpdus()
    {
        for (;;)
        {
            const auto fpdu = m_receiver.TakeFpdu();
            if (!fpdu)
            {
                error = fpdu.error();
                return;
            }
            if (!*fpdu)
            {
                return;
            }
            delivered.emplace_back((*fpdu)->ulpdu.begin(), (*fpdu)->ulpdu.end());
            deliveredAsPlaced.push_back((*fpdu)->placed);
        }
    }

    FpduReceiver m_receiver;
    std::size_t m_offered{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_MPA_ORDERED_READER_H
