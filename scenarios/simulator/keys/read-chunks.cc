/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/policy/pull-notice.h"
#include "rpcrdma/policy/read-chunk.h"
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/scenario-keys.h"

namespace ns3::nfsrdma
{

std::vector<ScenarioKey>
MakeReadChunkKeys()
{
    return {
        {"client_read_chunk_extension",
         Boolean(),
         "false",
         "offer to pull replies that come as Read chunks",
         {"RpcRdmaClient::ReadChunkExtension"}},
        {"client_notify_unexpected_read_chunks",
         Boolean(),
         "false",
         "tell the server of a Read chunk that was not agreed on (the draft; Linux does not)",
         {"RpcRdmaClient::NotifyUnexpectedReadChunks"}},
        {"client_pull_reads",
         Integer(1, 0x3ffe),
         "16",
         "RDMA Reads of replies outstanding; server and RNIC may allow fewer",
         {"RpcRdmaClient::PullReads"}},
        {"client_max_pulled_bytes",
         Size(1, UINT32_MAX),
         "1060864B",
         "largest reply that is pulled; a larger one fails its RPC",
         {"RpcRdmaClient::MaxPulledBytes"}},
        {"client_pull_notice",
         Choice(PullNoticePolicy::GetNames()),
         "outstanding-until-reply",
         "how RDMA_DONE goes with credits",
         {"RpcRdmaClient::PullNotice"}},
        {"client_piggyback_delay",
         Duration(),
         "500us",
         "a notice waits for a Call to ride on",
         {"RpcRdmaClient::PiggybackDelay"}},
        {"client_done_invalidates",
         Boolean(),
         "true",
         "notices invalidate a tag of the Read chunk, where the server lets them and both sides "
         "have set R (remote_invalidation)",
         {"RpcRdmaClient::DoneInvalidates"}},
        {"server_read_chunk_extension",
         Boolean(),
         "false",
         "agree on Read chunks with clients that offer to pull them",
         {"RpcRdmaServer::ReadChunkExtension"}},
        {"server_read_chunk_policy",
         Choice(ReadChunkPolicy::GetNames()),
         "never",
         "when a reply becomes a Read chunk",
         {"RpcRdmaServer::ReadChunkPolicy"}},
        {"server_read_chunks_without_agreement",
         Boolean(),
         "false",
         "provide Read chunks to clients that do not know of them (forbidden: a hazard)",
         {"RpcRdmaServer::ReadChunksWithoutAgreement"}},
        {"server_read_chunk_timeout",
         Duration(),
         "60s",
         "a Read chunk without a notice is given back; 0: never",
         {"RpcRdmaServer::ReadChunkTimeout"}},
        {"server_max_pending_read_chunks",
         Integer(0, UINT32_MAX),
         "0",
         "Read chunks without a notice that a connection may have; a further reply does not wait, "
         "since only the client can end them: it goes another way, or gets ERR_CHUNK; 0: any "
         "number",
         {"RpcRdmaServer::MaxPendingReadChunks"}},
        {"server_max_exposed_bytes",
         Size(0),
         "0B",
         "memory that a connection may have exposed as Read chunks, with the same end; 0: any "
         "amount",
         {"RpcRdmaServer::MaxExposedBytes"}},
        {"server_read_chunk_copy_limit",
         Size(0, UINT32_MAX),
         "4KiB",
         "shorter items of a Read chunk are copied, others registered where they are",
         {"RpcRdmaServer::ReadChunkCopyLimit"}},
        {"server_read_chunk_reads",
         Integer(1, 0x3ffe),
         "16",
         "RDMA Reads of replies that a client may have outstanding",
         {"RpcRdmaServer::ReadChunkReads"}},
        {"server_done_receives",
         Integer(1, 65535),
         "64",
         "receives posted for RDMA_DONE beside those of credits",
         {"RpcRdmaServer::DoneReceives"}},
        {"server_done_on_calls",
         Boolean(),
         "true",
         "take notices that ride on Calls, where the client sends them",
         {"RpcRdmaServer::DoneOnCalls"}},
        {"server_done_invalidates",
         Boolean(),
         "true",
         "let a notice invalidate a tag of the Read chunk, where both sides have set R "
         "(remote_invalidation)",
         {"RpcRdmaServer::DoneInvalidates"}},
    };
}

} // namespace ns3::nfsrdma
