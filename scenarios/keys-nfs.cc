/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "key-makers.h"
#include "scenario-keys.h"

namespace ns3::nfsrdma
{

ScenarioSection
MakeNfsSection()
{
    return {"nfs",
            "NFS version 3 and the storage behind it.",
            {
                {"threads",
                 Integer(1, 65536),
                 "8",
                 "threads of a server (nfsd)",
                 {"RpcServer::Threads"}},
                {"transfer_size",
                 Size(4096, 4 * 1024 * 1024),
                 "256KiB",
                 "largest READ and WRITE (rsize, wsize)",
                 {"Nfs3Server::MaxTransferSize"}},
                {"reduce_readlink",
                 Boolean(),
                 "false",
                 "let a Write chunk carry the path of READLINK (RFC 8267; Linux does not)",
                 {"Nfs3Client::ReduceReadlink"}},
                {"root_handle",
                 Size(8, 64),
                 "8",
                 "octets of the file handle of an export's root",
                 {"FileStore::RootHandleOctets"}},
                {"handle",
                 Size(16, 64),
                 "16",
                 "octets of any other file handle",
                 {"FileStore::HandleOctets"}},
                {"metadata_cost",
                 Duration(),
                 "3us",
                 "storage, each procedure",
                 {"StorageModel::MetadataCost"}},
                {"read_latency",
                 Duration(),
                 "0ns",
                 "storage, each READ",
                 {"StorageModel::ReadLatency"}},
                {"write_latency",
                 Duration(),
                 "0ns",
                 "storage, each WRITE",
                 {"StorageModel::WriteLatency"}},
                {"sync_latency",
                 Duration(),
                 "20us",
                 "storage, to make data or names stable",
                 {"StorageModel::SyncLatency"}},
                {"storage_rate",
                 Rate(0),
                 "80Gbps",
                 "storage, rate of all transfers together; 0bps: no limit",
                 {"StorageModel::Bandwidth"}},
                {"storage_queue",
                 Integer(1, 1'000'000),
                 "128",
                 "requests the storage serves at once",
                 {"StorageModel::QueueDepth"}},
            }};
}

} // namespace ns3::nfsrdma
