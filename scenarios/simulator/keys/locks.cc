/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/tcp/caller.h"
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/scenario-keys.h"
#include "scenarios/simulator/keys/setting-keys.h"

namespace ns3::nfsrdma
{

namespace
{

constexpr double MAX_FRAGMENT = 2147483647;

std::vector<ScenarioKey>
MakeTcpRpcKeys()
{
    std::vector<ScenarioKey> keys;
    AppendKeys(keys,
               RpcTcpClient::Settings::GetRows(),
               "RpcTcpClient",
               "tcp_",
               "timeout retries retry_delay idle_timeout max_reply slot_table_entries");
    const std::vector<ScenarioKey> others{
        {"tcp_max_call",
         Size(1, MAX_FRAGMENT),
         "1052672B",
         "RPC over TCP: largest call that is accepted",
         {"RpcTcpServer::MaxRecordSize"}},
        {"tcp_fragment_size",
         Size(1, MAX_FRAGMENT),
         "2147483647B",
         "RPC over TCP: largest fragment of a record",
         {"RpcTcpClient::FragmentSize", "RpcTcpServer::FragmentSize"}},
        {"tcp_server_idle_timeout",
         Duration(),
         "0s",
         "RPC over TCP: time without calls after which a server closes a connection; 0s: never",
         {"RpcTcpServer::IdleTimeout"}},
        {"tcp_server_age_period",
         Duration(),
         "360s",
         "NFS over TCP: a server closes a connection that had no traffic for a whole period at the "
         "end of the period; 0s: never",
         {"RpcTcpServer::AgePeriod"}},
        {"rpcbind_insecure",
         Boolean(),
         "false",
         "rpcbind accepts SET and UNSET from other hosts",
         {"RpcbindServer::Insecure"}},
    };
    keys.insert(keys.end(), others.begin(), others.end());
    return keys;
}

} // namespace

std::vector<ScenarioKey>
MakeLockKeys()
{
    std::vector<ScenarioKey> keys{
        {"nfsacl2",
         Boolean(),
         "false",
         "NFSv2: use access lists by NFSACL version 2 (Linux's client does not)",
         {"Nfs2FileClient::Acls"}},
        {"local_lock",
         Choice({"none", "flock", "posix", "all"}),
         "all",
         "NFSv2 and v3: locks that are kept local to the client; all: there are no lock managers "
         "(nolock)",
         {"Nfs2FileClient::LocalLock", "Nfs3FileClient::LocalLock"}},
        {"lockd_port",
         Integer(1, 65535),
         "32803",
         "TCP port of lockd, on servers and clients",
         {"NfsDaemons::LockdPort"}},
        {"statd_port",
         Integer(1, 65535),
         "662",
         "TCP port of statd, on servers and clients",
         {"NfsDaemons::StatdPort"}},
        {"nlm_grace_wait",
         Duration(1, 3600e9),
         "5s",
         "lock manager of a client: time after which a call that was denied in the grace period is "
         "repeated",
         {"NlmClient::GraceWait"}},
        {"nlm_poll_interval",
         Duration(1, 3600e9),
         "30s",
         "lock manager of a client: interval at which a blocked lock is requested again",
         {"NlmClient::PollInterval"}},
        {"nlm_grace_period",
         Duration(),
         "50s",
         "lock manager of a server: time after a restart in which only reclaims are accepted",
         {"NlmServer::GracePeriod"}},
        {"nlm_grant_retry",
         Duration(),
         "10s",
         "lock manager of a server: time after which a GRANTED_MSG that failed is sent again",
         {"NlmServer::GrantRetry"}},
        {"nlm_grant_timeout",
         Duration(),
         "60s",
         "lock manager of a server: time to wait for the answer to GRANTED_MSG",
         {"NlmServer::GrantTimeout"}},
    };
    const auto tcp = MakeTcpRpcKeys();
    keys.insert(keys.end(), tcp.begin(), tcp.end());
    return keys;
}

} // namespace ns3::nfsrdma
