/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_TOE_MACHINE_PAIR_H
#define NFSRDMA_TEST_TOE_MACHINE_PAIR_H

#include "toe/machine.h"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/// What a network does to segments; probabilities in a thousand.
struct Weather
{
    uint32_t lost{0};
    uint32_t late{0};
    uint32_t doubled{0};
    uint32_t marked{0};  ///< Of those that are ECN-capable.
    uint32_t refused{0}; ///< By Offer().
    Time delay{MicroSeconds(5)};
    Time jitter{0};    ///< At most, of those that are late.
    uint64_t rate{0};  ///< Bits a second; 0 is without a limit.
    Time queue{0};     ///< What waits longer to leave is lost (with a rate).
    Time markAbove{0}; ///< What waits longer is marked, if it can be.
};

/**
 * \brief Two machines and the network between them. Every header goes through its octets, and every
 * octet of payload is accounted for.
 */
class MachinePair
{
  public:
    MachinePair(const std::array<TcpEngineSettings, 2>& settings,
                const Weather& weather,
                uint64_t seed);

    /// Side 0 connects to side 1. Each sends so many octets, in units as drawn, and closes.
    void Exchange(std::array<uint64_t, 2> octets, uint32_t largestUnit);

    /// Runs until nothing is left to happen, or \p until.
    /// \return whether it ended before so many events
    [[nodiscard]] bool Run(uint64_t mostEvents, std::optional<Time> until = std::nullopt);

    /// Lets users take only a part of what is delivered, and the rest later.
    void MakeUsersSlow()
    {
        m_slowUsers = true;
    }

    [[nodiscard]] TcpMachine& GetMachine(std::size_t side)
    {
        return *m_hosts[side]->machine;
    }

    [[nodiscard]] uint64_t GetDelivered(std::size_t side) const
    {
        return m_hosts[side]->delivered;
    }

    [[nodiscard]] std::optional<TcpEnd> GetEnd(std::size_t side) const
    {
        return m_hosts[side]->end;
    }

    [[nodiscard]] bool IsEndOfStream(std::size_t side) const
    {
        return m_hosts[side]->endOfStream;
    }

    [[nodiscard]] const TcpEngineCounters& GetCounters(std::size_t side) const
    {
        return m_hosts[side]->counters;
    }

    [[nodiscard]] Time Now() const
    {
        return m_now;
    }

  private:
    struct Flying
    {
        std::size_t to;
        ByteVector header;
        uint64_t offset;
        uint32_t length;
        bool capable;
        bool marked;
    };

    struct Host : public TcpMachineActions
    {
        void Transmit(const OutgoingTcpSegment& segment) override;
        bool Offer(uint64_t offset, uint32_t from, uint32_t length) override;
        void Keep(uint64_t offset, uint32_t from, uint32_t length) override;
        void Deliver(uint64_t edge) override;
        void Release(uint64_t edge) override;
        void Establish() override;
        void EndOfStream() override;
        void End(TcpEnd how) override;

        MachinePair* pair{nullptr};
        std::size_t side{0};
        TcpEngineSettings settings;
        TcpEngineCounters counters;
        std::unique_ptr<TcpMachine> machine;
        const Flying* inHand{nullptr};
        std::vector<bool> kept;
        uint64_t total{0}; ///< To be sent.
        uint64_t given{0};
        uint64_t sentEnd{0};
        uint64_t released{0};
        uint64_t delivered{0};
        uint64_t consumed{0};
        bool endOfStream{false};
        bool closed{false};
        std::optional<TcpEnd> end;
        Time busyUntil;
    };

    void Fly(const Flying& segment);
    void Arrive(const Flying& segment);
    void Serve(Host& host);
    uint32_t Draw(uint32_t below);

    Weather m_weather;
    std::mt19937_64 m_random;
    std::array<std::unique_ptr<Host>, 2> m_hosts;
    std::multimap<Time, Flying> m_flying; ///< By arrival.
    Time m_now;
    uint32_t m_largestUnit{1};
    bool m_slowUsers{false};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_TOE_MACHINE_PAIR_H
