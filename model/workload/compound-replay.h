/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_COMPOUND_REPLAY_H
#define NFSRDMA_WORKLOAD_COMPOUND_REPLAY_H

#include "nfs/v4/nfs4-reply-size.h"
#include "rnic/host-memory.h"
#include "rpc/rpc-client.h"
#include "workload/compound-identifiers.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// A recorded call of NFSv4.
struct RecordedCompound
{
    std::string name;                  ///< For reports.
    uint32_t procedure{1};             ///< NFSPROC4_NULL: call and reply are empty.
    Compound4Args call;                ///< Octets of WRITE's data do not matter.
    std::optional<Compound4Res> reply; ///< Absent: none was recorded.
    uint32_t aclOctets{0};             ///< Room that its application had for an ACL.
};

/**
 * \brief Makes the recorded calls of an NFSv4 client again, one after another, sessions and slots
 * included, and compares the status of each operation with the recorded one.
 *
 * The octets of WRITE's data are zeros. The room for replies is what Linux's client has.
 */
class CompoundReplay
{
  public:
    /// Called before each call with its index; the call is made when it calls \p go, now or later.
    using Hook = std::function<void(std::size_t index, std::function<void()> go)>;

    /// \param rpc program and version are set here
    /// \param memory of the same host
    CompoundReplay(const Ptr<RpcClient>& rpc, const Ptr<HostMemory>& memory);

    void Add(RecordedCompound&& recorded);
    void SetHook(Hook hook);
    /// Makes the first call; \p done is called after the last one.
    void Start(std::function<void()> done);

    [[nodiscard]] CompoundIdentifiers& GetIdentifiers();
    [[nodiscard]] std::size_t GetCompleted() const;
    /// \return operations compared.
    [[nodiscard]] uint64_t GetCompared() const;
    /// \return a line for each operation with another status than recorded, or RPC that failed.
    [[nodiscard]] const std::vector<std::string>& GetMismatches() const;

  private:
    void Next();
    void Make(std::size_t index);
    [[nodiscard]] RpcArguments MakeArguments(Compound4Args args) const;
    void AddPlaces(RpcReplyEstimate& estimate) const;
    void Take(const RecordedCompound& recorded,
              const RpcRecord& record,
              const RpcReceivedMessage& message,
              XdrReader& reader);
    void Compare(const RecordedCompound& recorded, const Compound4Res& own);

    Ptr<RpcClient> m_rpc;
    Ptr<HostMemory> m_memory;
    std::vector<RecordedCompound> m_recorded;
    std::size_t m_next{0};
    Hook m_hook;
    std::function<void()> m_done;
    CompoundIdentifiers m_identifiers;
    uint64_t m_compared{0};
    std::vector<std::string> m_mismatches;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_COMPOUND_REPLAY_H
