/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/verifying-client.h"

#include "ns3/simulator.h"

#include <cstdio>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

bool
IsRanged(NfsOperation operation)
{
    return operation == Nfs3Procedure::READ || operation == Nfs3Procedure::WRITE ||
           operation == Nfs3Procedure::COMMIT;
}

} // namespace

void
VerifyingClient::SetCompletedHook(CompletedHook hook)
{
    m_completed = std::move(hook);
}

void
VerifyingClient::SetAclClient(Ptr<NfsAcl3Calls> client)
{
    m_acl = client;
}

bool
VerifyingClient::HasAclClient() const
{
    return m_acl != nullptr;
}

ContentModel&
VerifyingClient::GetModel()
{
    return m_model;
}

const ContentModel&
VerifyingClient::GetModel() const
{
    return m_model;
}

void
VerifyingClient::Register(uint32_t xid, NfsOperation operation, Target&& target)
{
    ++m_issuedCounts.at(operation.GetIndex());
    m_outstanding[m_number] = {xid, operation, Simulator::Now(), std::move(target)};
}

void
VerifyingClient::Complete(uint64_t number,
                          NfsOperation operation,
                          const RpcRecord& record,
                          uint64_t octets)
{
    ++m_completedCounts.at(operation.GetIndex());
    m_failed += record.outcome == RpcOutcome::SUCCESS ? 0 : 1;
    m_outstanding.erase(number);
    if (m_completed)
    {
        m_completed(operation, record, octets);
    }
}

const VerifyingClient::Counters&
VerifyingClient::GetIssued() const
{
    return m_issuedCounts;
}

const VerifyingClient::Counters&
VerifyingClient::GetCompleted() const
{
    return m_completedCounts;
}

uint64_t
VerifyingClient::GetFailed() const
{
    return m_failed;
}

std::size_t
VerifyingClient::GetOutstanding() const
{
    return m_outstanding.size();
}

std::vector<std::string>
VerifyingClient::DescribeOutstanding() const
{
    std::vector<std::string> described;
    described.reserve(m_outstanding.size());
    for (const auto& [number, operation] : m_outstanding)
    {
        const ReferenceTree& tree = m_model.GetTree();
        std::string path = tree.GetPath(tree.FindHandle(operation.target.object));
        path += operation.target.name.empty() ? "" : "/" + operation.target.name;
        std::array<char, 16> xid;
        std::snprintf(xid.data(), xid.size(), "0x%08x", operation.xid);
        std::string line = std::string(operation.operation.GetName()) + " xid " + xid.data() +
                           " of '" + path + "'";
        if (IsRanged(operation.operation))
        {
            line += " offset " + std::to_string(operation.target.offset) + " count " +
                    std::to_string(operation.target.count);
        }
        line += ", issued at " + std::to_string(operation.issued.GetNanoSeconds()) + " ns";
        described.push_back(std::move(line));
    }
    return described;
}

} // namespace ns3::nfsrdma
