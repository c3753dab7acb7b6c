/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_GENERATE_LOCK_COUNTERS_H
#define NFSRDMA_WORKLOAD_GENERATE_LOCK_COUNTERS_H

#include "settings/setting.h"
#include "workload/generate/requests.h"

#include "ns3/random-variable-stream.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Processes of many clients that keep counters in records of the same files, which locks
 * must make safe: each request locks a record of a file of the shared directory, both chosen at
 * random, and
 *
 *     exclusive   reads the record, holds it for HoldTime, reads it again, writes the count one
 *                 higher (WRITE UNSTABLE, COMMIT), unlocks
 *     shared      reads, holds, reads again, unlocks
 *
 * Locks that do not exclude show twice: a record that changes while it is locked (a violation), and
 * at the end a count that is less than the increments of all clients (GetIncrements()).
 *
 * SETUP opens the files, named "lock.0" on, in the ClientMount's shared directory: the root of a
 * shared tree, or of an export that all clients of the server have besides their own. Each place of
 * the stream is a process. Results: "lock", from the request to the lock; "exclusive" and "shared",
 * from the arrival to the end of the unlock, an error unless each step succeeded and nothing was
 * violated.
 *
 * Attributes: Files, Records (count), RecordSize (octets), SharedFraction, HoldTime (Time), Call.
 */
class LockWorkload : public RequestWorkload
{
  public:
    /// How processes lock.
    enum LockCall
    {
        FCNTL, ///< The record.
        FLOCK  ///< The whole file.
    };

    /// What can be set: lock-counters.def has the fields.
    struct Settings
    {
#define SETTING(type, name, ...) type name{};
#include "workload/generate/lock-counters.def"
#undef SETTING

        [[nodiscard]] static const std::vector<Setting<Settings>>& GetRows();
    };

    static TypeId GetTypeId();
    LockWorkload();

    [[nodiscard]] tl::expected<void, std::string> Validate() const override;
    int64_t AssignStreams(int64_t stream) override;

    [[nodiscard]] uint64_t GetFailed() const override
    {
        return RequestWorkload::GetFailed() + m_failures;
    }

    [[nodiscard]] std::vector<std::string> DescribeWaiting() const override;

    /// \return when the section that was entered last has been held for its time.
    [[nodiscard]] Time GetHeldUntil() const
    {
        return m_heldUntil;
    }

    /// What the processes have added to a record.
    struct Increments
    {
        uint64_t done{0};
        uint64_t uncertain{0}; ///< The WRITE had no answer, or COMMIT had none.
    };

    /// A record: name of its file in the shared directory, offset.
    using Place = std::pair<std::string, uint64_t>;

    [[nodiscard]] const std::map<Place, Increments>& GetIncrements() const
    {
        return m_increments;
    }

    /// \return records that changed under a lock.
    [[nodiscard]] uint64_t GetViolations() const
    {
        return m_violations;
    }

    [[nodiscard]] uint32_t GetRecordSize() const
    {
        return m_settings.recordSize;
    }

  protected:
    void DoSetUp() override;
    void DoDispose() override;

  private:
    /// A request of a process, from its arrival to its end.
    struct Section
    {
        uint32_t file{0};
        FileLock lock;
        Place place;
        Time arrived;
        HostBuffer buffer;
        uint64_t count{0};
        uint64_t verifier{0}; ///< Of the WRITE.
        bool ok{true};        ///< Each step has succeeded.
        bool violated{false}; ///< The record changed.
        uint64_t crashes{0};  ///< Of the host when the lock was there.
    };

    using SectionPtr = std::shared_ptr<Section>;
    using ReadNext = void (LockWorkload::*)(const SectionPtr& section);

    void OpenNext();
    /// \return whether the host has crashed since the lock was there, and the lock with it: then
    /// the section has ended.
    bool EndWithHost(const SectionPtr& section);
    void Run();
    void Begin(Time arrived);
    void Locked(const SectionPtr& section, const FileLockReply& reply);
    /// Reads the record into count, then goes on with \p next, or with Unlock() after a failure.
    void ReadRecord(const SectionPtr& section, ReadNext next);
    void HoldOn(const SectionPtr& section);
    void CheckAgain(const SectionPtr& section);
    void WriteRecord(const SectionPtr& section);
    void CommitRecord(const SectionPtr& section);
    void Unlock(const SectionPtr& section);
    void End(const SectionPtr& section);
    void CloseNext();

    Settings m_settings;
    Time m_heldUntil;

    Ptr<UniformRandomVariable> m_choice;
    std::vector<std::shared_ptr<OpenFile>> m_files;
    std::vector<uint32_t> m_idle;             ///< Processes without a request.
    std::map<uint32_t, SectionPtr> m_waiting; ///< For their locks, by process.
    std::map<Place, Increments> m_increments;
    uint64_t m_failures{0};
    uint64_t m_violations{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_GENERATE_LOCK_COUNTERS_H
