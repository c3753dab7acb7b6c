/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/server.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

namespace
{

const char* const CACHE_DUPLICATES = "linux";
const char* const EXECUTE_DUPLICATES = "none";

} // namespace

RpcReplyHeader
RpcServer::Refuse(const QueuedCall& queued)
{
    RpcReplyHeader refusal;
    refusal.xid = XdrReader(queued.message.octets).ReadU32();
    if (const auto denial = FindDenial(queued))
    {
        ++m_statistics.badAuth;
        refusal.denied = true;
        if (!queued.header && queued.header.error() == WireError::BAD_VERSION)
        {
            refusal.low = RpcCallHeader::RPC_VERSION;
            refusal.high = RpcCallHeader::RPC_VERSION;
        }
        else
        {
            refusal.authStatus = static_cast<uint32_t>(*denial);
        }
        return refusal;
    }
    ++m_statistics.badCall;
    refusal.acceptStatus = RpcAcceptStatus::PROG_UNAVAIL;
    for (const auto& [key, program] : m_programs)
    {
        if (key.first != queued.header->program)
        {
            continue;
        }
        if (refusal.acceptStatus == RpcAcceptStatus::PROG_UNAVAIL)
        {
            refusal.acceptStatus = RpcAcceptStatus::PROG_MISMATCH;
            refusal.low = key.second;
        }
        refusal.high = key.second;
    }
    return refusal;
}

void
RpcServer::Dispatch(Ptr<RpcProgram> program, QueuedCall&& queued)
{
    std::optional<DuplicateRequestCache::Key> key;
    if (program->IsIdempotentCall(*queued.header, queued.message, queued.argumentsPosition))
    {
        GetDuplicates().CountIdempotent();
    }
    else if (m_duplicatePolicy == CACHE_DUPLICATES)
    {
        key = DuplicateRequestCache::Key::Make(*queued.header,
                                               queued.message,
                                               queued.argumentsPosition,
                                               queued.source);
        if (!IsNew(*key, queued))
        {
            return;
        }
    }
    auto call = std::make_shared<RpcServerCall>();
    call->header = std::move(*queued.header);
    call->message = std::move(queued.message);
    call->argumentsPosition = queued.argumentsPosition;
    call->source = queued.source;
    call->connection = queued.connection;
    if (const auto limit = m_reverseLimits.find(queued.connection); limit != m_reverseLimits.end())
    {
        call->reverseLimit = limit->second;
    }
    program->Dispatch(call,
                      [self = Ptr<RpcServer>(this),
                       xid = call->header.xid,
                       key,
                       answered = AnsweredCall(std::move(queued))](RpcServerReply&& answer) {
                          if (self->IsGivenUp(answered))
                          {
                              return;
                          }
                          if (answer.dropped)
                          {
                              self->Drop(key, answered);
                              return;
                          }
                          RpcReplyHeader header;
                          header.xid = xid;
                          header.acceptStatus = answer.status;
                          RpcPayload results;
                          if (answer.status == RpcAcceptStatus::SUCCESS)
                          {
                              results = std::move(answer.results);
                          }
                          else
                          {
                              ++self->m_statistics.badCall;
                          }
                          if (key)
                          {
                              self->Remember(*key, answer.status, results);
                          }
                          self->SendReply(answered, std::move(header), std::move(results));
                      });
}

void
RpcServer::Drop(const std::optional<DuplicateRequestCache::Key>& key, const AnsweredCall& call)
{
    ++m_statistics.dropped;
    if (key)
    {
        GetDuplicates().Forget(*key);
    }
    Finish(call.thread, call.reply, RpcPayload());
}

DuplicateRequestCache&
RpcServer::GetDuplicates() const
{
    if (!m_duplicates)
    {
        NS_ABORT_MSG_UNLESS(m_duplicatePolicy == CACHE_DUPLICATES ||
                                m_duplicatePolicy == EXECUTE_DUPLICATES,
                            "no policy for duplicate requests " << m_duplicatePolicy);
        m_duplicates = std::make_unique<DuplicateRequestCache>(
            DuplicateRequestCache::Settings{m_duplicateEntries,
                                            m_duplicateLifetime,
                                            m_duplicateReplySize});
    }
    return *m_duplicates;
}

const DuplicateRequestCache&
RpcServer::GetDuplicateRequestCache() const
{
    return GetDuplicates();
}

void
RpcServer::ClearDuplicateRequestCache()
{
    m_duplicates.reset();
}

std::vector<std::string>
RpcServer::GetDuplicatePolicies()
{
    return {CACHE_DUPLICATES, EXECUTE_DUPLICATES};
}

bool
RpcServer::IsNew(const DuplicateRequestCache::Key& key, QueuedCall& queued)
{
    RpcPayload results;
    switch (GetDuplicates().Lookup(key, Simulator::Now(), results.octets))
    {
    case DuplicateRequestCache::Verdict::EXECUTE:
        return true;
    case DuplicateRequestCache::Verdict::DROP:
        ++m_statistics.dropped;
        Finish(queued.thread, queued.reply, RpcPayload());
        return false;
    case DuplicateRequestCache::Verdict::REPLAY:
        break;
    }
    RpcReplyHeader header;
    header.xid = key.xid;
    SendReply(queued, std::move(header), std::move(results));
    return false;
}

void
RpcServer::Remember(const DuplicateRequestCache::Key& key,
                    RpcAcceptStatus status,
                    const RpcPayload& results)
{
    if (status == RpcAcceptStatus::SUCCESS)
    {
        GetDuplicates().Finish(key, results, Simulator::Now());
    }
    else
    {
        GetDuplicates().Forget(key);
    }
}

} // namespace ns3::nfsrdma
