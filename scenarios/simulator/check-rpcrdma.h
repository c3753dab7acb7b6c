/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_CHECK_RPCRDMA_H
#define NFSRDMA_SCENARIOS_SIMULATOR_CHECK_RPCRDMA_H

#include "helper/capture/mpa-conversation.h"

#include <cstdint>
#include <ostream>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Decodes and encodes again every RPC-over-RDMA message of a capture, with the RPC header
 * that follows inline, and writes to \p out how many come out the same.
 *
 * A call whose transport header cannot be decoded is named with its answer. It is an error unless
 * that is RDMA_ERROR or silence: the responder takes for good what this model does not.
 *
 * \return errors, each written in a line of its own
 */
uint64_t ReportRpcRdma(const std::vector<MpaConversation>& conversations, std::ostream& out);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_CHECK_RPCRDMA_H
