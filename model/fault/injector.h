/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_INJECTOR_H
#define NFSRDMA_FAULT_INJECTOR_H

#include "fault/action.h"
#include "fault/connection-follower.h"
#include "fault/held-segments.h"
#include "fault/host-action.h"
#include "fault/outcome.h"
#include "fault/plan.h"
#include "fault/port.h"
#include "link/connections-by-flow.h"
#include "wire/ip-address.h"

#include "ns3/event-id.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Carries out a fault plan: looks at every frame that leaves a host, and holds the links.
 *
 * It sits in the cables right at the hosts' ports, behind their captures (EthernetNetDevice::
 * SetCableCallbacks()), and knows the network only by what passes there. A frame meets the plan
 * once, where it leaves; a link that is down or narrow stops what arrives, too. Frames are decoded
 * only while a fault waits for an event.
 *
 * Faults that meet in a frame are carried out in this order: bits, segment sizes, copies, then
 * delay or reordering; loss comes first. What an event does to links and hosts happens right after
 * its frame has left.
 *
 *     AddHost() for each -- SetPlan() -- AssignStreams() -- Start() -- run -- Stop()
 *
 * It is to live as long as the simulation runs.
 */
class FaultInjector : public Object
{
  public:
    /// \param firing what happened
    typedef void (*FiredTracedCallback)(const FaultFiring& firing);

    static TypeId GetTypeId();
    FaultInjector();
    ~FaultInjector() override;

    /// Adds the next host, servers first.
    /// \param addresses of the host, one or more
    /// \param inside faults inside the host; null: it can have none. Outlives this object's Stop().
    void AddHost(const std::string& name,
                 std::vector<Ptr<EthernetNetDevice>> ports,
                 const std::vector<IpAddress>& addresses,
                 HostFaultTarget* inside);
    /// \param plan each passed CheckFault() for \p scene
    /// \param nfsPorts of servers, over RDMA and over TCP: connections to them are numbered
    void SetPlan(const std::vector<FaultSpec>& plan,
                 const FaultScene& scene,
                 std::set<uint16_t> nfsPorts);
    /// \return why the host of fault \p index of the plan cannot have it; empty: it can.
    [[nodiscard]] std::string Refuse(std::size_t index) const;
    /// \return streams used.
    int64_t AssignStreams(int64_t stream);

    /// From now on faults happen; times count from now.
    void Start();
    /// No more faults; links are as they were. What is under way late still arrives.
    void Stop();

    /// \return what became of each fault, in the order of the plan.
    [[nodiscard]] std::vector<FaultOutcome> GetOutcomes() const;
    /// \return frames that links down or narrow and partitions have stopped.
    [[nodiscard]] uint64_t GetStopped() const;

  protected:
    void DoDispose() override;

  private:
    struct Connection
    {
        std::unique_ptr<ConnectionFollower> follower;
        uint64_t number{0};
    };

    void Leave(std::size_t host, const Ptr<Packet>& frame, Time lastOctet);
    [[nodiscard]] bool IsParted(std::size_t host, const Ptr<Packet>& frame) const;
    void Inspect(std::size_t host, const Ptr<Packet>& frame, Time lastOctet);
    [[nodiscard]] uint64_t NumberConnection(const FramePath& path, const TcpSegment& segment);
    [[nodiscard]] FrameVerdict Judge(const FramePath& path,
                                     const FollowedFrame& followed,
                                     TcpSegment& segment);
    /// \return the host that \p fault hits by an event on \p path.
    [[nodiscard]] static std::size_t GetHitHost(const PlannedFault& fault, const FramePath& path);
    void OrderAnswer(const PlannedFault& fault, const FramePath& path, const FaultEvent& event);
    std::string Decide(PlannedFault& fault,
                       const FramePath& path,
                       const FaultEvent& event,
                       const FollowedFrame& followed,
                       TcpSegment& segment,
                       FrameVerdict& verdict);
    void CarryOut(std::size_t host,
                  const FrameVerdict& verdict,
                  const TcpSegment& segment,
                  const Ptr<Packet>& frame,
                  Time lastOctet);

    /// \return what \p fault does inside its host, with the connections that it names.
    [[nodiscard]] HostFault ResolveHostFault(const PlannedFault& fault) const;
    /// \return what the host of \p fault has not of what the fault is done to, in parentheses.
    [[nodiscard]] std::string DescribeLack(const PlannedFault& fault) const;
    void FireTimed(std::size_t index);
    /// Does what a link or host action of fault \p index does.
    void Act(std::size_t index);
    void Record(const PlannedFault& fault,
                const std::string& host,
                const std::string& event,
                const std::string& what);
    void UpdateWatch();

    std::vector<std::unique_ptr<FaultPort>> m_ports; ///< By number of the host.
    std::map<IpAddress, std::size_t> m_hostsByAddress;
    std::vector<PlannedFault> m_faults;
    std::set<uint16_t> m_nfsPorts;
    bool m_running{false};
    bool m_watching{false}; ///< A fault waits for an event.
    bool m_names{false};    ///< A fault waits for an RPC by name.
    std::vector<EventId> m_timed;
    std::multiset<std::size_t> m_partings; ///< Faults that part hosts now.
    ConnectionsByFlow<Connection> m_connections;
    /// Clients' ports of the connections opened to the port of NFS, by pair of hosts.
    std::map<std::tuple<std::size_t, std::size_t>, std::vector<std::pair<IpAddress, uint16_t>>>
        m_opened;
    HeldSegments m_held;
    DoomedOctets m_doomed;
    TracedCallback<const FaultFiring&> m_fired;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_INJECTOR_H
