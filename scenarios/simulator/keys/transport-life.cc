/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/server.h"
#include "rpcrdma/policy/cancel.h"
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/scenario-keys.h"

namespace ns3::nfsrdma
{

std::vector<ScenarioKey>
MakeTransportLifeKeys()
{
    return {
        {"client_reconnect",
         Boolean(),
         "true",
         "make a lost connection anew and send calls again; else they end with DISCONNECTED",
         {"RpcRdmaClient::Reconnect"}},
        {"client_retry_delay",
         Duration(),
         "3s",
         "between an attempt to connect that failed and the next; 0: client_reconnect_delay",
         {"RpcRdmaClient::RetryDelay"}},
        {"client_reconnect_delay",
         Duration(1),
         "5s",
         "between attempts that could not be made; doubles each time",
         {"RpcRdmaClient::ReconnectDelay"}},
        {"client_reconnect_delay_max",
         Duration(),
         "30s",
         "largest client_reconnect_delay",
         {"RpcRdmaClient::ReconnectDelayMaximum"}},
        {"client_idle_timeout",
         Duration(),
         "300s",
         "without calls until the connection is closed; 0: never",
         {"RpcRdmaClient::IdleTimeout"}},
        {"client_timeout",
         Duration(),
         "60s",
         "for a reply until the call is sent again on a new connection (timeo); 0: never",
         {"RpcRdmaClient::Timeout"}},
        {"client_retries",
         Integer(0, 1000),
         "2",
         "times a call is sent again before a major timeout (retrans)",
         {"RpcRdmaClient::Retries"}},
        {"client_soft",
         Boolean(),
         "false",
         "calls end with TIMED_OUT at a major timeout (mount option soft)",
         {"RpcRdmaClient::Soft"}},
        {"client_probe_period",
         Duration(),
         "0s",
         "silence of the server after which a NULL RPC is sent (RFC 8267 6.7.2); 0: none",
         {"RpcRdmaClient::ProbePeriod"}},
        {"client_reserved_credits",
         Integer(0, 16384),
         "0",
         "credits that only such probes use",
         {"RpcRdmaClient::ReservedCredits"}},
        {"client_cancel",
         Choice(CancelPolicy::GetNames()),
         "linux",
         "what happens to the memory of a call that is given up",
         {"RpcRdmaClient::Cancel"}},
        {"server_duplicate_requests",
         Choice(RpcServer::GetDuplicatePolicies()),
         "linux",
         "what becomes of calls that come again and are not idempotent; linux drops those in "
         "service",
         {"RpcServer::DuplicateRequests"}},
        {"server_duplicate_entries",
         Integer(1),
         "65536",
         "calls remembered at most for server_duplicate_requests",
         {"RpcServer::DuplicateEntries"}},
        {"server_duplicate_lifetime",
         Duration(),
         "120s",
         "for which a reply is remembered",
         {"RpcServer::DuplicateLifetime"}},
        {"server_duplicate_reply_size",
         Size(0, MAX_INTEGER),
         "256B",
         "largest results that are remembered",
         {"RpcServer::DuplicateReplySize"}},
    };
}

} // namespace ns3::nfsrdma
