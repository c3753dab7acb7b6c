/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_FORM_COST_MODEL_H
#define NFSRDMA_HELPER_FORM_COST_MODEL_H

#include "helper/form-costs.h"
#include "host/cpu.h"
#include "rnic/hardware/profile.h"
#include "rpc/record.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <string>

namespace ns3::nfsrdma
{

/// One end of a connection, as far as its costs go.
struct FormCostEnd
{
    RnicSettings device;
    Ptr<HostCpu> cpu;
    Time mapCost; ///< Each piece of memory registered, and each page sent from where it is.
    uint32_t regionPages{1}; ///< Of a registration.
};

/// The way between both ends.
struct FormCostPath
{
    DataRate rate;        ///< Of its slowest link.
    uint32_t links{1};    ///< Each stores what it forwards.
    Time latency;         ///< One way: cables and switches, without octets.
    uint32_t payload{1};  ///< Octets of a message in a full frame.
    uint32_t overhead{0}; ///< Octets of a frame besides, the gap between frames included.
};

/// What is agreed on.
struct FormCostRules
{
    std::string registration{"frwr"}; ///< Of the client: a strategy of ChunkRegistrar.
    bool remoteInvalidation{false};   ///< The server's Send ends the client's registration.
    uint32_t bufferSize{0};           ///< Shorter calls are copied together, octets.
};

/**
 * \brief What each form of a message costs where nothing else goes on: the time from its
 * marshalling until the other side is told of it, and for a chunk also what registers its memory,
 * and takes it back.
 *
 * The stages are those of RnicClocks and of the host, with their configured costs: copies by octet,
 * mapping by piece and page, work requests by post, doorbell, fetch and engine, octets on bus and
 * wire, the round trip of an RDMA Read, completions with their interrupt. What goes on at the same
 * time counts once: a registration beside the start of the Send behind it, and the fetch of a Write
 * beside that of its Send. Waiting for others, locks, caches of contexts and the IOMMU are not in
 * it.
 *
 *     inline call    copies or mappings + Send
 *     Read chunk     registration + Send + RDMA Read by the server + invalidation
 *     inline reply   mappings + Send + copy
 *     Write chunk    registration + RDMA Write + Send + invalidation; a Reply chunk alike
 */
class FormCostModel
{
  public:
    FormCostModel(const FormCostEnd& client,
                  const FormCostEnd& server,
                  const FormCostPath& path,
                  const FormCostRules& rules);

    [[nodiscard]] FormCosts Get(const RpcRecord& record) const;

  private:
    [[nodiscard]] Time GetCallInline(uint64_t call, uint64_t item) const;
    [[nodiscard]] Time GetCallChunk(uint64_t call, uint64_t item) const;
    [[nodiscard]] Time GetReplyInline(uint64_t reply, uint64_t item) const;
    [[nodiscard]] Time GetReplyChunk(uint64_t reply, uint64_t item, uint64_t room) const;

    /// \return frames that a message of \p octets fills, at least 1.
    [[nodiscard]] uint64_t CountFrames(uint64_t octets) const;
    /// \return on the wire: all frames of \p octets out, and the last one over each further link.
    [[nodiscard]] Time GetWire(uint64_t octets) const;
    /// \return from the engine of \p from to the memory of \p to.
    [[nodiscard]] Time GetTransit(const FormCostEnd& from,
                                  const FormCostEnd& to,
                                  uint64_t octets) const;
    /// \return from the post to the completion at \p to.
    [[nodiscard]] Time GetSend(const FormCostEnd& from,
                               const FormCostEnd& to,
                               uint64_t octets,
                               uint32_t requests) const;
    /// \return for the server to have \p octets of the client's memory.
    [[nodiscard]] Time GetRead(uint64_t octets) const;
    [[nodiscard]] Time GetRegistration(uint64_t octets) const;
    [[nodiscard]] Time GetInvalidation(uint64_t octets) const;

    FormCostEnd m_client;
    FormCostEnd m_server;
    FormCostPath m_path;
    FormCostRules m_rules;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_FORM_COST_MODEL_H
