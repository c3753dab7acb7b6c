/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_STORE_RAID_LAYOUT_H
#define NFSRDMA_NFS_STORE_RAID_LAYOUT_H

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/// How several devices are one.
enum class RaidLevel
{
    NONE,  ///< There is one.
    RAID0, ///< Stripes.
    RAID1, ///< Mirrors.
    RAID5, ///< Stripes with one parity.
    RAID6  ///< Stripes with two.
};

/// What one device of an array is asked for.
struct RaidOperation
{
    uint32_t device{0};
    uint64_t position{0}; ///< On the device, octets.
    uint64_t octets{0};
};

/// What a write takes: old data and parity are read before any is written.
struct RaidWrite
{
    std::vector<RaidOperation> reads;
    std::vector<RaidOperation> writes;
};

/**
 * \brief Where the octets of an array lie on its devices, and what a write must read and write
 * there, as Linux's md (drivers/md).
 *
 * Stripes are of chunks, one on each device. Parity rotates as md's default has it
 * (left-symmetric): of stripe s it is on device N - 1 - s mod N, of RAID 6 the second on the next
 * one, and the data follow from there.
 *
 * Parity is kept page by page. Pages that are written in all data chunks of their stripe need no
 * reads. Of others md reads either what is to be overwritten and the parity (read-modify-write), or
 * the pages that are not overwritten (reconstruction): the former when that is fewer pages, of
 * those that a write has in common (handle_stripe_dirtying()).
 */
class RaidLayout
{
  public:
    /// What parity is computed of at once, octets.
    static constexpr uint64_t PAGE = 4096;

    /// \param chunk octets, a multiple of PAGE
    RaidLayout(RaidLevel level, uint32_t devices, uint64_t chunk);

    /// \return devices whose loss an array of \p level survives, and that add nothing to its size;
    /// of mirrors, all but one.
    [[nodiscard]] static uint32_t CountParity(RaidLevel level);

    /// \param mirror the device to read from, of mirrors
    [[nodiscard]] std::vector<RaidOperation> Read(uint64_t position,
                                                  uint64_t octets,
                                                  uint32_t mirror) const;
    [[nodiscard]] RaidWrite Write(uint64_t position, uint64_t octets) const;

  private:
    /// Octets of a chunk, from the first to the one behind the last.
    using Range = std::pair<uint64_t, uint64_t>;

    /// \return the device of data chunk \p index of \p stripe.
    [[nodiscard]] uint32_t GetDevice(uint64_t stripe, uint32_t index) const;
    /// \return the device of the parity \p number of \p stripe.
    [[nodiscard]] uint32_t GetParityDevice(uint64_t stripe, uint32_t number) const;
    /// Adds what is written of \p stripe, \p written of each data chunk.
    void WriteStripe(uint64_t stripe, const std::vector<Range>& written, RaidWrite& write) const;
    /// The same of pages all alike.
    void WriteRows(uint64_t stripe,
                   const Range& rows,
                   const std::vector<Range>& written,
                   RaidWrite& write) const;
    /// Adds an operation, or makes the latest of its device longer.
    static void Add(std::vector<RaidOperation>& operations, const RaidOperation& added);

    RaidLevel m_level;
    uint32_t m_devices;
    uint32_t m_data; ///< Chunks of a stripe that hold data.
    uint64_t m_chunk;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_STORE_RAID_LAYOUT_H
