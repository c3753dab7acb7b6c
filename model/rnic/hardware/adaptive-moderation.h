/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_HARDWARE_ADAPTIVE_MODERATION_H
#define NFSRDMA_RNIC_HARDWARE_ADAPTIVE_MODERATION_H

#include "ns3/nstime.h"

#include <cstddef>
#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief Chooses the interrupt moderation of a completion queue from what it measures, as Linux's
 * DIM does for RDMA (lib/dim/rdma_dim.c, dim.c; include/linux/dim.h).
 *
 * After 64 events it compares completions in a time, and completions of an event, with those of the
 * 64 before. More than 10 % more of the first, or as many of the first and more of the second, is
 * better: it goes on to the next of nine profiles in the same direction, from 1 us and one
 * completion to 32 us and 32. Worse: it turns round. The same: it stays, or starts again with the
 * first profile when there are few completions of an event for the profile it has.
 */
class AdaptiveModeration
{
  public:
    /// What a completion queue is set to.
    struct Profile
    {
        Time period;
        uint32_t count;
    };

    static constexpr std::size_t PROFILES = 9;
    static constexpr uint32_t EVENTS = 64; ///< Of a measurement.

    /// An event at \p now: the handler of the queue has been called, and has taken \p completions
    /// entries since the one before. \return whether GetProfile() is another one now
    bool Event(Time now, uint64_t completions);

    [[nodiscard]] const Profile& GetProfile() const;

    /// \return the number of that profile, from 0.
    [[nodiscard]] std::size_t GetIndex() const
    {
        return m_index;
    }

  private:
    enum class Comparison
    {
        SAME,
        BETTER,
        WORSE
    };

    struct Measurement
    {
        int64_t completionsPerMillisecond{0};
        int64_t completionsPer100Events{0};
    };

    [[nodiscard]] Comparison Compare(const Measurement& current) const;
    void Decide(const Measurement& current);
    /// Goes one profile on, or turns round at the first and the last.
    void Step();

    bool m_measuring{false};
    Time m_since;
    uint32_t m_events{0};
    uint64_t m_completions{0};
    Measurement m_previous;
    std::size_t m_index{0};
    bool m_upwards{true};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_HARDWARE_ADAPTIVE_MODERATION_H
