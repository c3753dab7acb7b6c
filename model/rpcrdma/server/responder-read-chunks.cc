/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/server/responder.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

TypeId
RpcRdmaServer::AddReadChunkAttributes(TypeId tid)
{
    return tid
        .AddAttribute("ReadChunkExtension",
                      "Agrees on responder-provided Read chunks with clients that offer it in "
                      "private data (ReadChunkExtension). Default: Linux knows of none.",
                      BooleanValue(false),
                      MakeBooleanAccessor(&RpcRdmaServer::m_readChunkExtension),
                      MakeBooleanChecker())
        .AddAttribute("ReadChunkPolicy",
                      "Name of a ReadChunkPolicy: when a reply becomes a Read chunk.",
                      StringValue("never"),
                      MakeStringAccessor(&RpcRdmaServer::m_readChunkPolicyName),
                      MakeStringChecker())
        .AddAttribute("ReadChunksWithoutAgreement",
                      "Provides Read chunks to clients that have not agreed on them, which section "
                      "6 of the draft forbids. Default: as the draft.",
                      BooleanValue(false),
                      MakeBooleanAccessor(&RpcRdmaServer::m_readChunksWithoutAgreement),
                      MakeBooleanChecker())
        .AddAttribute("ReadChunkTimeout",
                      "Time after which a Read chunk is given back without a notice (time); 0: "
                      "never. Default: the RPC timeout of Linux's client, which then gives the "
                      "connection up.",
                      TimeValue(Seconds(60)),
                      MakeTimeAccessor(&RpcRdmaServer::m_readChunkTimeout),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("ReadChunkCopyLimit",
                      "Items of a reply with fewer octets are copied into the memory exposed, "
                      "others are registered where they are (octets). Default: a page; copying "
                      "one costs less than a registration (estimate).",
                      UintegerValue(HostMemory::PAGE_SIZE),
                      MakeUintegerAccessor(&RpcRdmaServer::m_readChunkCopyLimit),
                      MakeUintegerChecker<uint32_t>(0))
        .AddAttribute("MaxPendingReadChunks",
                      "Read chunks without a notice that a connection may have (count); a further "
                      "reply goes another way, or its call gets ERR_CHUNK; 0: any number. Default: "
                      "0; the timeout is the draft's own defence.",
                      UintegerValue(0),
                      MakeUintegerAccessor(&RpcRdmaServer::m_maxPendingReadChunks),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("MaxExposedBytes",
                      "Memory that a connection may have exposed as Read chunks (octets); 0: any "
                      "amount. Default: 0, as MaxPendingReadChunks.",
                      UintegerValue(0),
                      MakeUintegerAccessor(&RpcRdmaServer::m_maxExposedBytes),
                      MakeUintegerChecker<uint64_t>())
        .AddAttribute("ReadChunkReads",
                      "RDMA Reads that a client which pulls replies may have outstanding (count); "
                      "client and device may allow fewer. Default: as svc_rdma's own.",
                      UintegerValue(16),
                      MakeUintegerAccessor(&RpcRdmaServer::m_readChunkReads),
                      MakeUintegerChecker<uint32_t>(1))
        .AddAttribute("DoneReceives",
                      "Receives posted for RDMA_DONE beside those of credits, where Read chunks "
                      "are provided (count). Default: as many as Credits.",
                      UintegerValue(64),
                      MakeUintegerAccessor(&RpcRdmaServer::m_doneReceives),
                      MakeUintegerChecker<uint32_t>(1, UINT16_MAX))
        .AddAttribute("DoneOnCalls",
                      "Takes notices of pull completion that ride on Calls, where the client also "
                      "does.",
                      BooleanValue(true),
                      MakeBooleanAccessor(&RpcRdmaServer::m_doneOnCalls),
                      MakeBooleanChecker())
        .AddAttribute("DoneInvalidates",
                      "Lets a notice of pull completion invalidate a tag of the Read chunk, where "
                      "the client also does and both sides have announced remote invalidation "
                      "(RFC 8797).",
                      BooleanValue(true),
                      MakeBooleanAccessor(&RpcRdmaServer::m_doneInvalidates),
                      MakeBooleanChecker())
        .AddTraceSource("ReadChunkExposed",
                        "A reply is provided as Read chunk.",
                        MakeTraceSourceAccessor(&RpcRdmaServer::m_readChunkExposedTrace),
                        "ns3::nfsrdma::RpcRdmaServer::ReadChunkExposedTracedCallback")
        .AddTraceSource("ReadChunkReleased",
                        "A Read chunk is not pending any more: notified, expired, or its "
                        "connection has ended.",
                        MakeTraceSourceAccessor(&RpcRdmaServer::m_readChunkReleasedTrace),
                        "ns3::nfsrdma::RpcRdmaServer::ReadChunkReleasedTracedCallback");
}

std::shared_ptr<const SvcReadChunkSettings>
RpcRdmaServer::MakeReadChunkSettings()
{
    auto settings = std::make_shared<SvcReadChunkSettings>();
    settings->policy = ReadChunkPolicy::Create(m_readChunkPolicyName);
    NS_ABORT_MSG_UNLESS(settings->policy, "no Read chunk policy " << m_readChunkPolicyName);
    settings->supported = m_readChunkExtension && settings->policy->IsEnabled();
    settings->withoutAgreement = m_readChunksWithoutAgreement;
    settings->extension.responder = true;
    settings->extension.piggyback = m_doneOnCalls;
    settings->extension.remoteInvalidation = m_doneInvalidates;
    settings->extension.doneReceives = static_cast<uint16_t>(m_doneReceives);
    settings->responderResources = m_readChunkReads;
    settings->copyLimit = m_readChunkCopyLimit;
    settings->timeout = m_readChunkTimeout;
    settings->maxPending = m_maxPendingReadChunks;
    settings->maxExposed = m_maxExposedBytes;
    settings->exposed = [this](uint32_t xid, uint32_t segments, uint64_t octets) {
        m_readChunkExposedTrace(xid, segments, octets);
    };
    settings->released = [this](uint32_t xid, ReadChunkRelease reason) {
        m_readChunkReleasedTrace(xid, reason);
    };
    return settings;
}

} // namespace ns3::nfsrdma
