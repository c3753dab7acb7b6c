/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_COMPOUND_PROCESSOR_H
#define NFSRDMA_NFS_V4_SERVER_COMPOUND_PROCESSOR_H

#include "host/memory.h"
#include "nfs/store/storage-task.h"
#include "nfs/v4/protocol/compound.h"
#include "nfs/v4/server/service-state.h"
#include "rpc/server.h"

#include <memory>
#include <optional>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Carries out the operations of one COMPOUND against a server's state and files, in order,
 * and encodes the results, as nfsd4_proc_compound() of Linux 6.1 does.
 *
 * Everything takes effect at once; what it costs on the storage is in the outcome. Each READ and
 * READLINK result that has an item, and each that failed, leaves one item in the payload, of length
 * 0 when there are no data, so that the n-th of them stays with the n-th Write chunk (RFC 8267
 * section 6.4.1). With Nfs4ServerSettings::emptyWriteChunks that of a failed one is an absent item
 * (rpc/absent-item.h).
 *
 * One object serves one call.
 */
class Nfs4CompoundProcessor
{
  public:
    struct Outcome
    {
        RpcPayload results;
        Nfs4Status status{Nfs4Status::OK};
        std::vector<Nfs4Op> operations; ///< Carried out, the failed one included.
        std::vector<StorageTask> work;  ///< In order.
        /// Gives the slot back when the reply goes; null when the call holds none.
        std::function<void()> release;
    };

    /// \param state outlives this
    /// \param call the call, whose octets hold what the arguments refer to
    /// \param memory for the data of READ and READLINK
    Nfs4CompoundProcessor(Nfs4ServerState& state,
                          const RpcServerCall& call,
                          Ptr<HostMemory> memory,
                          Time now);

    /// \return what came of it; nothing yet when IsWaiting().
    [[nodiscard]] Outcome Process(const Compound4Args& args);
    /// \return whether an operation waits for delegations to come back, as SETATTR, REMOVE and
    /// RENAME of nfsd do (nfsd_wait_for_delegreturn()), once each.
    [[nodiscard]] bool IsWaiting() const;
    /// \return the files whose delegations it waits for.
    [[nodiscard]] const std::vector<InodeNumber>& GetAwaited() const;
    /// Goes on with that operation, after the wait. \return as Process()
    [[nodiscard]] Outcome Resume(const Compound4Args& args, Time now);

  private:
    /// The greatest COMPOUND, as NFSD_MAX_OPS_PER_COMPOUND.
    static constexpr uint32_t MAX_OPERATIONS = 50;
    /// Room kept for the error of a following operation.
    static constexpr uint32_t ERROR_SLACK = 16;
    static constexpr uint32_t ONLY_STATUS = 8;

    // ---- the loop ----

    [[nodiscard]] Outcome Conclude();
    void ProcessAll(const Compound4Args& args);
    /// The operations from m_next on.
    void ProcessRest(const Compound4Args& args);
    [[nodiscard]] Nfs4Status CheckOrder(const Compound4Args& args) const;
    Nfs4Status Execute(const Nfs4ArgOp& operation, bool last);
    template <typename Args>
    Nfs4Status ExecuteAs(const Args& args, bool last);
    /// Keeps the results of the seqid operation that has ended, which were written from \p start
    /// on, with what it left behind, for CheckOwner() to find when it comes again.
    void KeepReply(Nfs4Status status, uint32_t start);
    /// Answers a seqid operation that came again as the first time, with the filehandle and the
    /// stateid that were the current ones after it, as nfsd4_open() with rp_openfh. STALE when the
    /// file is no more: the seqid stays.
    Nfs4Status AnswerAgain(Nfs4Op op, bool last);
    [[nodiscard]] Nfs4Status CheckBefore(Nfs4Op op, bool last) const;
    Nfs4Status Emit(const Nfs4ResOp& result, bool last);
    template <typename Result>
    Nfs4Status EmitAs(Nfs4Op op, const Result& result, bool last);
    void EmitItem(const std::vector<uint32_t>& reducedAt);
    /// \param next the operation after SEQUENCE, which says that nothing was kept
    void EmitReplay(const Nfs4CachedReply& reply, Nfs4Op next);
    [[nodiscard]] uint32_t GetSize() const;
    [[nodiscard]] uint32_t GetRoom() const;
    [[nodiscard]] Nfs4Status CheckRoom(uint32_t octets) const;
    void Finish(uint32_t count);

