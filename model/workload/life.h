/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_LIFE_H
#define NFSRDMA_WORKLOAD_LIFE_H

#include "nfs/store/files.h"
#include "settings/setting.h"
#include "workload/check/verifying-client.h"
#include "workload/check/verifying-file-client.h"
#include "workload/client-mount.h"
#include "workload/request-log.h"
#include "workload/result.h"

#include "ns3/application.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// Where a workload stands.
enum class WorkloadPhase
{
    IDLE,
    SETUP, ///< Makes the files it needs; statistics leave its RPCs out.
    READY, ///< Waits for Begin().
    RUN,
    FINISHED ///< Every operation has completed.
};

/// \return "idle", "setup", "ready", "run" or "finished".
const char* ToString(WorkloadPhase phase);

/// A kind of workload that a plugin has added: its name, its class without the namespace, and what
/// can be set of it.
struct AddedWorkload
{
    std::string kind;
    std::string type;
    std::vector<SettingRow> rows;
};

/**
 * \brief What one client node does with its export: an application on top of a FileClient, of
 * any NFS version, or of Nfs3Calls (replay).
 *
 *     IDLE --Start()--> [SETUP -->] READY --Begin()--> RUN --> FINISHED
 *
 * It starts at the application's start time, or at Start() when that comes first, and begins when
 * it is ready, unless somebody else says when (SetReadyCallback()). Every READ and
 * READLINK is compared with what the export should hold; Verify() compares the whole export after
 * the run. Several workloads of a client share its ClientMount, and then these two speak of what
 * all of them did.
 *
 * Kinds are known by name: Create("replay") makes an ns3::nfsrdma::ReplayWorkload, so that a
 * further kind needs its class only. One that a plugin adds says so (AddKind()), and scenarios have
 * keys for what can be set of it.
 */
class Workload : public Application
{
  public:
    using Counts = std::map<std::string, uint64_t>;

    static TypeId GetTypeId();

    /// \return the names Create() knows, in order.
    [[nodiscard]] static std::vector<std::string> GetKinds();

    /// Adds the kind that class \p Kind is, whose name is ns3::nfsrdma::NAMEWorkload and whose
    /// attributes are those of \p rows, to the kinds of scenarios. Throws std::invalid_argument
    /// when the name is taken, or of another form.
    template <typename Kind, typename S = int>
    static void AddKind(const std::vector<Setting<S>>& rows = {})
    {
        AddKind(Kind::GetTypeId(), {rows.begin(), rows.end()});
    }

    /// \return the kinds that were added.
    [[nodiscard]] static const std::vector<AddedWorkload>& GetAddedKinds();
    /// \return a new workload, or null when there is no such kind.
    [[nodiscard]] static Ptr<Workload> Create(const std::string& kind);

    /// Its name in results; its kind when none was given.
    void SetName(const std::string& name)
    {
        m_name = name;
    }

    [[nodiscard]] std::string GetName() const
    {
        return m_name.empty() ? GetKind() : m_name;
    }

    /// \return the name by which Create() makes its kind.
    [[nodiscard]] std::string GetKind() const;

    /// The mount it works with, shared with other workloads of its client; once, before Start().
    /// Stands for the three methods that follow.
    void SetMount(std::shared_ptr<ClientMount> mount);

    // Or a mount of its own:

    /// The client it works with and the memory, both of its own node, and the index of that node
    /// among the cluster's clients, which seeds the content; once, before Start().
    void SetNfsClient(const Ptr<Nfs3Calls>& client, const Ptr<HostMemory>& memory, uint32_t index);
    /// The NFSACL client beside it, for workloads with such operations; after SetNfsClient().
    void SetAclClient(const Ptr<NfsAcl3Calls>& client);
    /// The FileClient beside it, for workloads of any version; after SetNfsClient().
    void SetFileClient(const Ptr<FileClient>& client);
    /// The root of its export and what it holds at first (null: nothing); once, before Start() and
    /// after SetNfsClient().
    void SetExport(const NfsFh3& root, std::shared_ptr<const Tree> tree = nullptr);

    /// A handle that the client knows from before it starts, beside the root's, by the tree's name
    /// of the object. A recording may begin with objects whose handles were got before; other kinds
    /// have no use for it.
    virtual void SetKnownHandle(const std::string& /* object */, const NfsFh3& /* handle */)
    {
    }

    void Start();

    [[nodiscard]] WorkloadPhase GetPhase() const
    {
        return m_phase;
    }

