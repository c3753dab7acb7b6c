/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/replay/trace-reader.h"

#include "nfs/v2/types2.h"
#include "workload/replay/compound-trace-reader.h"
#include "workload/replay/csv-fields.h"
#include "workload/replay/trace-header.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

enum Column : std::size_t
{
    PROGRAM = 3, ///< After what ReadTraceRowHead() reads.
    OPERATION,
    OBJECT,
    NAME,
    OBJECT2,
    NAME2,
    OFFSET,
    COUNT,
    STABLE,
    HOW,
    MODE,
    UID,
    GID,
    SIZE,
    ATIME,
    MTIME,
    GUARD,
    ACCESS,
    COOKIE,
    DIRCOUNT,
    MAXCOUNT,
    TARGET,
    SPEC,
    MASK,
    ACL,
    DEFAULT_ACL,
    STATUS,
    RESULT_OBJECT,
    RESULT_COUNT,
    RESULT_EOF,
    RESULT_ENTRIES,
    RESULT_ACL,
    RESULT_DEFAULT_ACL,
    CALL_OCTETS,
    REPLY_OCTETS
};

constexpr uint32_t MAX32 = std::numeric_limits<uint32_t>::max();
constexpr int HEXADECIMAL = 16;
constexpr int64_t NANOSECONDS_PER_SECOND = 1000000000;

std::string
Needs(const TraceRow& row, const std::string& what)
{
    return what + ", which " + row.operation + " needs";
}

template <typename Enum, std::size_t N>
Enum
ReadName(CsvFields& fields,
         Column column,
         const std::array<std::pair<std::string_view, Enum>, N>& names)
{
    std::string expected;
    for (const auto& [name, value] : names)
    {
        if (fields.Text(column) == name)
        {
            return value;
        }
        expected += (expected.empty() ? "" : " or ") + std::string(name);
    }
    fields.Fail(column, expected);
    return names[0].second;
}

constexpr std::array<std::pair<std::string_view, StableHow>, 3> STABLE_NAMES{
    {{"UNSTABLE", StableHow::UNSTABLE},
     {"DATA_SYNC", StableHow::DATA_SYNC},
     {"FILE_SYNC", StableHow::FILE_SYNC}}};
constexpr std::array<std::pair<std::string_view, CreateMode3>, 3> HOW_NAMES{
    {{"UNCHECKED", CreateMode3::UNCHECKED},
     {"GUARDED", CreateMode3::GUARDED},
     {"EXCLUSIVE", CreateMode3::EXCLUSIVE}}};
constexpr std::array<std::pair<std::string_view, TraceCookie>, 2> COOKIE_NAMES{
    {{"start", TraceCookie::START}, {"next", TraceCookie::NEXT}}};

std::optional<NfsTime3>
ToNfsTime(std::string_view text)
{
    const auto nanoseconds = ParseSeconds(text);
    if (!nanoseconds || *nanoseconds / NANOSECONDS_PER_SECOND > MAX32)
    {
        return std::nullopt;
    }
    return NfsTime3{static_cast<uint32_t>(*nanoseconds / NANOSECONDS_PER_SECOND),
                    static_cast<uint32_t>(*nanoseconds % NANOSECONDS_PER_SECOND)};
}

SetTime3
ReadSetTime(CsvFields& fields, Column column)
{
    if (fields.IsEmpty(column))
    {
        return {};
    }
    if (fields.Text(column) == "server")
    {
        return {TimeHow::SET_TO_SERVER_TIME, {}};
    }
    const auto time = ToNfsTime(fields.Text(column));
    if (!time)
    {
        fields.Fail(column, "nothing, 'server' or seconds as 1.000000000");
        return {};
    }
    return {TimeHow::SET_TO_CLIENT_TIME, *time};
}

Sattr3
ReadAttributes(CsvFields& fields)
{
    Sattr3 attributes;
    attributes.mode = fields.Mode(MODE);
    attributes.uid = fields.Number32(UID);
    attributes.gid = fields.Number32(GID);
    attributes.size = fields.Number(SIZE);
    attributes.atime = ReadSetTime(fields, ATIME);
    attributes.mtime = ReadSetTime(fields, MTIME);
    return attributes;
}

