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
                 "connections that a server keeps; when a new one exceeds the number, the oldest "
                 "is closed (/proc/fs/nfsd/max_connections); 0: (threads + 3) x 20",
                 {"RpcServer::MaxConnections"}},
                {"limited_connections",
                 Choice({"all", "unproven"}),
                 "all",
                 "connections that count for max_connections and may be closed: all, or those on "
                 "which no NFS call has been answered with OK yet (Linux since 6.14, where "
                 "max_connections = 0 means 64)",
                 {"RpcServer::LimitedConnections"}},
                {"server_groups",
                 Integer(0, 65536),
                 "0",
                 "groups of each user that a server looks up itself (mountd --manage-gids); 0: it "
                 "uses those of the credential",
                 {"RpcServer::Groups"}},
                {"server_group_upcall",
                 Duration(),
                 "0ns",
                 "time for which a thread waits for mountd at the first call of a user",
                 {"RpcServer::GroupUpcall"}},
                {"nconnect",
                 Integer(1, 16),
                 "1",
                 "connections of a client to its server, which RPCs use in turn (mount option)"},
                {"max_connect",
                 Integer(1, 16),
                 "1",
                 "addresses of its server that a client connects to at most, with one connection "
                 "to each besides the one mounted (mount option)"},
                {"server_address",
                 Integer(0, 8),
                 "1",
                 "address of its server that a client mounts, as the number of its port; 0: the "
                 "clients of a server use the addresses in turn"},
                {"client_reply_attempts",
                 Integer(1, 16),
                 "1",
                 "RPCs that are tried at most for a call whose reply has no known limit and did "
                 "not fit",
                 {"RpcClient::ReplyAttempts"}},
                {"client_reply_growth",
                 Integer(2, 1024),
                 "4",
                 "factor by which each further attempt has room for a larger reply",
                 {"RpcClient::ReplyGrowth"}},
                {"client_security",
                 Choice({"sys", "krb5", "krb5i", "krb5p"}),
                 "sys",
                 "security flavour of the clients' calls: AUTH_SYS, or a service of RPCSEC_GSS"},
                {"server_security",
                 Text(),
                 "sys,krb5,krb5i,krb5p",
                 "security flavours that a server accepts, separated by commas",
                 {"RpcServer::Security"}},
                {"gss_enctype",
                 Choice(GetGssEnctypeNames()),
                 "aes256-cts-hmac-sha1-96",
                 "encryption type, which determines the size of tokens",
                 {"GssSecurity::Enctype"}},
                {"gss_repeats",
                 Integer(0, 1000),
                 "2",
                 "times that a client repeats a call that the server could not verify",
                 {"GssSecurity::Repeats"}},
                {"gss_init_token",
                 Size(400, 60000),
                 "1200B",
                 "size of the token that requests a security context",
                 {"GssSecurity::TokenSize"}},
                {"gss_init_reply_token",
                 Size(100, 2048),
                 "156B",
                 "size of the token in the answer",
                 {"GssAcceptor::TokenSize"}},
                {"gss_handle",
                 Size(4, 32),
                 "4B",
                 "size of the handle of a security context",
                 {"GssAcceptor::HandleSize"}},
                {"gss_window",
                 Integer(1, 65536),
                 "128",
                 "size of a server's sequence window",
                 {"GssAcceptor::SequenceWindow"}},
                {"gss_max_contexts",
                 Integer(1, 1'000'000),
                 "16384",
                 "security contexts that a server keeps",
                 {"GssAcceptor::MaxContexts"}},
                {"gss_context_lifetime",
                 Duration(),
                 "36000s",
                 "lifetime of a security context; 0s: no limit",
                 {"GssAcceptor::ContextLifetime"}},
                {"gss_init_cost",
                 Duration(),
                 "500us",
                 "processor time to create a security context, at each end",
                 {"GssCosts::InitCost"}},
                {"gss_mic_cost",
                 Duration(),
                 "1us",
                 "processor time of each checksum (MIC) made or verified, besides gss_mic_rate",
                 {"GssCosts::MicCost"}},
                {"gss_mic_rate",
                 Rate(1),
                 "12Gbps",
                 "rate at which a core computes checksums",
                 {"GssCosts::MicRate"}},
                {"gss_wrap_cost",
                 Duration(),
                 "2us",
                 "processor time of each message encrypted or decrypted, besides gss_wrap_rate",
                 {"GssCosts::WrapCost"}},
                {"gss_wrap_rate",
                 Rate(1),
                 "6Gbps",
                 "rate at which a core encrypts and decrypts",
                 {"GssCosts::WrapRate"}},
                {"transfer_size",
                 Size(4096, 4 * 1024 * 1024),
                 "256KiB",
                 "largest READ and WRITE (rsize, wsize); at most 8 KiB for NFSv2",
                 {"Nfs3Server::MaxTransferSize",
                  "Nfs4Server::MaxTransferSize",
                  "Nfs2FileClient::TransferSize",
                  "Nfs3FileClient::TransferSize",
                  "Nfs4FileClient::TransferSize"}},
                {"reduce_readlink",
                 Boolean(),
                 "false",
                 "offer a Write chunk for the path of READLINK (RFC 8267; Linux does not)",
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