    [[nodiscard]] bool IsFinished() const
    {
        return m_phase == WorkloadPhase::FINISHED;
    }

    /// Has \p ready called once it is READY; somebody calls Begin() then, or later. By itself it
    /// begins at once.
    void SetReadyCallback(std::function<void()> ready)
    {
        m_ready = std::move(ready);
    }

    /// Enters RUN; once, when it is READY.
    void Begin();

    /// \return when it has begun; 0 before.
    [[nodiscard]] Time GetRunBegin() const
    {
        return m_runBegin;
    }

    /// \return true when it can be told to start nothing more.
    [[nodiscard]] virtual bool CanDrain() const
    {
        return false;
    }

    /// Starts nothing more: it is FINISHED when what has arrived has ended. In RUN; of those that
    /// can.
    void Drain();

    /// It begins so long after the others with which it is ready.
    void SetBeginDelay(Time delay)
    {
        m_beginDelay = delay;
    }

    [[nodiscard]] Time GetBeginDelay() const
    {
        return m_beginDelay;
    }

    /// It runs beside others as long as they do, and its own work has no end.
    void SetBackground(bool background)
    {
        m_background = background;
    }

    [[nodiscard]] bool IsBackground() const
    {
        return m_background;
    }

    /// Its operations are system calls, which the client's caches of attributes and names answer
    /// where they can (CachedRequests); before it gets its mount. Otherwise each is one of the
    /// protocol.
    void SetSystemCalls(bool systemCalls)
    {
        m_systemCalls = systemCalls;
    }

    [[nodiscard]] bool HasSystemCalls() const
    {
        return m_systemCalls;
    }

    /// \return how long after Begin() nothing is measured yet.
    [[nodiscard]] virtual Time GetRampTime() const
    {
        return Time(0);
    }

    /// What GetResults() is about; without: from Begin() and the ramp time to the end of its work.
    void SetWindow(const MeasurementWindow& window)
    {
        m_window = window;
    }

    using FinishedCallback = Callback<void, Ptr<Workload>>;

    /// Called once, when the phase has become FINISHED.
    void SetFinishedCallback(FinishedCallback callback)
    {
        m_finished = callback;
    }

    /// \return operations given to the client, by name.
    [[nodiscard]] virtual Counts GetIssued() const;
    /// \return operations completed, by name.
    [[nodiscard]] virtual Counts GetCompleted() const;

    /// \return operations that could not be carried out, by name.
    [[nodiscard]] virtual Counts GetUnsupported() const
    {
        return {};
    }

    /// \return operations completed that had no successful RPC outcome.
    [[nodiscard]] virtual uint64_t GetFailed() const;

    /// \return operations that are to be done in all; 0 when that is not known beforehand.
    [[nodiscard]] virtual uint64_t GetPlanned() const
    {
        return 0;
    }

    /// \return operations done or passed over so far, of those planned.
    [[nodiscard]] virtual uint64_t GetProgress() const;
    /// \return a line for each operation outstanding, oldest first, and for what else it waits for.
    [[nodiscard]] virtual std::vector<std::string> DescribeWaiting() const;

    /// Assigns stream numbers from \p stream on to its random variables. \return how many.
    virtual int64_t AssignStreams(int64_t /* stream */)
    {
        return 0;
    }

    /// \return what it measured in the window, a row for each of its items. Of a replay: operations
    /// by name, with the octets of file data that they read or wrote; errors are RPCs that failed,
    /// a program status is what was recorded.
    [[nodiscard]] std::vector<WorkloadResult> GetResults() const;

    /// \return what READs and READLINKs gave, compared.
    [[nodiscard]] const ContentCheck& GetReadCheck() const
    {
        return m_mount->GetContent()->GetReadCheck();
    }

    /// Compares the whole export with what it should hold; after the run.
    [[nodiscard]] ContentCheck Verify(const FileStore& store, InodeNumber root) const;

    /// Trace source "OperationCompleted": the operation's name, its RPC.
    typedef void (*OperationCompletedTracedCallback)(const std::string& name,
                                                     const RpcRecord& record);
    /// Trace source "Phase": the phase left and the phase entered.
    typedef void (*PhaseTracedCallback)(WorkloadPhase from, WorkloadPhase to);
    /// Trace source "FileOperation": an operation of a FileClient has completed: its name, how it
    /// ended, when it was started.
    typedef void (*FileOperationTracedCallback)(const std::string& name,
                                                const FileReply& reply,
                                                Time started);
    /// Trace source "RequestEnded": a request of RUN has ended: its item in results, when it
    /// arrived and ended, the octets that it moved, whether it succeeded.
    typedef void (*RequestEndedTracedCallback)(const std::string& item,
                                               Time arrived,
                                               Time ended,
                                               uint64_t octets,
                                               bool ok);

