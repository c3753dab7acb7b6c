/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/server.h"
#include "rpcrdma/client/requester-settings.h"
#include "rpcrdma/message/private-data.h"
#include "rpcrdma/policy/call-form.h"
#include "rpcrdma/server/responder-settings.h"
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/policy-keys.h"
#include "scenarios/simulator/keys/scenario-keys.h"
#include "scenarios/simulator/keys/setting-keys.h"

#include <algorithm>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

/// \return the policies that differ where a call has one item at most, as all calls of NFS.
std::vector<std::string>
GetCallForms()
{
    auto names = CallFormPolicy::GetNames();
    names.erase(std::remove(names.begin(), names.end(), "reduce-as-needed"), names.end());
    return names;
}

void
AppendClientKeys(std::vector<ScenarioKey>& keys, const std::string& names)
{
    AppendKeys(keys, RpcRdmaClientSettings::GetRows(), "RpcRdmaClient", "client_", names);
}

void
AppendServerKeys(std::vector<ScenarioKey>& keys, const std::string& names)
{
    AppendKeys(keys, SvcRdmaSettings::GetRows(), "RpcRdmaServer", "server_", names);
}

/// Thresholds of one side, where it differs.
std::vector<ScenarioKey>
MakeThresholdKeys()
{
    const auto threshold = Size(0, RpcRdmaPrivateData::MAXIMUM_INLINE);
    return {
        {"client_inline_send", threshold, "0B", "largest Send of clients; 0B: inline_threshold"},
        {"client_inline_receive",
         threshold,
         "0B",
         "size of the clients' receive buffers; 0B: inline_threshold"},
        {"server_inline_send", threshold, "0B", "largest Send of servers; 0B: inline_threshold"},
        {"server_inline_receive",
         threshold,
         "0B",
         "size of the servers' receive buffers; 0B: inline_threshold"},
    };
}

std::vector<ScenarioKey>
MakeDuplicateKeys()
{
    return {
        {"server_duplicate_requests",
         Choice(RpcServer::GetDuplicatePolicies()),
         "linux",
         "treatment of repeated calls that are not idempotent; linux also drops those still in "
         "service",
         {"RpcServer::DuplicateRequests"}},
        {"server_duplicate_entries",
         Integer(1),
         "65536",
         "calls that the duplicate request cache holds at most",
         {"RpcServer::DuplicateEntries"}},
        {"server_duplicate_lifetime",
         Duration(),
         "120s",
         "time for which a reply is kept",
         {"RpcServer::DuplicateLifetime"}},
        {"server_duplicate_reply_size",
         Size(0, MAX_INTEGER),
         "256B",
         "largest results that are kept",
         {"RpcServer::DuplicateReplySize"}},
        {"server_duplicate_prune",
         Integer(0, MAX_INTEGER),
         "0",
         "entries that a call frees at most, since they have expired or are too many; 0: all such "
         "entries of its bucket, as Linux before 5.16",
         {"RpcServer::DuplicatePrune"}},
    };
}

} // namespace

ScenarioSection
MakeRpcRdmaSection()
{
    ScenarioSection section{
        "rpcrdma",
        "RPC-over-RDMA version 1: what clients and servers do, or those of [rpcrdma NAME].",
        {
            {"hosts",
             Text(),
             "all",
             "hosts that a section [rpcrdma NAME] applies to: client-0..3, server-1, clients, "
             "servers"},
            {"profile",
             Text(),
             "linux-6.1",
             "profiles/rpcrdma/NAME.ini, values for the keys below"},
            {"inline_threshold",
             Size(RpcRdmaPrivateData::MINIMUM_INLINE, RpcRdmaPrivateData::MAXIMUM_INLINE),
             "4KiB",
             "largest Send in both directions, a multiple of 1024",
             {"RpcRdmaClient::InlineSend",
              "RpcRdmaClient::InlineReceive",
              "RpcRdmaServer::InlineSend",
              "RpcRdmaServer::InlineReceive"}},
        }};
    auto& keys = section.keys;
    const auto append = [&keys](const std::vector<ScenarioKey>& more) {
        keys.insert(keys.end(), more.begin(), more.end());
    };
    AppendClientKeys(keys, "inline_policy inline_share inline_review");
    AppendServerKeys(keys, "inline_policy");
    append(MakeThresholdKeys());
    keys.push_back({"client_nconnect",
                    Integer(0, 16),
                    "0",
                    "connections of a client to its server; 0: nfs.nconnect",
                    {"RpcMultipath::Connections"}});
    AppendClientKeys(keys, "slots call_form");
    keys.back().constraint = Choice(GetCallForms());
    AppendClientKeys(
        keys,
        "max_read_chunks max_write_chunks max_chunk_segments read_pad exact_call_header "
        "reply_mechanism reply_messages max_data_pages max_segments region_pages buffer_size "
        "receive_batch receive_refill receive_order grant_clamp request_release requests "
        "backlog_delay backchannel_credits "
        "reverse_credits reverse_message "
        "responder_resources remote_invalidation private_data_at_front "
        "write_pad_segment protect_write_pad reply_rules region_allocation_time");
    AppendServerKeys(
        keys,
        "credits credit_grant reply_chunk message_continuation credit_ceiling shared_receives "
        "receive_memory_limit invalidation remote_invalidation "
        "private_data_at_front honour_sizes backchannel_credits reverse_wait "
        "reverse_timeout receive_batch receive_windows max_outbound_reads send_queue_depth "
        "send_turns write_pages reply_chaining region_pages max_call_bytes max_read_chunks "
        "max_read_segments max_write_chunks max_chunk_segments header_rules "
        "program_limits empty_chunks careless enforce_credits bad_message_limit age_period "
        "failed_call_memory refuse_empty_nomsg send_release release_cost release_workers "
        "send_contexts memory_limit");
    AppendClientKeys(keys, "registration_strategy registration pool_buffers cache_capacity");
    AppendServerKeys(keys, "registration_strategy pool_buffers cache_capacity");
    AppendClientKeys(keys,
                     "reconnect retry_delay reconnect_delay reconnect_delay_max idle_timeout "
                     "timeout retries soft probe_period reserved_credits cancel");
    append(MakeDuplicateKeys());
    AppendClientKeys(
        keys,
        "read_chunk_extension notify_unexpected_read_chunks pull_reads "
        "max_pulled_bytes pull_invalidates pull_notice piggyback_delay done_invalidates");
    AppendKeys(keys, SvcReadChunkSettings::GetRows(), "RpcRdmaServer", "server_");
    append(MakePolicyKeys());
    return section;
}

} // namespace ns3::nfsrdma
