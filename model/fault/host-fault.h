/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_HOST_FAULT_H
#define NFSRDMA_FAULT_HOST_FAULT_H

#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::nfsrdma
{

/// What can go wrong inside a host.
enum class HostFaultKind : uint8_t
{
    RNIC_RESET,           ///< The device forgets its queue pairs: every connection is gone at once.
    QP_ERROR,             ///< A queue pair goes to the error state, its work requests flushed.
    REGISTRATION_FAILURE, ///< Registrations of memory fail.
    CQ_OVERFLOW,          ///< A completion queue overruns.
    SLOW_RECEIVER,        ///< Completions of receives are taken late.
    CRASH,                ///< A server is gone without a word, and back after a while.
    THREAD_STALL,         ///< Threads of a server stand still.
    STORAGE_STALL,        ///< Storage of a server answers nothing.
    MEMORY_PRESSURE,      ///< Memory that is free for pinning and caching shrinks.
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
    /// How long it lasts; zero: it is a matter of a moment, or lasts until Lift().
    Time duration;
    /// How many of what the kind counts: registrations that fail, pages, threads; 0: all.
    uint64_t amount{0};
    /// The host at the other end of the connection, of those the fault is about; empty: all.
    std::string peer;
};

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
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_HOST_FAULT_H