void
ReadSpec(CsvFields& fields, TraceRow& row)
{
    const auto parts = Split(fields.Text(SPEC), ':');
    if (parts.size() == 1 && (parts[0] == "FIFO" || parts[0] == "SOCK"))
    {
        row.type = parts[0] == "FIFO" ? Ftype3::FIFO : Ftype3::SOCK;
        return;
    }
    if (parts.size() == 3 && (parts[0] == "CHR" || parts[0] == "BLK"))
    {
        const auto major = ParseUnsigned(parts[1], MAX32);
        const auto minor = ParseUnsigned(parts[2], MAX32);
        if (major && minor)
        {
            row.type = parts[0] == "CHR" ? Ftype3::CHR : Ftype3::BLK;
            row.spec = {static_cast<uint32_t>(*major), static_cast<uint32_t>(*minor)};
            return;
        }
    }
    fields.Fail(SPEC, "FIFO, SOCK, CHR:major:minor or BLK:major:minor");
}

void
ReadStatus(CsvFields& fields, TraceRow& row)
{
    if (fields.IsEmpty(STATUS))
    {
        return;
    }
    if (const auto named = ParseNfs3Status(fields.Text(STATUS)))
    {
        row.status = static_cast<uint32_t>(*named);
        return;
    }
    const auto number = ParseUnsigned(fields.Text(STATUS), MAX32);
    if (!number)
    {
        fields.Fail(STATUS, "an nfsstat3 by name (NFS3_OK, NFS3ERR_NOENT, ...) or number");
        return;
    }
    row.status = static_cast<uint32_t>(*number);
}

void
ReadObject(CsvFields& fields, TraceRow& row)
{
    row.object = fields.Required(OBJECT, Needs(row, "an object"));
}

void
ReadObjectAndName(CsvFields& fields, TraceRow& row)
{
    ReadObject(fields, row);
    row.name = fields.Required(NAME, Needs(row, "a name"));
}

void
ReadObjectAndName2(CsvFields& fields, TraceRow& row)
{
    row.object2 = fields.Required(OBJECT2, Needs(row, "an object"));
    row.name2 = fields.Required(NAME2, Needs(row, "a name"));
}

void
ReadRange(CsvFields& fields, TraceRow& row)
{
    ReadObject(fields, row);
    row.offset = fields.RequiredNumber(OFFSET);
    row.count = static_cast<uint32_t>(fields.RequiredNumber(COUNT, MAX32));
}

uint32_t
ReadMask(CsvFields& fields, Column column, const TraceRow& row)
{
    std::string_view text = fields.Text(column);
    if (text.substr(0, 2) == "0x")
    {
        text.remove_prefix(2);
    }
    const auto mask = ParseUnsigned(text, MAX32, HEXADECIMAL);
    if (!mask)
    {
        fields.Fail(column, Needs(row, "a hexadecimal mask"));
    }
    return static_cast<uint32_t>(mask.value_or(0));
}

PosixAcl
ReadAcl(CsvFields& fields, Column column)
{
    auto acl = ParsePosixAcl(fields.Text(column));
    if (!acl || acl->size() > NFS_ACL_MAX_ENTRIES)
    {
        fields.Fail(column, "nothing or an access list as user::rw-,group::r--,other::r--");
        return {};
    }
    return *std::move(acl);
}

void
ReadArguments(CsvFields& fields, TraceRow& row, NfsAcl3Procedure procedure)
{
    if (procedure == NfsAcl3Procedure::NULLPROC)
    {
        return;
    }
    ReadObject(fields, row);
    row.mask = ReadMask(fields, MASK, row);
    if (procedure == NfsAcl3Procedure::SETACL)
    {
        row.attributes.uid = fields.Number32(UID);
        row.attributes.gid = fields.Number32(GID);
        row.acl = ReadAcl(fields, ACL);
        row.defaultAcl = ReadAcl(fields, DEFAULT_ACL);
    }
}

