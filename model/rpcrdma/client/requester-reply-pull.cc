/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/requester.h"

#include "ns3/boolean.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

TypeId
RpcRdmaClient::AddReplyPullAttributes(TypeId tid)
{
    return tid
        .AddAttribute("ReadChunkExtension",
                      "Offers to pull replies that come as Read chunks, in private data "
                      "(ReadChunkExtension). Default: Linux knows of none.",
                      BooleanValue(false),
                      MakeBooleanAccessor(&RpcRdmaClient::m_readChunkExtension),
                      MakeBooleanChecker())
        .AddAttribute("NotifyUnexpectedReadChunks",
                      "Tells the server of a reply with a Read chunk that was not agreed on, as "
                      "section 4.1.3 of the draft says; the RPC fails either way. Default: as "
                      "Linux, which says nothing.",
                      BooleanValue(false),
                      MakeBooleanAccessor(&RpcRdmaClient::m_notifyUnexpected),
                      MakeBooleanChecker())
        .AddAttribute("PullReads",
                      "RDMA Reads of replies outstanding (count); server and device may allow "
                      "fewer. Without ReadChunkExtension 0, as Linux offers. Default: as "
                      "svc_rdma's own.",
                      UintegerValue(16),
                      MakeUintegerAccessor(&RpcRdmaClient::m_pullReads),
                      MakeUintegerChecker<uint32_t>(1))
        .AddAttribute("MaxPulledBytes",
                      "Largest reply that is pulled (octets); a larger one fails its RPC. Default: "
                      "RPCSVC_MAXPAGES pages, as much as Linux's server builds.",
                      UintegerValue(uint64_t{259} * 4096),
                      MakeUintegerAccessor(&RpcRdmaClient::m_maxPulledBytes),
                      MakeUintegerChecker<uint32_t>(1))
        .AddAttribute("PullNotice",
                      "Name of a PullNoticePolicy: how RDMA_DONE goes with credits.",
                      StringValue("outstanding-until-reply"),
                      MakeStringAccessor(&RpcRdmaClient::m_noticePolicyName),
                      MakeStringChecker())
        .AddAttribute("PiggybackDelay",
                      "Time that a notice waits for a Call to ride on, with the policy "
                      "\"piggyback\" (time). Default: a few round trips of a busy connection, so "
                      "that the server's memory is not held long (estimate).",
                      TimeValue(MicroSeconds(500)),
                      MakeTimeAccessor(&RpcRdmaClient::m_piggybackDelay),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("DoneInvalidates",
                      "Notices of pull completion invalidate a tag of the Read chunk, where the "
                      "server also lets them and both sides have announced remote "
                      "invalidation (RFC 8797).",
                      BooleanValue(true),
                      MakeBooleanAccessor(&RpcRdmaClient::m_doneInvalidates),
                      MakeBooleanChecker())
        .AddTraceSource("ReplyPulled",
                        "A reply that came as Read chunk has been pulled.",
                        MakeTraceSourceAccessor(&RpcRdmaClient::m_replyPulledTrace),
                        "ns3::nfsrdma::RpcRdmaClient::ReplyPulledTracedCallback")
        .AddTraceSource("DoneSent",
                        "The server is told that a Read chunk is not needed any more.",
                        MakeTraceSourceAccessor(&RpcRdmaClient::m_doneSentTrace),
                        "ns3::nfsrdma::RpcRdmaClient::DoneSentTracedCallback");
}

ReplyPullSettings
RpcRdmaClient::MakeReplyPullSettings()
{
    ReplyPullSettings settings;
    settings.supported = m_readChunkExtension;
    settings.notifyUnexpected = m_notifyUnexpected;
    settings.reads = m_pullReads;
    settings.maxBytes = m_maxPulledBytes;
    settings.remoteInvalidation = m_doneInvalidates;
    settings.noticePolicy = m_noticePolicyName;
    settings.piggybackDelay = m_piggybackDelay;
    settings.statistics = m_pullStatistics;
    settings.replyPulled = [this](uint32_t xid, uint32_t segments, uint64_t octets) {
        m_replyPulledTrace(xid, segments, octets);
    };
    settings.doneSent = [this](uint32_t xid, bool onCall) { m_doneSentTrace(xid, onCall); };
    return settings;
}

const ReplyPullStatistics&
RpcRdmaClient::GetReplyPullStatistics() const
{
    return *m_pullStatistics;
}

} // namespace ns3::nfsrdma
