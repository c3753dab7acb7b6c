/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_HOST_FAULT_ACTIONS_H
#define NFSRDMA_HELPER_HOST_FAULT_ACTIONS_H

#include "fault/host-action.h"
#include "link/ethernet-net-device.h"
#include "rnic/hardware/device.h"
#include "wire/ip-address.h"

#include "ns3/node.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief What can be done to any host: the faults of its RNIC and of its memory.
 *
 * rnic-remove: RnicFaults::Leave(), and when all queue pairs have been destroyed, or after a
 * second, and a millisecond for the driver, the device is gone as with rnic-reset.
 *
 * A fault happens in a simulator event of its own, of the time at which it is injected, so that
 * Inject() may be called from within any part of the host. Faults of one kind may overlap: what is
 * down comes back when the last of them is over.
 */
class HostFaultActions : public HostFaultTarget
{
  public:
    /// Hosts that this one may be connected with, by name.
    using Peers = std::map<std::string, IpAddress>;

    HostFaultActions(Ptr<Node> node, Ptr<RnicDevice> device, Peers peers);
    ~HostFaultActions() override;
    HostFaultActions(const HostFaultActions&) = delete;
    HostFaultActions& operator=(const HostFaultActions&) = delete;

    [[nodiscard]] std::string Refuse(const HostFault& fault) const override;
    void Inject(const HostFault& fault) override;
    [[nodiscard]] bool HasObject(const HostFault& fault) const override;

    /// \return faults that have happened.
    [[nodiscard]] uint64_t GetInjected() const;

  protected:
    /// \return why this kind of host has no such fault; empty: it has.
    [[nodiscard]] virtual std::string RefuseKind(HostFaultKind /* kind */) const
    {
        return "";
    }

    /// Has \p fault happen.
    virtual void Act(const HostFault& fault);
    /// No more than so many pages may be pinned and cached; nothing: no limit any more.
    virtual void SetPressure(std::optional<uint64_t> pages);
    /// Calls \p action in an event of the host, unless this object is gone by then.
    void After(Time delay, std::function<void()> action);
    /// The host's ports are dead, and the device is gone, or one reason less for it.
    void TakeOffNetwork();
    void BringBack();

  private:
    [[nodiscard]] RnicFaults::Peer FindPeer(const HostFault& fault) const;
    /// \return the ports of the host, in order.
    [[nodiscard]] std::vector<Ptr<EthernetNetDevice>> ListPorts() const;
    /// Ports are dead that a fault has taken down, and all while the device is gone.
    void SetPorts();
    void TakePortDown(const HostFault& fault);
    void BreakOneWay(const HostFault& fault);
    void ResetDevice(Time duration);
    void RemoveDevice(Time duration);
    /// The device goes when no queue pair is left, at \p latest, and comes back \p duration later.
    void AwaitRelease(Time latest, Time duration);
    void SlowReceives(const HostFault& fault);
    void Press(const HostFault& fault);

    Ptr<Node> m_node;
    Ptr<RnicDevice> m_device;
    Peers m_peers;
    uint64_t m_injected{0};
    uint32_t m_outages{0};
    std::multiset<std::size_t> m_portsDown;
    std::multiset<std::size_t> m_portsDeaf;
    std::multiset<std::size_t> m_portsMute;
    std::multiset<uint64_t> m_pressures; ///< Pages that each leaves.
    std::shared_ptr<bool> m_alive;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_HOST_FAULT_ACTIONS_H
