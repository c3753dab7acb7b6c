/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_LATENCY_STACK_H
#define NFSRDMA_HELPER_LATENCY_STACK_H

#include "rpc/record.h"
#include "rpc/service-times.h"

#include "ns3/nstime.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace ns3::nfsrdma
{

/// Where an RPC spends its time, in the order in which it passes.
enum class LatencyStage
{
    APPLICATION,      ///< Waits in the application: all its places are taken (open loop).
    SESSION_SLOT,     ///< Waits for a slot of its session (NFSv4.1).
    EARLIER_ATTEMPTS, ///< RPCs made for the same call whose reply found no room.
    CLIENT_CALL,      ///< Client's processor: encoding, credential.
    SLOT,             ///< Waits for a slot of the transport.
    CONNECTION,       ///< Waits for a connection.
    CREDIT,           ///< Waits for its turn and a credit.
    REGISTRATION,     ///< From there to the post: memory, its registration, regions that are short.
    RETRANSMISSION,   ///< From the first post to the latest: the connection was lost meanwhile.
    CALL_NETWORK,     ///< From the post to the first octet at the server.
    CALL_RECEIVE,     ///< Until the server's transport has taken the message.
    CALL_CHUNKS,      ///< Until the server has pulled what lies in Read chunks.
    THREAD,           ///< Waits for a thread of the server.
    SERVER_CALL,      ///< Thread and program, before the storage.
    STORAGE,          ///< The storage.
    SERVER_REPLY,     ///< Program and thread, until the reply is posted.
    REPLY_NETWORK,    ///< From there until the client's transport has taken the reply: RDMA Writes
                      ///< of its chunks, network, completion, pulling of a reply by Read chunk.
    INVALIDATION,     ///< Until no memory of it can be accessed by the server.
    CLIENT_REPLY,     ///< Client's processor: copies, decoding, wake-up.
    SERVER_UNKNOWN,   ///< From the post to the reply, when the server has not told of it.
};

inline constexpr std::size_t LATENCY_STAGES =
    static_cast<std::size_t>(LatencyStage::SERVER_UNKNOWN) + 1;

/// \return its name in documents, as "session_slot".
[[nodiscard]] const char* ToString(LatencyStage stage);

/// The time of each stage.
using LatencySplit = std::array<Time, LATENCY_STAGES>;

/// \return where the time of an RPC went. All stages together are exactly the time from its arrival
/// to its completion: what lies between two marks belongs to one stage, and a mark that is not
/// there, or earlier than the one before, takes no time.
/// \param service null: the server has not told
[[nodiscard]] LatencySplit SplitLatency(const RpcRecord& record, const RpcServiceTimes* service);

/// Sums over RPCs.
struct LatencyStack
{
    uint64_t rpcs{0};
    Time whole; ///< Of all RPCs, from arrival to completion.
    LatencySplit stages{};
    std::array<uint64_t, LATENCY_STAGES> met{}; ///< RPCs for which the stage took any time.

    /// \param took from arrival to completion
    void Add(Time took, const LatencySplit& split);
    void Add(const LatencyStack& other);
};

/// LatencyStack by operation and form, of RPCs that succeeded.
class LatencyStacks
{
  public:
    /// Operation, form.
    using Key = std::pair<std::string, std::string>;

    /// Does nothing with an RPC that is an error (IsError).
    void Add(const RpcRecord& record, const RpcServiceTimes* service);

    [[nodiscard]] const std::map<Key, LatencyStack>& GetStacks() const;
    [[nodiscard]] LatencyStack GetTotal() const;

  private:
    std::map<Key, LatencyStack> m_stacks;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_LATENCY_STACK_H
