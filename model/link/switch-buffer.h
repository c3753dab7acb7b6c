/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_SWITCH_BUFFER_H
#define NFSRDMA_LINK_SWITCH_BUFFER_H

#include "link/ethernet-net-device.h"
#include "link/pause-sender.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief The packet buffer that the ports of a switch share: what has come in whole, until it
 * begins to leave.
 *
 *     size = shared part + head room of each port with flow control
 *
 * Of the shared part each port may have its share: Alpha times what of it is free, so that few busy
 * ports have much and many have less each (dynamic thresholds, Choudhury and Hahne, 1998), or, with
 * Alpha 0, an equal part of it.
 *
 *   - Without flow control the share is of the queue before a port that frames leave by; what finds
 *     more there is dropped.
 *   - With it the share, or Xoff, is of what came in by a port, whichever it leaves by. What comes
 *     beyond it goes to the head room of that port, which sends PAUSE and goes on doing so until
 *     the head room is empty and Xon is reached. What finds no head room is dropped; there is
 *     enough of it (PauseSender::ComputeHeadRoom()) unless the other end does not obey.
 */
class SwitchBuffer
{
  public:
    /// Octets, and Alpha.
    struct Settings
    {
        uint64_t size{0}; ///< 0: none is shared.
        double alpha{1};
        uint64_t xoff{0}; ///< 0: the share.
        uint64_t xon{0};  ///< 0: half of the share or of Xoff.
    };

    explicit SwitchBuffer(const Settings& settings);

    void AddPort(const Ptr<EthernetNetDevice>& device);

    /// \return whether a frame that has come by port \p from has room until it leaves by \p to.
    [[nodiscard]] bool Admit(std::size_t from, std::size_t to, uint32_t octets);
    /// A frame that was admitted leaves.
    void Release(std::size_t from, std::size_t to, uint32_t octets);

    /// \return octets that are in it.
    [[nodiscard]] uint64_t GetHeld() const;

    /// \return the most octets that were in it.
    [[nodiscard]] uint64_t GetPeak() const
    {
        return m_peak;
    }

  private:
    struct Port
    {
        Ptr<EthernetNetDevice> device;
        uint64_t arrived{0};    ///< Of the shared part, of what came in here.
        uint64_t inHeadRoom{0}; ///< Of its head room.
        uint64_t waiting{0};    ///< Of what leaves here.
        uint64_t headRoom{0};
        std::unique_ptr<PauseSender> pause; ///< With flow control.
    };

    /// Divides the buffer, when cables are there.
    void Divide();
    [[nodiscard]] uint64_t GetShare() const;

    Settings m_settings;
    std::vector<Port> m_ports;
    uint64_t m_shared{0}; ///< The shared part; 0 before Divide().
    uint64_t m_used{0};   ///< Of it.
    uint64_t m_peak{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_SWITCH_BUFFER_H
