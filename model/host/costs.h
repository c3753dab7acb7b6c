/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HOST_COSTS_H
#define NFSRDMA_HOST_COSTS_H

#include "settings/setting.h"

#include "ns3/nstime.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::nfsrdma
{

/// In what context of Linux a core works.
enum class HostContext : uint8_t
{
    PROCESS,
    WORK_QUEUE,
    SOFT_INTERRUPT, ///< Goes before the two above.
    INTERRUPT       ///< Goes before all.
};

/// How many contexts there are.
constexpr std::size_t HOST_CONTEXTS = 4;

/// \return "process", "work_queue", "soft_interrupt", "interrupt".
[[nodiscard]] const char* ToString(HostContext context);

/// What the stages of a host's work cost, and what they run on: costs.def has the fields.
struct HostCosts
{
    /// Which socket memory belongs to.
    enum Memory
    {
        ADAPTER,
        OTHER,
        INTERLEAVED
    };

    /// Pools of server threads.
    enum PoolMode
    {
        GLOBAL,
        PERCPU,
        PERNODE
    };

    /// What handles the completions of a queue.
    enum Completions
    {
        THREAD,
        WORK_QUEUE,
        SOFT_INTERRUPT,
        HIGH_PRIORITY ///< A work queue whose workers go before other threads (WQ_HIGHPRI).
    };

#define SETTING(type, name, ...) type name{};
#include "host/costs.def"
#undef SETTING

    /// \return how long the lock of the queue of ready transports is held to put one in.
    [[nodiscard]] Time GetPutHold() const
    {
        return serverQueueLocked ? serverQueueHold : Time(0);
    }

    /// \return a row for each field.
    [[nodiscard]] static const std::vector<Setting<HostCosts>>& GetRows();
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HOST_COSTS_H
