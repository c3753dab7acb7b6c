/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_CHECK_VERIFYING_FILE_CLIENT_BEGIN_H
#define NFSRDMA_WORKLOAD_CHECK_VERIFYING_FILE_CLIENT_BEGIN_H

// What the source files of VerifyingFileClient share.

#include "workload/check/verifying-file-client.h"

#include "ns3/simulator.h"

#include <memory>
#include <string>
#include <utility>

namespace ns3::nfsrdma
{

inline ChangeOutcome
GetOutcome(const FileReply& reply)
{
    switch (reply.outcome)
    {
    case RpcOutcome::SUCCESS:
        if (reply.status != 0 && reply.repeated)
        {
            return ChangeOutcome::UNKNOWN;
        }
        return reply.status == 0 ? ChangeOutcome::DONE : ChangeOutcome::REFUSED;
    case RpcOutcome::REJECTED:
        return ChangeOutcome::REFUSED;
    default:
        return ChangeOutcome::UNKNOWN;
    }
}

inline std::string
DescribeRange(uint64_t offset, uint64_t count)
{
    return "offset " + std::to_string(offset) + " count " + std::to_string(count);
}

template <typename Reply, typename Update>
FileClient::Done<Reply>
VerifyingFileClient::Begin(FileOperation operation,
                           const FileRef& object,
                           std::string name,
                           Update update,
                           Done<Reply> done)
{
    const uint64_t number = m_nextNumber++;
    ++m_issuedCounts.at(static_cast<std::size_t>(operation));
    m_outstanding[number] = {operation, Simulator::Now(), object, std::move(name)};
    return [alive = std::weak_ptr<VerifyingFileClient*>(m_alive),
            number,
            update = std::move(update),
            done = std::move(done)](const Reply& reply) {
        const auto client = alive.lock();
        if (client == nullptr)
        {
            return;
        }
        update(reply);
        (*client)->Complete(number, reply);
        done(reply);
    };
}

template <typename Reply>
FileClient::Done<Reply>
VerifyingFileClient::Begin(FileOperation operation,
                           const FileRef& object,
                           std::string name,
                           Done<Reply> done)
{
    return Begin<Reply>(
        operation,
        object,
        std::move(name),
        [](const Reply&) {},
        std::move(done));
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_CHECK_VERIFYING_FILE_CLIENT_BEGIN_H
