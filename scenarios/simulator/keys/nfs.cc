/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/file-system.h"
#include "nfs/types/attribute-cache.h"
#include "rpc/dispatch-settings.h"
#include "rpc/security/gss-enctype.h"
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/scenario-keys.h"
#include "scenarios/simulator/keys/setting-keys.h"

namespace ns3::nfsrdma
{

namespace
{

ScenarioSection
MakeNfsBase()
{
    return {"nfs",
            "NFS and its security flavours.",
            {
                {"threads",
                 Integer(1, 65536),
                 "8",
                 "threads of a server (nfsd)",
                 {"RpcServer::Threads"}},
                {"max_connections",
                 Integer(0, 1'000'000),
                 "0",
                 "connections that a server keeps when another comes, which the oldest is closed "
                 "for where it has more (/proc/fs/nfsd/max_connections); 0: (threads + 3) x 20",
                 {"RpcServer::MaxConnections"}},
                {"limited_connections",
                 Choice({"all", "unproven"}),
                 "all",
                 "which connections count for max_connections and are closed for others: all, or "
                 "those that have had no call of NFS answered with OK yet (Linux since 6.14; "
                 "max_connections = 0 is 64 then)",
                 {"RpcServer::LimitedConnections"}},
                {"server_groups",
                 Integer(0, 65536),
                 "0",
                 "groups of each user that a server looks up itself (mountd --manage-gids); 0: it "
                 "takes those of the credential",
                 {"RpcServer::Groups"}},
                {"server_group_upcall",
                 Duration(),
                 "0ns",
                 "for which a thread waits for mountd when a user of a client calls for the first "
                 "time",
                 {"RpcServer::GroupUpcall"}},
                {"nconnect",
                 Integer(1, 16),
                 "1",
                 "connections of a client to its server, which RPCs take in turn (mount option)"},
                {"max_connect",
                 Integer(1, 16),
                 "1",
                 "addresses of its server at most that a client has connections to, one to each "
                 "further than the one mounted (mount option)"},
                {"server_address",
                 Integer(0, 8),
                 "1",
                 "address of its server that a client mounts, by the port that has it; 0: the "
                 "clients of a server take them in turn"},
                {"client_reply_attempts",
                 Integer(1, 16),
                 "1",
                 "RPCs at most for a call whose reply has no known maximum and found no room",
                 {"RpcClient::ReplyAttempts"}},
                {"client_reply_growth",
                 Integer(2, 1024),
                 "4",
                 "how many times larger a reply each further one has room for",
                 {"RpcClient::ReplyGrowth"}},
                {"client_security",
                 Choice({"sys", "krb5", "krb5i", "krb5p"}),
                 "sys",
                 "flavour of clients' calls: AUTH_SYS, or a service of RPCSEC_GSS"},
                {"server_security",
                 Text(),
                 "sys,krb5,krb5i,krb5p",
                 "flavours a server takes, separated by commas",
                 {"RpcServer::Security"}},
                {"gss_enctype",
                 Choice(GetGssEnctypeNames()),
                 "aes256-cts-hmac-sha1-96",
                 "encryption type, which sets the size of tokens",
                 {"GssSecurity::Enctype"}},
                {"gss_repeats",
                 Integer(0, 1000),
                 "2",
                 "times a client calls again what the server could not verify",
                 {"GssSecurity::Repeats"}},
                {"gss_init_token",
                 Size(400, 60000),
                 "1200B",
                 "token that asks for a security context",
                 {"GssSecurity::TokenSize"}},
                {"gss_init_reply_token",
                 Size(100, 2048),
                 "156B",
                 "token that answers it",
                 {"GssAcceptor::TokenSize"}},
                {"gss_handle",
                 Size(4, 32),
                 "4B",
                 "handle of a security context",
                 {"GssAcceptor::HandleSize"}},
                {"gss_window",
                 Integer(1, 65536),
                 "128",
                 "sequence window of a server",
                 {"GssAcceptor::SequenceWindow"}},
                {"gss_max_contexts",
                 Integer(1, 1'000'000),
                 "16384",
                 "security contexts a server keeps",
                 {"GssAcceptor::MaxContexts"}},
                {"gss_context_lifetime",
                 Duration(),
                 "36000s",
                 "how long a security context may be used; 0s: for ever",
                 {"GssAcceptor::ContextLifetime"}},
                {"gss_init_cost",
                 Duration(),
                 "500us",
                 "processor, to create a security context, each end",
                 {"GssCosts::InitCost"}},
                {"gss_mic_cost",
                 Duration(),
                 "1us",
                 "processor, each checksum (MIC) made or checked",
                 {"GssCosts::MicCost"}},
                {"gss_mic_rate",
                 Rate(1),
                 "12Gbps",
                 "processor, rate of checksums",
                 {"GssCosts::MicRate"}},
                {"gss_wrap_cost",
                 Duration(),
                 "2us",
                 "processor, each message sealed or opened",
                 {"GssCosts::WrapCost"}},
                {"gss_wrap_rate",
                 Rate(1),
                 "6Gbps",
                 "processor, rate of sealing and opening",
                 {"GssCosts::WrapRate"}},
                {"transfer_size",
                 Size(4096, 4 * 1024 * 1024),
                 "256KiB",
                 "largest READ and WRITE (rsize, wsize); NFSv2: 8 KiB at most",
                 {"Nfs3Server::MaxTransferSize",
                  "Nfs4Server::MaxTransferSize",
                  "Nfs2FileClient::TransferSize",
                  "Nfs3FileClient::TransferSize",
                  "Nfs4FileClient::TransferSize"}},
                {"reduce_readlink",
                 Boolean(),
                 "false",
                 "let a Write chunk carry the path of READLINK (RFC 8267; Linux does not)",
                 {"Nfs2Client::ReduceReadlink",
                  "Nfs3Client::ReduceReadlink",
                  "Nfs4CompoundClient::ReduceReadlink"}},
            }};
}

/// Mount options of caches, of the clients of all versions.
std::vector<ScenarioKey>
MakeCacheKeys()
{
    std::vector<ScenarioKey> keys;
    AppendKeys(keys, FileCacheSettings::GetRows(), "Nfs3FileClient");
    for (auto& key : keys)
    {
        const auto attribute = key.targets.front().substr(key.targets.front().find("::"));
        key.targets.push_back("Nfs2FileClient" + attribute);
        key.targets.push_back("Nfs4FileClient" + attribute);
    }
    return keys;
}

} // namespace

ScenarioSection
MakeNfsSection()
{
    ScenarioSection section = MakeNfsBase();
    const auto caches = MakeCacheKeys();
    section.keys.insert(section.keys.end(), caches.begin(), caches.end());
    AppendKeys(section.keys, FileSystemSettings::GetRows(), "FileStore", "", "root_handle handle");
    AppendKeys(section.keys, RpcDispatchSettings::GetRows(), "RpcServer");
    const auto version = MakeNfs4ClientKeys();
    section.keys.insert(section.keys.end(), version.begin(), version.end());
    for (auto&& keys : {MakeMountKeys(), MakeLockKeys()})
    {
        section.keys.insert(section.keys.end(), keys.begin(), keys.end());
    }
    const auto server = MakeNfs4ServerKeys();
    section.keys.insert(section.keys.end(), server.begin(), server.end());
    return section;
}

} // namespace ns3::nfsrdma
