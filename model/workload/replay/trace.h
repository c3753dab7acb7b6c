/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_REPLAY_TRACE_H
#define NFSRDMA_WORKLOAD_REPLAY_TRACE_H

#include "nfs/types/operation.h"
#include "nfs/v3/types3.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

struct RecordedCompound;

/// NFS of a trace.
enum class TraceVersion
{
    V2,
    V3,
    V4
};

/// Where a READDIR or READDIRPLUS of a trace begins.
enum class TraceCookie
{
    START, ///< At the first entry.
    NEXT   ///< After the last entry that this client got from this directory.
};

/// How traces name the object that is the root of the export.
constexpr const char* ROOT_OBJECT = "root";

/**
 * \brief One recorded operation: a row of a trace file.
 *
 * The arguments are those the operation has; fields of other operations are left as they are here.
 * Objects are known by the names the trace gives them ("root", "o1", ...). A row of NFSv4 has
 * compound in the place of procedure and arguments. A row of NFSv2 or NFSACL version 2 has the
 * procedure of version 3 that stands for it, as Nfs2Calls has it.
 */
struct TraceRow
{
    uint32_t line{0};              ///< Of the file.
    Time time;                     ///< Call, since the first operation of the trace.
    std::optional<Time> replyTime; ///< Absent: no reply was recorded.
    uint32_t client{0};            ///< Index into Trace::clients.
    std::string program;
    std::string operation;
    std::optional<NfsOperation> procedure; ///< Absent: an operation that can't be replayed.
    std::shared_ptr<const RecordedCompound> compound; ///< NFSv4; otherwise null.

    std::string object;
    std::string name;
    std::string object2; ///< RENAME and LINK: the other directory.
    std::string name2;   ///< RENAME and LINK: the new name.
    uint64_t offset{0};
    uint32_t count{0};
    StableHow stable{StableHow::UNSTABLE};
    CreateMode3 how{CreateMode3::UNCHECKED};
    Sattr3 attributes;
    std::optional<NfsTime3> guard;
    uint32_t access{0};
    TraceCookie cookie{TraceCookie::START};
    uint32_t dircount{0};
    uint32_t maxcount{0};
    std::string target;
    Ftype3 type{Ftype3::FIFO}; ///< MKNOD.
    SpecData3 spec;            ///< MKNOD.
    uint32_t mask{0};          ///< GETACL and SETACL.
    PosixAcl acl;              ///< SETACL.
    PosixAcl defaultAcl;       ///< SETACL.

    std::optional<uint32_t> status; ///< Number of the nfsstat3; absent: not recorded.
    std::string resultObject;
    std::optional<uint32_t> resultCount;
    std::optional<bool> resultEof;
    std::optional<uint32_t> resultEntries;
    std::optional<PosixAcl> resultAcl;        ///< GETACL; minimal when the object has none.
    std::optional<PosixAcl> resultDefaultAcl; ///< GETACL.
    uint64_t callOctets{0};                   ///< Of the whole RPC message; 0: not known.
    uint64_t replyOctets{0};                  ///< Of the whole RPC message; 0: not known.

    /// \return "OPERATION" of NFSv2 and v3, by version 3's name, "PROGRAM OPERATION" otherwise, as
    /// the summary counts them.
    [[nodiscard]] std::string GetName() const;
};

/// Who made the calls of a trace.
struct TraceClient
{
    std::string address;
    std::string machine;
    uint32_t uid{0};
    uint32_t gid{0};
    std::vector<uint32_t> gids;
};

/// A recording of NFS operations.
struct Trace
{
    std::string file;
    std::string source; ///< Name of the capture it was made from; may be empty.
    TraceVersion version{TraceVersion::V3};
    uint32_t rootHandleOctets{0};  ///< 0: not recorded.
    uint32_t otherHandleOctets{0}; ///< 0: not recorded.
    std::vector<TraceClient> clients;
    std::vector<TraceRow> rows; ///< In order of call time.

    /// \return the index of the trace's client whose rows the \p client th client of a cluster
    /// replays.
    [[nodiscard]] uint32_t GetTraceClient(uint32_t client) const
    {
        return clients.empty() ? 0 : client % static_cast<uint32_t>(clients.size());
    }

    /// \return the minor version of NFSv4 that it is of; nothing: it is of another version.
    [[nodiscard]] std::optional<uint32_t> GetMinorVersion() const;
    /// \return "2", "3", "4.1", ...; 3 for a trace of NFSv4 without a COMPOUND.
    [[nodiscard]] std::string GetNfsVersion() const;
    /// \return the name of the export that NFSv4 clients found; empty: not recorded.
    [[nodiscard]] std::string GetExportName() const;
    /// \return how many rows of each name can't be replayed.
    [[nodiscard]] std::map<std::string, uint64_t> CountUnsupported() const;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_REPLAY_TRACE_H
