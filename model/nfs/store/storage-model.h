/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_STORE_STORAGE_MODEL_H
#define NFSRDMA_NFS_STORE_STORAGE_MODEL_H

#include "nfs/store/disk-mechanics.h"
#include "nfs/store/raid-layout.h"
#include "settings/named.h"
#include "settings/setting.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::nfsrdma
{

/// What an NFS procedure asks of the storage.
enum class StorageWork
{
    METADATA,        ///< Attributes and names, from memory: MetadataCost.
    METADATA_CHANGE, ///< A change of them that must be stable: MetadataCost, SyncLatency.
    READ,            ///< MetadataCost, ReadLatency, transfer.
    WRITE,           ///< UNSTABLE: MetadataCost, WriteLatency, transfer.
    WRITE_SYNC,      ///< DATA_SYNC or FILE_SYNC: as WRITE, then SyncLatency.
    SYNC             ///< COMMIT: MetadataCost, SyncLatency.
};

/// How the latencies of reads and writes are distributed.
enum class StorageLatency
{
    CONSTANT,
    EXPONENTIAL
};

/// How fast a device is, and what a disk is made like: device.def has the fields.
struct StorageSettings
{
#define SETTING(type, name, ...) type name{};
#include "nfs/store/device.def"
#undef SETTING

    [[nodiscard]] static const std::vector<Setting<StorageSettings>>& GetRows();
};

/// A model of storage as scenarios name it.
struct StorageKind
{
    const char* name;
    const char* type;               ///< Of its class, without the namespace.
    std::vector<SettingRow> rows{}; ///< What can be set of it beside StorageSettings.
};

/**
 * \brief The time a server's storage takes.
 *
 * MetadataCost is a delay that any number of requests pass at once. After it the work that touches
 * the device (all but METADATA) waits in order of arrival for one of QueueDepth places and holds it
 * for its latency, its transfer and its SyncLatency. Transfers share one pipe of Bandwidth, in the
 * order in which their latencies end.
 *
 * With a TurnTime the device is a disk (see DiskMechanics): work with a position waits for seek and
 * rotation after its latency and before its transfer, and Bandwidth is that of its surface, which
 * makes TurnTime times Bandwidth the octets of a track. A disk has one arm: QueueDepth should be 1.
 * Work without a position leaves the head where it is.
 *
 * With a Raid, RaidDevices such devices make an array (RaidLayout): each has its places, its pipe
 * and its arm. A request is done when all its parts are; of a write with parity the reads come
 * first. A mirror is read where the fewest requests are (md's read_balance()). METADATA_CHANGE and
 * SYNC go to all devices. Requests to the same stripe do not wait for each other, and computing
 * parity takes no time.
 *
 * A class that comes from this one may say how long a device takes to answer (DrawLatency()): one
 * with tiers, with pauses to collect garbage, with a budget of requests. Places, transfers, stalls,
 * arrays and traces are as here. A plugin adds such a class by its name (AddKind()).
 */
class StorageModel : public Object
{
  public:
    static TypeId GetTypeId();
    StorageModel();

    /// \return the models that scenarios may name; the first is this class, "device".
    [[nodiscard]] static const NameTable<StorageKind>& GetKinds();

    /// Adds the class ns3::nfsrdma::\p type, whose attributes beside those of this class
    /// are \p rows. Texts are literals. Throws std::invalid_argument when the name is taken.
    template <typename S = int>
    static void AddKind(const char* name,
                        const char* type,
                        const std::vector<Setting<S>>& rows = {})
    {
        AddKind({name, type, {rows.begin(), rows.end()}});
    }

    /// Takes one stream number. \return 1. A class with further random variables takes those that
    /// follow.
    virtual int64_t AssignStreams(int64_t stream);
    /// Starts \p work on \p octets of data; \p done is called once, when its time has passed, or at
    /// once from within when that takes no time.
    /// \param position of the first octet on the device, if it matters
    void Submit(StorageWork work,
                uint64_t octets,
                std::function<void()> done,
                std::optional<uint64_t> position = std::nullopt);

    /// The device answers nothing from now on, or again: what it is through with meanwhile is done
    /// then, in order. Calls nest.
    void Stall();
    void Resume();

    [[nodiscard]] bool IsStalled() const
    {
        return m_stalls != 0;
    }

    /// \return whether positions matter: it is a disk, or an array.
    [[nodiscard]] bool HasPositions() const
    {
        return !m_settings.turnTime.IsZero() || m_settings.raid != RaidLevel::NONE;
    }

    /// \return devices that there are.
    [[nodiscard]] uint32_t CountDevices() const
    {
        return m_settings.raid == RaidLevel::NONE ? 1 : m_settings.raidDevices;
    }

    /// \return requests that all devices serve at once.
    [[nodiscard]] uint64_t CountPlaces() const
    {
        return uint64_t{m_settings.queueDepth} * CountDevices();
    }

    /// \return requests submitted and not done.
    [[nodiscard]] uint32_t GetPending() const
    {
        return m_pending;
    }

    /// \return requests, or parts of them, that hold a place of a device.
    [[nodiscard]] uint32_t GetInService() const
    {
        return m_inService;
    }

    /// \return requests, or parts of them, that wait for a place.
    [[nodiscard]] uint32_t GetQueued() const
    {
        return m_queued;
    }

    /// \return time summed over the places held by requests done.
    [[nodiscard]] Time GetServiceTime() const
    {
        return m_serviceTime;
    }

    /// \return octets transferred by all devices.
    [[nodiscard]] uint64_t GetTransferred() const
    {
        return m_transferred;
    }

    /// Trace source "Served": work, octets, time since Submit.
    typedef void (*ServedTracedCallback)(StorageWork work, uint64_t octets, Time taken);
    /// Trace source "DeviceTaken": a request has got a place, for which it has waited.
    typedef void (*DeviceTakenTracedCallback)(StorageWork work, Time waited);
    /// Trace source "Stalled": the device answers nothing from now on, or again.
    typedef void (*StalledTracedCallback)(bool stalled);
    /// Trace source "DeviceServed": how long a request has held its place.
    typedef void (*DeviceServedTracedCallback)(StorageWork work, Time held);

  protected:
    void DoDispose() override;

    [[nodiscard]] const StorageSettings& GetSettings() const
    {
        return m_settings;
    }

    /// \return the time from when a device takes up \p work until its first octet; called once for
    /// each request, or each part of one in an array, in the order in which devices take them up.
    /// Here: ReadLatency or WriteLatency, as LatencyDistribution says.
    /// \param octets of data \param position of the first one on the device, if it matters
    [[nodiscard]] virtual Time DrawLatency(StorageWork work,
                                           uint64_t octets,
                                           std::optional<uint64_t> position);

  private:
    struct Request
    {
        StorageWork work;
        uint64_t octets;
        std::optional<uint64_t> position;
        Time submitted;
        Time queued;
        Time started;
        std::function<void()> done;
        uint32_t device{0};
        std::shared_ptr<Request> whole;  ///< That it is a part of, in an array.
        uint32_t parts{0};               ///< Of it, those that are not done.
        std::vector<RaidOperation> next; ///< That follow when they are.
    };

    using RequestPtr = std::shared_ptr<Request>;

    struct Device
    {
        std::deque<RequestPtr> queue;
        uint32_t inService{0};
        std::optional<DiskMechanics> disk; ///< Made when first needed.
        Time pipeFree;
    };

    static void AddKind(StorageKind kind);

    void MakeDevices();
    /// \p request is through with what memory takes.
    void Begin(const RequestPtr& request);
    /// Gives the parts of \p request to devices.
    void Divide(const RequestPtr& request);
    void SubmitParts(const RequestPtr& whole,
                     StorageWork work,
                     const std::vector<RaidOperation>& operations);
    /// A part of \p whole is done.
    void FinishPart(const RequestPtr& whole);
    /// \return the device with the fewest requests.
    [[nodiscard]] uint32_t ChooseMirror();
    void Enqueue(const RequestPtr& request);
    void Start(const RequestPtr& request);
    /// Moves a disk's head there, then transfers.
    void Reach(const RequestPtr& request);
    void Transfer(const RequestPtr& request);
    void Complete(const RequestPtr& request);
    void Finish(const RequestPtr& request);

    StorageSettings m_settings;
    Ptr<ExponentialRandomVariable> m_latencies; ///< Of mean 1.
    std::vector<Device> m_devices;              ///< Made when first needed.
    std::optional<RaidLayout> m_layout;         ///< With them, of an array.
    uint32_t m_stalls{0};
    std::deque<RequestPtr> m_stalled; ///< Through, and not answered.
    TracedValue<uint32_t> m_inService{0};
    TracedValue<uint32_t> m_queued{0};
    uint32_t m_pending{0};
    Time m_serviceTime;
    uint64_t m_transferred{0};
    TracedCallback<bool> m_stalledTrace;
    TracedCallback<StorageWork, uint64_t, Time> m_servedTrace;
    TracedCallback<StorageWork, Time> m_takenTrace;
    TracedCallback<StorageWork, Time> m_deviceTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_STORE_STORAGE_MODEL_H