  protected:
    void DoDispose() override;

    /// Begins the setup, or calls BecomeReady().
    virtual void DoStart() = 0;

    /// Starts nothing more.
    virtual void DoDrain()
    {
    }

    void SetPhase(WorkloadPhase phase);
    /// Calls \p setUp: at once, or, when other clients work in the same export, once one of them
    /// has made \p what workloads like this one need, or could not. IsMade() tells. It has made
    /// it, if it was to, when it is READY.
    void TakeTurn(const std::string& what, std::function<void()> setUp);

    /// \return true when another client has made what this workload needs.
    [[nodiscard]] bool IsMade() const
    {
        return m_made;
    }

    /// \return what the clients of its export have in common; null: no other client works in it.
    [[nodiscard]] SharedTree* GetSharedTree() const
    {
        return m_mount == nullptr ? nullptr : m_mount->GetSharedTree().get();
    }

    /// Setup is done; \p run is called when the work begins.
    void BecomeReady(std::function<void()> run);
    /// A request of an item has ended, for its caller at \p ended. \param octets that it moved, if
    /// \p ok
    void Record(const std::string& item, Time arrived, Time ended, uint64_t octets, bool ok);
    /// The same of one that ends now.
    void Record(const std::string& item, Time arrived, uint64_t octets, bool ok);
    /// An item has been measured by itself, from \p begin to now.
    void SetSpan(const std::string& item, Time begin);
    /// Every item has been measured up to now, whatever follows before FINISHED.
    void EndMeasurement();

    /// An operation has completed, with \p octets of file data: fires OperationCompleted, and
    /// measures it in the RUN phase. For those that the client of GetClient() has not made.
    void NoteCompleted(const std::string& name, const RpcRecord& record, uint64_t octets);
    [[nodiscard]] VerifyingClient& GetClient();
    [[nodiscard]] const VerifyingClient& GetClient() const;
    /// \return the client of any version; SetFileClient() or a mount with one must have been.
    [[nodiscard]] VerifyingFileClient& GetFiles();
    [[nodiscard]] ClientMount& GetMount();

    [[nodiscard]] const NfsFh3& GetRoot() const
    {
        return m_mount->GetRoot();
    }

    [[nodiscard]] uint32_t GetClientIndex() const
    {
        return m_mount == nullptr ? 0 : m_mount->GetIndex();
    }

    /// \return what the export holds at first; null: nothing.
    [[nodiscard]] const Tree* GetTree() const
    {
        return m_mount->GetTree();
    }

  private:
    static void AddKind(TypeId type, std::vector<SettingRow> rows);

    void StartApplication() override
    {
        Start();
    }

    /// Tells other clients of its export what it has made, and that it has ended.
    void TellOthers(WorkloadPhase entered);
    void MakeClient();
    void MakeFiles();

    WorkloadPhase m_phase{WorkloadPhase::IDLE};
    std::string m_name;
    std::shared_ptr<ClientMount> m_mount;
    std::unique_ptr<VerifyingClient> m_client;    ///< When the mount has Nfs3Calls.
    std::unique_ptr<VerifyingFileClient> m_files; ///< When the mount has a FileClient.
    std::string m_needs;                          ///< What it has asked to make.
    bool m_making{false};                         ///< It makes what others wait for.
    bool m_made{false};
    FinishedCallback m_finished;
    std::function<void()> m_ready;
    std::function<void()> m_run; ///< READY: begins the work.
    Time m_beginDelay;
    bool m_background{false};
    bool m_systemCalls{false};
    Time m_runBegin;
    Time m_measured{Time::Max()}; ///< When its work was over.
    std::optional<MeasurementWindow> m_window;
    RequestLog m_log;
    TracedCallback<const std::string&, const RpcRecord&> m_operationCompletedTrace;
    TracedCallback<WorkloadPhase, WorkloadPhase> m_phaseTrace;
    TracedCallback<const std::string&, const FileReply&, Time> m_fileOperationTrace;
    TracedCallback<const std::string&, Time, Time, uint64_t, bool> m_requestEndedTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_LIFE_H
