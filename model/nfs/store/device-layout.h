/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_STORE_DEVICE_LAYOUT_H
#define NFSRDMA_NFS_STORE_DEVICE_LAYOUT_H

#include "nfs/store/directory.h"

#include <cstdint>
#include <limits>
#include <map>

namespace ns3::nfsrdma
{

/// BLK_DEF_MAX_SECTORS of Linux, in octets: what a device is asked for at once.
constexpr uint64_t MAX_DEVICE_OCTETS = 2560ULL * 512;
/// The number of octets that means: to the end of the file.
constexpr uint64_t ALL_OCTETS = std::numeric_limits<uint64_t>::max();

/**
 * \brief Where on the device the octets of files lie.
 *
 * A file gets its place when it is first asked for: one piece of its size then, behind the places
 * given before, so that sequential reads are sequential on the device. What it grows by later comes
 * in pieces of 1 MiB, in the order in which they are asked for. Places of removed files are not
 * used again; positions are without bound (the device takes them modulo its capacity).
 */
class DeviceLayout
{
  public:
    /// What pieces are multiples of, octets.
    static constexpr uint64_t PIECE = uint64_t{1} << 20;

    /// \param size of the file now, octets \return the position of octet \p offset
    uint64_t GetPosition(InodeNumber file, uint64_t offset, uint64_t size)
    {
        const uint64_t piece = offset / PIECE;
        const auto [found, isNew] = m_files.try_emplace(file);
        File& entry = found->second;
        if (isNew)
        {
            entry.start = m_next;
            entry.pieces = (size + PIECE - 1) / PIECE;
            m_next += entry.pieces * PIECE;
        }
        if (piece < entry.pieces)
        {
            return entry.start + offset;
        }
        const auto [later, isFirst] = entry.later.try_emplace(piece, m_next);
        if (isFirst)
        {
            m_next += PIECE;
        }
        return later->second + offset % PIECE;
    }

    void Forget(InodeNumber file)
    {
        m_files.erase(file);
    }

  private:
    struct File
    {
        uint64_t start{0};
        uint64_t pieces{0};                 ///< Of the place it got first.
        std::map<uint64_t, uint64_t> later; ///< Positions by piece.
    };

    std::map<InodeNumber, File> m_files;
    uint64_t m_next{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_STORE_DEVICE_LAYOUT_H
