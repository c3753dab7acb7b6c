/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_STORE_DISK_MECHANICS_H
#define NFSRDMA_NFS_STORE_DISK_MECHANICS_H

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief Where the head of a disk is, and how long it takes to where it shall be.
 *
 * Seek: no time within a track, and over a distance of the fraction x of all tracks
 *
 *     single track + a sqrt(x) + b x
 *
 * (Ruemmler and Wilkes, An introduction to disk drive modeling, IEEE Computer 27(3), 1994: the root
 * where the arm accelerates and brakes, linear where it coasts). a and b follow from the published
 * times: x = 1 takes the full stroke, and the mean over all pairs of tracks is the average seek.
 *
 * Rotation: the platter turns with simulated time, all tracks in phase. A sector has passed under
 * the head when its angle has: so the wait is part of a turn, by the position and by when the seek
 * ends; nothing is drawn. All tracks hold the same number of octets.
 *
 * Work that goes on where the one before has ended needs neither: the drive's buffer has it.
 */
class DiskMechanics
{
  public:
    struct Parameters
    {
        uint64_t capacity{0}; ///< Octets.
        uint64_t track{0};    ///< Octets of a track (all heads: of a cylinder's one).
        Time turn;            ///< One revolution; 0: there is nothing to turn.
        Time singleTrack;     ///< Seek to the next track.
        Time average;         ///< Mean seek.
        Time fullStroke;      ///< Seek over all tracks.
    };

    explicit DiskMechanics(const Parameters& parameters);

    /// The head goes to \p position (octets, modulo the capacity) and stays behind \p octets.
    /// \return the time until the first octet is under it.
    Time Access(Time now, uint64_t position, uint64_t octets);

    /// \return the time of a seek over \p distance octets.
    [[nodiscard]] Time GetSeek(uint64_t distance) const;
    /// \return the time from \p when until \p position comes under the head.
    [[nodiscard]] Time GetRotation(Time when, uint64_t position) const;

  private:
    Parameters m_parameters;
    double m_root{0};   ///< a, ns.
    double m_linear{0}; ///< b, ns.
    uint64_t m_head{0}; ///< Position behind the octets accessed last.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_STORE_DISK_MECHANICS_H