    // ---- what operations share ----

    [[nodiscard]] bool HasSession() const;
    [[nodiscard]] Nfs4ClientId GetCaller() const;
    [[nodiscard]] const Inode& GetCurrent() const;
    /// OK, or what a regular file must be for: ISDIR, SYMLINK, INVAL.
    [[nodiscard]] Nfs4Status CheckRegular(InodeNumber number) const;
    [[nodiscard]] Nfs4Status CheckDirectory(InodeNumber number) const;
    [[nodiscard]] Nfs4Status CheckNotPseudo() const;
    [[nodiscard]] Nfs4ChangeInfo Begin(InodeNumber dir) const;
    void End(InodeNumber dir, Nfs4ChangeInfo& info) const;
    [[nodiscard]] Nfs4AttributeReader MakeReader() const;
    void SetCurrent(InodeNumber number);
    /// Work on the current object.
    void Charge(StorageWork work, uint64_t offset = 0, uint64_t octets = 0);
    /// DELAY when others' delegations on \p number must come back first. \param wait the operation
    /// may wait for that
    [[nodiscard]] Nfs4Status BreakDelegations(InodeNumber number, bool wait = false);
    /// The name \p name of \p dir, if it is there, is about to be replaced or removed: DELAY as
    /// BreakDelegations(), with a wait.
    [[nodiscard]] Nfs4Status BreakNamed(InodeNumber dir, const std::string& name);

    // ---- stateids ----

    [[nodiscard]] Nfs4StateId Resolve(const Nfs4StateId& given) const;
    /// Finds the client of a stateid, and renews its lease. BAD_STATEID, STALE_STATEID, EXPIRED.
    [[nodiscard]] Nfs4Status TakeClient(const Nfs4StateId& id);
    /// STALE_CLIENTID, EXPIRED.
    [[nodiscard]] Nfs4Status TakeClient(Nfs4ClientId id);
    [[nodiscard]] Nfs4Result<Nfs4StatePtr> FindState(const Nfs4StateId& given,
                                                     bool revoked = false);
    /// The checks of READ, WRITE and all that names a stateid for I/O.
    [[nodiscard]] Nfs4Status CheckIo(InodeNumber number, const Nfs4StateId& given, bool write);
    /// Of CLOSE, LOCK, LOCKU, ...: a state of \p kind of the current file, and the order of its
    /// owner's seqid; when m_ordered.replay is set, the operation is to be answered again.
    [[nodiscard]] Nfs4Result<Nfs4StatePtr> FindOwned(const Nfs4StateId& given,
                                                     Nfs4State::Kind kind,
                                                     uint32_t seqid,
                                                     bool unconfirmed = false);
    /// BAD_SEQID, also for the last seqid with another operation than the one that had it.
    [[nodiscard]] Nfs4Status CheckOwner(const Nfs4OwnerPtr& owner, uint32_t seqid);

    // ---- operations: sessions and clients ----

    ExchangeIdRes4 Run(const ExchangeIdArgs4& args);
    CreateSessionRes4 Run(const CreateSessionArgs4& args);
    DestroySessionRes4 Run(const DestroySessionArgs4& args);
    DestroyClientidRes4 Run(const DestroyClientidArgs4& args);
    BindConnToSessionRes4 Run(const BindConnToSessionArgs4& args);
    BackchannelCtlRes4 Run(const BackchannelCtlArgs4& args);
    SequenceRes4 Run(const SequenceArgs4& args);
    ReclaimCompleteRes4 Run(const ReclaimCompleteArgs4& args);
    SetclientidRes4 Run(const SetclientidArgs4& args);
    SetclientidConfirmRes4 Run(const SetclientidConfirmArgs4& args);
    RenewRes4 Run(const RenewArgs4& args);
    [[nodiscard]] Nfs4ClientTable::Introduction Introduce(const ByteVector& name,
                                                          const Nfs4Verifier& verifier) const;

