/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CAPTURE_FRAME_MISS_H
#define NFSRDMA_HELPER_CAPTURE_FRAME_MISS_H

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// Why no TCP segment was read out of a frame.
struct FrameMiss
{
    enum class Kind
    {
        NOT_IP,    ///< Neither IPv4 nor IPv6 is in it.
        NOT_TCP,   ///< Another protocol over IP.
        LINK_TYPE, ///< Frames of the link type are not read.
        FRAGMENT,  ///< A fragment of an IP packet.
        CUT,       ///< The snap length of the capture cut a header off.
        MALFORMED  ///< A header contradicts itself or the frame.
    };

    static constexpr std::size_t KINDS = 6;

    Kind kind{Kind::NOT_IP};
    uint32_t type{0}; ///< NOT_IP: the EtherType, 0 when there is none. LINK_TYPE: which.
};

/// How many frames of a capture were not read, and why.
class FrameMisses
{
  public:
    void Add(const FrameMiss& miss);

    [[nodiscard]] uint64_t GetCount(FrameMiss::Kind kind) const;

    /// \return a line for each reason for which a TCP segment may be missing.
    [[nodiscard]] std::vector<std::string> DescribeLost() const;
    /// \return a line for each of the other reasons: frames without TCP.
    [[nodiscard]] std::vector<std::string> DescribeOthers() const;

  private:
    std::array<uint64_t, FrameMiss::KINDS> m_counts{};
    std::map<uint32_t, uint64_t> m_etherTypes;
    std::map<uint32_t, uint64_t> m_linkTypes;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CAPTURE_FRAME_MISS_H