void
ReadArguments(CsvFields& fields, TraceRow& row, Nfs3Procedure procedure)
{
    const bool isVersion2 = row.program == "NFS2";
    switch (procedure)
    {
    case Nfs3Procedure::NULLPROC:
        break;
    case Nfs3Procedure::GETATTR:
    case Nfs3Procedure::READLINK:
    case Nfs3Procedure::FSSTAT:
    case Nfs3Procedure::FSINFO:
    case Nfs3Procedure::PATHCONF:
        ReadObject(fields, row);
        break;
    case Nfs3Procedure::SETATTR:
        ReadObject(fields, row);
        row.attributes = ReadAttributes(fields);
        if (!fields.IsEmpty(GUARD))
        {
            row.guard = ToNfsTime(fields.Text(GUARD));
            if (!row.guard)
            {
                fields.Fail(GUARD, "nothing or seconds as 1.000000000");
            }
        }
        break;
    case Nfs3Procedure::LOOKUP:
    case Nfs3Procedure::REMOVE:
    case Nfs3Procedure::RMDIR:
        ReadObjectAndName(fields, row);
        break;
    case Nfs3Procedure::ACCESS:
        ReadObject(fields, row);
        row.access = ReadMask(fields, ACCESS, row);
        break;
    case Nfs3Procedure::READ:
    case Nfs3Procedure::COMMIT:
        ReadRange(fields, row);
        break;
    case Nfs3Procedure::WRITE:
        ReadRange(fields, row);
        row.stable = isVersion2 ? StableHow::FILE_SYNC : ReadName(fields, STABLE, STABLE_NAMES);
        break;
    case Nfs3Procedure::CREATE:
        ReadObjectAndName(fields, row);
        row.how = isVersion2 ? CreateMode3::UNCHECKED : ReadName(fields, HOW, HOW_NAMES);
        row.attributes = ReadAttributes(fields);
        break;
    case Nfs3Procedure::MKDIR:
        ReadObjectAndName(fields, row);
        row.attributes = ReadAttributes(fields);
        break;
    case Nfs3Procedure::SYMLINK:
        ReadObjectAndName(fields, row);
        row.attributes = ReadAttributes(fields);
        row.target = fields.Required(TARGET, Needs(row, "a path"));
        break;
    case Nfs3Procedure::MKNOD:
        ReadObjectAndName(fields, row);
        row.attributes = ReadAttributes(fields);
        ReadSpec(fields, row);
        break;
    case Nfs3Procedure::RENAME:
        ReadObjectAndName(fields, row);
        ReadObjectAndName2(fields, row);
        break;
    case Nfs3Procedure::LINK:
        ReadObject(fields, row);
        ReadObjectAndName2(fields, row);
        break;
    case Nfs3Procedure::READDIRPLUS:
        row.dircount = static_cast<uint32_t>(fields.RequiredNumber(DIRCOUNT, MAX32));
        [[fallthrough]];
    case Nfs3Procedure::READDIR:
        ReadObject(fields, row);
        row.cookie = ReadName(fields, COOKIE, COOKIE_NAMES);
        row.maxcount = static_cast<uint32_t>(fields.RequiredNumber(MAXCOUNT, MAX32));
        break;
    }
}

void
ReadResults(CsvFields& fields, TraceRow& row)
{
    ReadStatus(fields, row);
    row.resultObject = fields.Text(RESULT_OBJECT);
    row.resultCount = fields.Number32(RESULT_COUNT);
    if (!fields.IsEmpty(RESULT_EOF))
    {
        const auto flag = ParseUnsigned(fields.Text(RESULT_EOF), 1);
        if (!flag)
        {
            fields.Fail(RESULT_EOF, "0 or 1");
        }
        row.resultEof = flag == 1U;
    }
    row.resultEntries = fields.Number32(RESULT_ENTRIES);
    if (!fields.IsEmpty(RESULT_ACL))
    {
        row.resultAcl = ReadAcl(fields, RESULT_ACL);
    }
    if (!fields.IsEmpty(RESULT_DEFAULT_ACL))
    {
        row.resultDefaultAcl = ReadAcl(fields, RESULT_DEFAULT_ACL);
    }
}

/// \return the procedure of version 3 that stands for one of version 2.
std::optional<NfsOperation>
ParseNfs2Operation(const std::string& operation, bool isSpecial)
{
    if (operation == ToString(Nfs2Procedure::STATFS))
    {
        return Nfs3Procedure::FSSTAT;
    }
    const auto procedure = ParseNfs3Procedure(operation);
    if (!procedure)
    {
        return std::nullopt;
    }
    switch (*procedure)
    {
    case Nfs3Procedure::CREATE:
        return isSpecial ? Nfs3Procedure::MKNOD : Nfs3Procedure::CREATE;
    case Nfs3Procedure::ACCESS:
    case Nfs3Procedure::MKNOD:
    case Nfs3Procedure::READDIRPLUS:
    case Nfs3Procedure::FSSTAT:
    case Nfs3Procedure::FSINFO:
    case Nfs3Procedure::PATHCONF:
    case Nfs3Procedure::COMMIT:
        return std::nullopt;
    default:
        return *procedure;
    }
}

