/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_HOST_ACTION_H
#define NFSRDMA_FAULT_HOST_ACTION_H

#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief What can go wrong inside a host.
 *
 * | kind | duration | amount | delay | peer | connection |
 * |---|---|---|---|---|---|
 * | rnic-reset | until the device answers again; 0: at once | - | - | - | - |
 * | qp-error, cq-overflow | - | - | - | whose connections | which of them; 0: all |
 * | registration-failure, region-shortage | either this | or how many fail, or both | - | - | - |
 * | slow-receiver | needed | - | of each completion, needed | whose connections | which of them; 0:
 * all | | crash | until the server is back, needed | - | - | - | - | | restart | until it serves
 * again; 0: at once | - | - | - | - | | thread-stall | needed | threads; 0: all | - | - | - | |
 * storage-stall | needed | - | - | - | - | | memory-pressure | needed | pages that are left | - | -
 * | - |
 */
enum class HostFaultKind : uint8_t
{
    RNIC_RESET, ///< The device forgets its queue pairs and registrations, and is silent meanwhile.
    QP_ERROR,   ///< A local catastrophic error: Terminate, work requests flushed.
    REGISTRATION_FAILURE, ///< Fast registrations complete with an error, which fails queue pairs.
    CQ_OVERFLOW,          ///< A completion queue overruns, which fails its queue pairs.
    SLOW_RECEIVER,        ///< Completions of receives are taken late.
    CRASH,           ///< A server is gone without a word with all that was in memory only, and back
                     ///< after a while.
    THREAD_STALL,    ///< Threads of a server stand still.
    STORAGE_STALL,   ///< Storage of a server answers nothing.
    MEMORY_PRESSURE, ///< Memory that is free for pinning and caching shrinks.
    REGION_SHORTAGE, ///< The device has no memory regions left to allocate.
    RESTART,         ///< A server's nfsd is stopped in order and started again.
};

/// \return the name that fault plans use: "rnic-reset".
[[nodiscard]] std::string_view ToString(HostFaultKind kind);
/// \return the kind that \p name stands for; none for another word.
[[nodiscard]] std::optional<HostFaultKind> FindHostFaultKind(std::string_view name);
/// \return the names, in the order of the kinds.
[[nodiscard]] std::vector<std::string_view> GetHostFaultNames();

/// One fault inside a host.
struct HostFault
{
    HostFaultKind kind{HostFaultKind::RNIC_RESET};
    /// How long it lasts; see HostFaultKind.
    Time duration;
    /// How many of what the kind counts: registrations that fail, pages, threads.
    uint64_t amount{0};
    /// How late each of what the kind delays is.
    Time delay;
    /// The host at the other end of the connection, of those the fault is about; empty: all.
    std::string peer;
    /// Which connection with each peer, in the order in which clients opened them to the port of
    /// NFS, from 1; 0: all.
    uint64_t connection{0};
    /// The clients' ends, address and TCP port, of the connections that this number names; known
    /// when the fault strikes.
    std::vector<std::pair<uint32_t, uint16_t>> clientEnds{};
};

/// \return what is wrong with \p fault whatever the host ("needs a duration"), by the table of
/// HostFaultKind; empty: nothing.
[[nodiscard]] std::string FindFlaw(const HostFault& fault);
/// \return whether a fault of \p kind is about connections, and may say which.
[[nodiscard]] bool IsOfConnections(HostFaultKind kind);

/**
 * \brief A host as a fault plan sees it: what can be done to it.
 */
class HostFaultTarget
{
  public:
    virtual ~HostFaultTarget() = default;

    /// \return why the host cannot have \p fault ("a client has no storage"); empty: it can.
    [[nodiscard]] virtual std::string Refuse(const HostFault& fault) const = 0;
    /// Has \p fault happen now. It ends by itself after its duration, if it has one.
    virtual void Inject(const HostFault& fault) = 0;
    /// \return whether there is now what \p fault is done to: a connection that it names, for one.
    [[nodiscard]] virtual bool HasObject(const HostFault& fault) const = 0;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_HOST_ACTION_H
