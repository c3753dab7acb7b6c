/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_RPCRDMA_POSTED_CHAINS_H
#define NFSRDMA_TEST_RPCRDMA_POSTED_CHAINS_H

#include "rpcrdma/server/send-queue.h"

#include <memory>
#include <vector>

namespace ns3::nfsrdma
{

/// A send queue without a queue pair: what is posted is kept, and completes when a case says so.
class PostedChains
{
  public:
    static constexpr uint32_t DEPTH = 64;

    /// The oldest chain that has not completed does.
    void CompleteOne()
    {
        WorkCompletion completion;
        completion.id = chains.at(m_completed).back().id;
        ++m_completed;
        queue.HandleCompletion(completion);
    }

    /// \return how many chains have not completed.
    [[nodiscard]] std::size_t GetOpen() const
    {
        return chains.size() - m_completed;
    }

    /// \return the opcodes of chain \p index.
    [[nodiscard]] std::vector<WorkRequestOpcode> GetOpcodes(std::size_t index) const
    {
        std::vector<WorkRequestOpcode> opcodes;
        for (const SendWorkRequest& request : chains.at(index))
        {
            opcodes.push_back(request.opcode);
        }
        return opcodes;
    }

    /// \return the RDMA Reads of chain \p index.
    [[nodiscard]] std::vector<SendWorkRequest> GetReads(std::size_t index) const
    {
        std::vector<SendWorkRequest> reads;
        for (const SendWorkRequest& request : chains.at(index))
        {
            if (request.opcode == WorkRequestOpcode::RDMA_READ)
            {
                reads.push_back(request);
            }
        }
        return reads;
    }

    std::vector<std::vector<SendWorkRequest>> chains;
    SvcRdmaSendQueue queue{
        [this](const std::vector<SendWorkRequest>& chain) -> tl::expected<void, VerbsError> {
            chains.push_back(chain);
            return {};
        },
        DEPTH,
        std::make_shared<SvcRdmaStatistics>()};

  private:
    std::size_t m_completed{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_RPCRDMA_POSTED_CHAINS_H
