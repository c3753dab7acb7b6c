/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/mount/mnt-server.h"

#include "ns3/abort.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(MountServer);

namespace
{

/// The flavours' numbers: AUTH_SYS, and RFC 2623 section 4.2's pseudo flavours.
constexpr std::array<std::pair<const char*, uint32_t>, 4> FLAVORS{
    {{"sys", 1}, {"krb5", 390003}, {"krb5i", 390004}, {"krb5p", 390005}}};

} // namespace

void
MountTable::Add(const MountEntry& entry)
{
    const auto same = [&entry](const MountEntry& other) {
        return other.host == entry.host && other.path == entry.path;
    };
    if (std::none_of(m_entries.begin(), m_entries.end(), same))
    {
        m_entries.push_back(entry);
    }
}

void
MountTable::Remove(const MountEntry& entry)
{
    m_entries.erase(std::remove_if(m_entries.begin(),
                                   m_entries.end(),
                                   [&entry](const MountEntry& other) {
                                       return other.host == entry.host && other.path == entry.path;
                                   }),
                    m_entries.end());
}

void
MountTable::RemoveAll(const std::string& host)
{
    m_entries.erase(std::remove_if(m_entries.begin(),
                                   m_entries.end(),
                                   [&host](const MountEntry& other) { return other.host == host; }),
                    m_entries.end());
}

TypeId
MountServer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::MountServer").SetParent<RpcProgram>().SetGroupName("NfsRdma");
    return tid;
}

MountServer::MountServer(uint32_t version, std::shared_ptr<MountTable> table)
    : m_version(version),
      m_table(std::move(table)),
      m_flavors{FLAVORS.front().second}
{
}

void
MountServer::DoDispose()
{
    m_store = nullptr;
    RpcProgram::DoDispose();
}

void
MountServer::SetFlavors(const std::string& names)
{
    m_flavors.clear();
    std::istringstream stream(names);
    for (std::string name; std::getline(stream, name, ',');)
    {
        const auto found =
            std::find_if(FLAVORS.begin(), FLAVORS.end(), [&name](const auto& flavor) {
                return flavor.first == name;
            });
        NS_ABORT_MSG_IF(found == FLAVORS.end(), "no security flavour " << name);
        m_flavors.push_back(found->second);
    }
}

uint32_t
MountServer::GetProgram() const
{
    return MOUNT_PROGRAM;
}

std::string
MountServer::GetPath(const std::string& exportName)
{
    return exportName.rfind('/', 0) == 0 ? exportName : "/" + exportName;
}

RpcServerReply
MountServer::Serve(const RpcServerCall& call)
{
    const std::string host = call.source.ToString();
    switch (static_cast<MountProcedure>(call.header.procedure))
    {
    case MountProcedure::NULLPROC:
        return ServeStub<MountNull>(call, [](const XdrVoid&) { return XdrVoid(); });
    case MountProcedure::MNT:
        if (m_version == MOUNT_V3)
        {
            return ServeStub<MountMnt3>(call, [this, &host](const MountPath& args) {
                return Mount3(host, args.path);
            });
        }
        return ServeStub<MountMnt1>(call, [this, &host](const MountPath& args) {
            return Mount1(host, args.path);
        });
    case MountProcedure::DUMP:
        return ServeStub<MountDump>(call, [this](const XdrVoid&) {
            return MountList{m_table->GetEntries()};
        });
    case MountProcedure::UMNT:
        return ServeStub<MountUmnt>(call, [this, &host](const MountPath& args) {
            m_table->Remove({host, args.path});
            return XdrVoid();
        });
    case MountProcedure::UMNTALL:
        return ServeStub<MountUmntall>(call, [this, &host](const XdrVoid&) {
            m_table->RemoveAll(host);
            return XdrVoid();
        });
    case MountProcedure::EXPORT:
        return ServeStub<MountExport>(call, [this](const XdrVoid&) { return ListExports(); });
    case MountProcedure::EXPORTALL:
        if (m_version == MOUNT_V3)
        {
            break;
        }
        return ServeStub<MountExportAll>(call, [this](const XdrVoid&) { return ListExports(); });
    case MountProcedure::PATHCONF:
        if (m_version != MOUNT_V2)
        {
            break;
        }
        return ServeStub<MountPathConf>(call, [this](const MountPath& args) {
            return GetPathConf(args.path);
        });
    }
    return RefuseStubCall(RpcAcceptStatus::PROC_UNAVAIL);
}

MountServer::Found
MountServer::Find(const std::string& path) const
{
    MountStatus status = path.rfind('/', 0) == 0 ? MountStatus::ACCES : MountStatus::NOENT;
    for (const std::string& name : m_store->GetExports())
    {
        const std::string root = GetPath(name);
        const bool below =
            path.size() > root.size() && path.compare(0, root.size() + 1, root + "/") == 0;
        if (path != root && !below)
        {
            continue;
        }
        status = MountStatus::NOENT;
        const auto found = m_store->FindPath(*m_store->GetExport(name),
                                             below ? path.substr(root.size() + 1) : std::string());
        if (found)
        {
            return {m_store->Get(*found).directory ? MountStatus::OK : MountStatus::NOTDIR, *found};
        }
    }
    return {status, 0};
}

Mount3Res
MountServer::Mount3(const std::string& host, const std::string& path)
{
    Mount3Res results;
    const Found found = Find(path);
    results.status = found.status;
    if (found.status == MountStatus::OK)
    {
        results.handle = m_store->GetHandle(found.directory);
        results.flavors = m_flavors;
        m_table->Add({host, path});
    }
    return results;
}

Mount1Res
MountServer::Mount1(const std::string& host, const std::string& path)
{
    Mount1Res results;
    const Found found = Find(path);
    results.status = found.status;
    if (found.status == MountStatus::OK)
    {
        const NfsFh3 handle = m_store->GetHandle(found.directory);
        if (handle.length > Mount1Res::HANDLE)
        {
            results.status = MountStatus::INVAL;
            return results;
        }
        std::copy_n(handle.octets.begin(), handle.length, results.handle.begin());
        m_table->Add({host, path});
    }
    return results;
}

Mount2PathConf
MountServer::GetPathConf(const std::string& path) const
{
    constexpr uint32_t TERMINAL_LINE = 255; // MAX_CANON and MAX_INPUT of Linux.
    constexpr uint32_t PAGE = 4096;         // PATH_MAX and PIPE_BUF.
    Mount2PathConf results;
    if (Find(path).status == MountStatus::OK)
    {
        results.linkMax = m_store->GetFileSystem().GetSettings().maxLinks;
        results.maxCanon = TERMINAL_LINE;
        results.maxInput = TERMINAL_LINE;
        results.nameMax = NFS3_MAXNAMLEN;
        results.pathMax = PAGE;
        results.pipeBuf = PAGE;
    }
    return results;
}

ExportList
MountServer::ListExports() const
{
    ExportList list;
    for (const std::string& name : m_store->GetExports())
    {
        list.exports.push_back({GetPath(name), {"*"}});
    }
    return list;
}

} // namespace ns3::nfsrdma