    // ---- operations: handles and names ----

    PutfhRes4 Run(const PutfhArgs4& args);
    PutrootfhRes4 Run(const PutrootfhArgs4& args);
    PutpubfhRes4 Run(const PutpubfhArgs4& args);
    GetfhRes4 Run(const GetfhArgs4& args);
    SavefhRes4 Run(const SavefhArgs4& args);
    RestorefhRes4 Run(const RestorefhArgs4& args);
    LookupRes4 Run(const LookupArgs4& args);
    LookuppRes4 Run(const LookuppArgs4& args);
    CreateRes4 Run(const CreateArgs4& args);
    RemoveRes4 Run(const RemoveArgs4& args);
    RenameRes4 Run(const RenameArgs4& args);
    LinkRes4 Run(const LinkArgs4& args);
    ReaddirRes4 Run(const ReaddirArgs4& args);
    SecinfoRes4 Run(const SecinfoArgs4& args);
    SecinfoNoNameRes4 Run(const SecinfoNoNameArgs4& args);
    [[nodiscard]] Nfs4Result<std::string> GetLinkData(const CreateArgs4& args) const;
    [[nodiscard]] Nfs4Result<InodeNumber> CreateObject(const CreateArgs4& args,
                                                       const Sattr3& attributes);

    // ---- operations: files ----

    AccessRes4 Run(const AccessArgs4& args);
    GetattrRes4 Run(const GetattrArgs4& args);
    SetattrRes4 Run(const SetattrArgs4& args);
    VerifyRes4 Run(const VerifyArgs4& args);
    NverifyRes4 Run(const NverifyArgs4& args);
    ReadRes4 Run(const ReadArgs4& args);
    ReadlinkRes4 Run(const ReadlinkArgs4& args);
    WriteRes4 Run(const WriteArgs4& args);
    CommitRes4 Run(const CommitArgs4& args);
    [[nodiscard]] Nfs4Status Compare(const Nfs4Attributes& attributes) const;
    [[nodiscard]] Nfs4Status ApplyAttributes(InodeNumber number,
                                             const Nfs4Attributes& attributes,
                                             const Sattr3& changes);
    /// Octets into memory that a Write chunk can take them from.
    void HoldItem(uint32_t length);
    [[nodiscard]] const RpcReceivedItem* FindReceived(const Nfs3Data& data) const;

    // ---- operations: opens ----

    OpenRes4 Run(const OpenArgs4& args);
    OpenConfirmRes4 Run(const OpenConfirmArgs4& args);
    OpenDowngradeRes4 Run(const OpenDowngradeArgs4& args);
    CloseRes4 Run(const CloseArgs4& args);
    DelegreturnRes4 Run(const DelegreturnArgs4& args);
    [[nodiscard]] Nfs4Status TakeOpenOwner(const OpenArgs4& args, Nfs4OwnerPtr& owner);
    [[nodiscard]] Nfs4Status CheckClaim(const OpenArgs4& args);
    void Open(const OpenArgs4& args, const Nfs4OwnerPtr& owner, OpenRes4& results);
    [[nodiscard]] Nfs4Result<InodeNumber> FindOpened(const OpenArgs4& args, OpenRes4& results);
    [[nodiscard]] Nfs4Result<InodeNumber> CreateOpened(const OpenArgs4& args, OpenRes4& results);
    [[nodiscard]] Nfs4Status CheckOpenAccess(InodeNumber number, uint32_t access) const;
    void GiveDelegation(const OpenArgs4& args,
                        const Nfs4Owner& owner,
                        InodeNumber number,
                        OpenRes4& results);

    // ---- operations: locks and stateids ----

    LockRes4 Run(const LockArgs4& args);
    LocktRes4 Run(const LocktArgs4& args);
    LockuRes4 Run(const LockuArgs4& args);
    ReleaseLockownerRes4 Run(const ReleaseLockownerArgs4& args);
    FreeStateidRes4 Run(const FreeStateidArgs4& args);
    TestStateidRes4 Run(const TestStateidArgs4& args);
    [[nodiscard]] Nfs4Result<Nfs4StatePtr> TakeLockState(const LockArgs4& args);
    [[nodiscard]] LockDenied4 Describe(const Nfs4ByteRangeLocks::Lock& lock) const;
    [[nodiscard]] Nfs4Status Test(const Nfs4StateId& id) const;

