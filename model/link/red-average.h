/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_RED_AVERAGE_H
#define NFSRDMA_LINK_RED_AVERAGE_H

#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief Random early detection (Floyd and Jacobson 1993, section 4): the average of a queue, and
 * which of the frames that come are to be marked.
 *
 *     average <- (1 - weight) average + weight queue     for each frame that comes
 *     p_b = probability (average - minimum) / (maximum - minimum)
 *     p_a = p_b / (1 - count p_b)                        count: frames since the latest mark
 *
 * Below the minimum nothing is marked, from the maximum on everything.
 */
class RedAverage
{
  public:
    /// What is configured. Octets.
    struct Settings
    {
        double minimum{0};
        double maximum{0};
        double probability{0}; ///< p_b at the maximum.
        double weight{0};
    };

    /// While the queue is empty and the port idle, the average falls as if \p frames small frames
    /// had found an empty queue.
    void Idle(const Settings& settings, double frames);
    /// A frame comes.
    /// \param queue octets that wait; \param draw evenly distributed in [0, 1)
    /// \return whether the frame is to be marked
    bool Take(const Settings& settings, uint32_t queue, double draw);

    [[nodiscard]] double GetAverage() const
    {
        return m_average;
    }

  private:
    double m_average{0};
    int64_t m_count{-1};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_RED_AVERAGE_H
