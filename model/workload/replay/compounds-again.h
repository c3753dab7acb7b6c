/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_REPLAY_COMPOUNDS_AGAIN_H
#define NFSRDMA_WORKLOAD_REPLAY_COMPOUNDS_AGAIN_H

#include "host/memory.h"
#include "nfs/v4/client/session-slots.h"
#include "rpc/client.h"
#include "workload/check/content-model.h"
#include "workload/replay/compound-identifiers.h"
#include "workload/replay/recorded-compound.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Makes the recorded calls of an NFSv4 client again, those for its client ID and session
 * included, and compares what comes back with what is recorded.
 *
 * A call goes out with the handles, stateids, client IDs and sessions that this client's server
 * gave in the place of the recorded ones, and with the lowest slot of its session that is free; it
 * waits for one when there is none. The room for replies is what Linux's client has. Its back
 * channel is the recorded one, but no larger than its transport has room for.
 *
 * The octets of WRITE's data are those of the ContentModel, zeros without one; RPCs are followed by
 * it, and READ and READLINK compared.
 */
class CompoundReplay
{
  public:
    /// What is this client's own and not the recorded client's.
    struct Identity
    {
        /// 0: it is the recorded client. Otherwise its owner names end with this number, with which
        /// they are as long as before, so that a server takes it for another.
        uint32_t copy{0};
        std::string exportName;                  ///< Empty: as recorded.
        std::optional<NetAddr4> callbackAddress; ///< For SETCLIENTID; absent: as recorded.
        bool reduceReadlink{false};              ///< Write chunks may carry paths of READLINK.
    };

    /// How a call ended; valid for the time of the callback.
    struct Outcome
    {
        const RpcRecord& record;
        const Compound4Res* results; ///< Null: none came, or none that can be read.
        uint32_t compared{0};        ///< Operations.
        /// A line for each difference from the recording, as "OPEN NFS4ERR_NOENT for OPEN NFS4_OK".
        std::vector<std::string> mismatches;
    };

    using Done = std::function<void(const Outcome& outcome)>;

    /// \param rpc program and version are set here
    /// \param memory of the same host
    CompoundReplay(const Ptr<RpcClient>& rpc, const Ptr<HostMemory>& memory);
    ~CompoundReplay();
    CompoundReplay(const CompoundReplay&) = delete;
    CompoundReplay& operator=(const CompoundReplay&) = delete;

    /// Of the export, which is followed from now on.
    void SetContent(std::shared_ptr<ContentModel> content)
    {
        m_content = std::move(content);
    }

    void SetIdentity(Identity identity)
    {
        m_identity = std::move(identity);
    }

    [[nodiscard]] CompoundIdentifiers& GetIdentifiers()
    {
        return m_identifiers;
    }

    /// \return whether this client has each handle that the call names.
    [[nodiscard]] bool HasHandles(const RecordedCompound& recorded) const;
    /// Makes a call; \p done is called once, later.
    void Issue(std::shared_ptr<const RecordedCompound> recorded, Done done);

    /// \return the answer to a call of the server's: OK to each operation.
    [[nodiscard]] CbCompound4Res Answer(const CbCompound4Args& args) const;

  private:
    struct Call;
    using CallPtr = std::shared_ptr<Call>;

    void Pump();
    void Send(const CallPtr& call);
    void Adapt(Compound4Args& args, const RecordedCompound& recorded) const;
    void RenameOwner(ByteVector& owner) const;
    void AddPlaces(std::vector<RpcReplyItem>& items) const;
    [[nodiscard]] RpcArguments MakeArguments(Compound4Args args, const Call& call) const;
    [[nodiscard]] RpcDataItem MakeItem(uint32_t length, ByteSpan octets) const;
    void Take(Call& call, RpcRecord& record, const RpcReceivedMessage& message, XdrReader& reader);
    void FinishSlot(const Call& call, const Compound4Res* results);
    void NoteSession(const RecordedCompound& recorded, const Compound4Res& results);

    Ptr<RpcClient> m_rpc;
    Ptr<HostMemory> m_memory;
    std::shared_ptr<ContentModel> m_content;
    Identity m_identity;
    CompoundIdentifiers m_identifiers;
    std::map<Nfs4SessionId, Nfs4ClientSlotTable> m_slots; ///< By the recorded session.
    std::deque<CallPtr> m_waiting;
    /// Gone when this object is: replies that come later are not looked at.
    std::shared_ptr<CompoundReplay*> m_alive;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_REPLAY_COMPOUNDS_AGAIN_H