    // ---- operations: NFSv4.2 and layouts ----

    AllocateRes4 Run(const AllocateArgs4& args);
    DeallocateRes4 Run(const DeallocateArgs4& args);
    SeekRes4 Run(const SeekArgs4& args);
    ReadPlusRes4 Run(const ReadPlusArgs4& args);
    CopyRes4 Run(const CopyArgs4& args);
    CloneRes4 Run(const CloneArgs4& args);
    OffloadStatusRes4 Run(const OffloadStatusArgs4& args);
    OffloadCancelRes4 Run(const OffloadCancelArgs4& args);
    GetxattrRes4 Run(const GetxattrArgs4& args);
    SetxattrRes4 Run(const SetxattrArgs4& args);
    ListxattrsRes4 Run(const ListxattrsArgs4& args);
    RemovexattrRes4 Run(const RemovexattrArgs4& args);
    GetdeviceinfoRes4 Run(const GetdeviceinfoArgs4& args);
    LayoutgetRes4 Run(const LayoutgetArgs4& args);
    LayoutcommitRes4 Run(const LayoutcommitArgs4& args);
    LayoutreturnRes4 Run(const LayoutreturnArgs4& args);
    [[nodiscard]] ReadPlusContent4 ReadSegment(uint64_t begin, uint64_t end) const;
    /// A COPY that is answered before it is done.
    void StartCopy(const CopyArgs4& args, uint64_t count, CopyRes4& results);
    [[nodiscard]] Nfs4Status CheckCopy(const Nfs4StateId& source, const Nfs4StateId& destination);
    [[nodiscard]] Nfs4Status CheckLayout(LayoutType4 type) const;

    /// All other operations, which nfsd does not know.
    template <typename Args>
    typename Args::Result Run(const Args& /* args */)
    {
        typename Args::Result results;
        results.status = Nfs4Status::NOTSUPP;
        return results;
    }

    /// A seqid operation that NFSv4.0 keeps the reply of.
    struct Ordered
    {
        Nfs4OwnerPtr owner;
        bool replay{false}; ///< The reply is the owner's last one.
    };

    Nfs4ServerState& m_state;
    const RpcServerCall& m_call;
    Ptr<HostMemory> m_memory;
    Time m_now;
    Nfs4Principal m_principal;

    uint32_t m_minorVersion{0};
    uint32_t m_operations{0}; ///< Of the call.
    std::optional<InodeNumber> m_current;
    std::optional<InodeNumber> m_saved;
    Nfs4StateId m_currentStateid;
    bool m_hasCurrentStateid{false};
    Nfs4StateId m_savedStateid;
    bool m_hasSavedStateid{false};
    Nfs4Client* m_client{nullptr};
    std::shared_ptr<Nfs4Session> m_session;
    uint32_t m_slot{0};
    bool m_cacheThis{false};
    const Nfs4CachedReply* m_replay{nullptr};
    Ordered m_ordered;
    Nfs4Op m_op{Nfs4Op::ILLEGAL}; ///< Under way.

    XdrWriter m_writer;
    ByteVector m_cut; ///< What was written, when the last result had to be cut off.
    std::vector<RpcDataItem> m_items;
    uint32_t m_itemOctets{0};
    std::shared_ptr<HostBuffer> m_item;         ///< Of the operation under way.
    const RpcReceivedItem* m_received{nullptr}; ///< The last one that an operation had.
    std::size_t m_nextReceived{0};
    uint32_t m_room{0};                 ///< Octets of results at most.
    uint32_t m_countAt{0};              ///< Where the number of results is.
    uint32_t m_tailAt{0};               ///< Where the results after SEQUENCE begin.
    std::size_t m_next{0};              ///< Operation to carry out.
    bool m_hasWaited{false};            ///< That operation.
    std::vector<InodeNumber> m_awaited; ///< Empty: it does not wait.
    Outcome m_outcome;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_COMPOUND_PROCESSOR_H
