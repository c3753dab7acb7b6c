/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_QUEUE_SRQ_H
#define NFSRDMA_RNIC_QUEUE_SRQ_H

#include "host/cpu.h"
#include "rnic/queue/async-event-reporter.h"
#include "rnic/queue/element-memory.h"
#include "rnic/queue/receive-entry.h"
#include "wire/ring.h"

#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <optional>
#include <tl/expected.hpp>

namespace ns3::nfsrdma
{

class RnicDevice;

/**
 * \brief A shared receive queue: buffers for the messages of any queue pair that was made with it.
 *
 * A queue pair takes the oldest buffer when the first segment of a message arrives, in its turn or
 * ahead of it; it completes in the receive completion queue of that queue pair. A message that
 * finds the queue empty kills its queue pair only (DDP error 1/2/02). What a failing queue pair has
 * taken is flushed under its number; what is still here stays for the others. The elements are
 * checked against the protection domain of this queue.
 *
 * The limit: once armed, async event SRQ_LIMIT_REACHED is raised as soon as fewer buffers than the
 * limit are here, also when that is so already; then the limit is disarmed.
 */
class SharedReceiveQueue : public Object
{
  public:
    static TypeId GetTypeId();
    SharedReceiveQueue();
    ~SharedReceiveQueue() override;

    /// INVALID_ARGUMENT (more elements than allowed, too long, queue destroyed), NO_MEMORY (full).
    tl::expected<void, VerbsError> PostReceive(const ReceiveWorkRequest& request);
    /// Arms the limit event; 0 disarms it. INVALID_ARGUMENT above the depth, or once destroyed.
    tl::expected<void, VerbsError> Arm(uint32_t limit);

    /// Names the thread that posts; by default one of its own.
    void SetThread(Ptr<HostThread> thread);

    /// \return buffers that no queue pair has taken.
    [[nodiscard]] uint32_t GetPosted() const
    {
        return m_entries.size();
    }

    [[nodiscard]] uint32_t GetDepth() const
    {
        return m_depth;
    }

    /// \return the limit armed; 0 when disarmed.
    [[nodiscard]] uint32_t GetLimit() const
    {
        return m_limit;
    }

    [[nodiscard]] uint32_t GetNumber() const
    {
        return m_number;
    }

    /// Signature of the PostReceive trace source.
    using PostReceiveTracedCallback = void (*)(const ReceiveWorkRequest& request);

    // For the device and its queue pairs only.

    void Bind(RnicDevice& device,
              Ptr<ProtectionDomain> domain,
              uint32_t depth,
              uint32_t maxElements,
              uint32_t number);
    /// \return the oldest buffer, removed; nothing when empty.
    [[nodiscard]] std::optional<ReceiveQueueEntry> Take();

    /// \return memory as its buffers see it.
    [[nodiscard]] const ElementMemory& GetMemory() const
    {
        return *m_memory;
    }

    void AddUser()
    {
        m_users++;
    }

    void RemoveUser()
    {
        m_users--;
    }

    [[nodiscard]] bool IsUsed() const
    {
        return m_users != 0;
    }

    /// Drops what is posted: the queue is being destroyed.
    void Shutdown();

  protected:
    void DoDispose() override;

  private:
    void CheckLimit();

    RnicDevice* m_device{nullptr};
    Ptr<ProtectionDomain> m_domain;
    std::optional<ElementMemory> m_memory;
    Ring<ReceiveQueueEntry> m_entries;
    Ptr<HostThread> m_thread;
    uint32_t m_depth{0};
    uint32_t m_maxElements{0};
    uint32_t m_number{0};
    uint32_t m_limit{0};
    uint32_t m_users{0};
    TracedCallback<const ReceiveWorkRequest&> m_postReceiveTrace;
    TracedCallback<AsyncEventType, uint32_t> m_asyncEventTrace;
    AsyncEventReporter m_asyncEvents;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_QUEUE_SRQ_H