std::optional<NfsOperation>
ParseOperation(const TraceRow& row, TraceVersion version, bool isSpecial)
{
    const bool isVersion2 = version == TraceVersion::V2;
    if (row.program == "NFS2" && isVersion2)
    {
        return ParseNfs2Operation(row.operation, isSpecial);
    }
    if (row.program == "NFS3" && !isVersion2)
    {
        const auto procedure = ParseNfs3Procedure(row.operation);
        return procedure ? std::optional<NfsOperation>(*procedure) : std::nullopt;
    }
    if (row.program == (isVersion2 ? "NFSACL2" : "NFSACL3"))
    {
        const auto procedure = ParseNfsAcl3Procedure(row.operation);
        return procedure ? std::optional<NfsOperation>(*procedure) : std::nullopt;
    }
    return std::nullopt;
}

Parsed<TraceRow>
ReadRow(const Trace& trace, const CsvRecord& record)
{
    CsvFields fields(trace.file, TraceReader::GetColumns(), record);
    TraceRow row;
    ReadTraceRowHead(fields, record, trace, row);
    row.program = fields.Required(PROGRAM, "the name of a program, as NFS3");
    row.operation = fields.Required(OPERATION, "the name of an operation, as GETATTR");
    row.procedure = ParseOperation(row, trace.version, !fields.IsEmpty(SPEC));
    if (fields.Ok() && row.procedure)
    {
        if (const auto nfs = row.procedure->GetNfs3())
        {
            ReadArguments(fields, row, *nfs);
        }
        else
        {
            ReadArguments(fields, row, *row.procedure->GetNfsAcl3());
        }
        ReadResults(fields, row);
    }
    row.callOctets = fields.Number(CALL_OCTETS).value_or(0);
    row.replyOctets = fields.Number(REPLY_OCTETS).value_or(0);
    if (!fields.Ok())
    {
        return tl::unexpected(fields.GetError());
    }
    return row;
}

/// What version the rows are of.
TraceVersion
FindVersion(const CsvTable& table)
{
    for (const auto& record : table.records)
    {
        const std::string& program = record.fields[PROGRAM];
        if (program == "NFS2" || program == "NFS3")
        {
            return program == "NFS2" ? TraceVersion::V2 : TraceVersion::V3;
        }
    }
    return TraceVersion::V3;
}

/// Refuses handles that version 2 has no room for.
Parsed<void>
CheckHandles(const Trace& trace)
{
    const uint32_t octets = std::max(trace.rootHandleOctets, trace.otherHandleOctets);
    if (trace.version == TraceVersion::V2 && octets > NFS2_FHSIZE)
    {
        return tl::unexpected(InputError{trace.file,
                                         0,
                                         "",
                                         "handles of 32 octets at most with rows of NFS2",
                                         std::to_string(octets)});
    }
    return {};
}

} // namespace

const std::vector<std::string>&
TraceReader::GetColumns()
{
    static const std::vector<std::string> columns{
        "time",        "reply_time",     "client",        "program",
        "operation",   "object",         "name",          "object2",
        "name2",       "offset",         "count",         "stable",
        "how",         "mode",           "uid",           "gid",
        "size",        "atime",          "mtime",         "guard",
        "access",      "cookie",         "dircount",      "maxcount",
        "target",      "spec",           "mask",          "acl",
        "default_acl", "status",         "result_object", "result_count",
        "result_eof",  "result_entries", "result_acl",    "result_default_acl",
        "call_octets", "reply_octets"};
    return columns;
}

Parsed<Trace>
TraceReader::Read(const std::string& path)
{
    return ReadInputFile(path).and_then(
        [&path](const std::string& content) { return Parse(path, content); });
}

Parsed<Trace>
TraceReader::Parse(const std::string& file, std::string_view content)
{
    if (CompoundTraceReader::Recognizes(content))
    {
        return CompoundTraceReader::Parse(file, content);
    }
    const auto table = CsvTable::Parse(file, content, GetColumns());
    if (!table)
    {
        return tl::unexpected(table.error());
    }
    Trace trace;
    trace.file = file;
    trace.version = FindVersion(*table);
    const auto header =
        ParseTraceHeader(*table, trace).and_then([&trace] { return CheckHandles(trace); });
    if (!header)
    {
        return tl::unexpected(header.error());
    }
    return ReadTraceRows(*table, std::move(trace), ReadRow);
}

} // namespace ns3::nfsrdma
