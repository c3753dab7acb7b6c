/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/mix-operations.h"

#include <map>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t OTHER_FILE_MODE = 0640;
constexpr uint32_t ALL_ACCESS = ACCESS3_READ | ACCESS3_LOOKUP | ACCESS3_MODIFY | ACCESS3_EXTEND |
                                ACCESS3_DELETE | ACCESS3_EXECUTE;

} // namespace

MixOperations::MixOperations(VerifyingFileClient& client,
                             FileRef root,
                             const MixTree& tree,
                             MixRanges& ranges,
                             const Settings& settings,
                             Ptr<UniformRandomVariable> files,
                             Ptr<UniformRandomVariable> stream,
                             MixEnd end)
    : m_client(client),
      m_root(std::move(root)),
      m_tree(tree),
      m_ranges(ranges),
      m_settings(settings),
      m_fileStream(files),
      m_listingStream(stream),
      m_end(std::move(end))
{
}

MixOperations::Starter
MixOperations::Find(const std::string& name)
{
    static const std::map<std::string, Starter> starters{
        {"getattr", &MixOperations::Getattr},
        {"setattr", &MixOperations::Setattr},
        {"access", &MixOperations::Access},
        {"lookup", &MixOperations::Lookup},
        {"readlink", &MixOperations::Readlink},
        {"commit", &MixOperations::Commit},
        {"create", &MixOperations::Create},
        {"symlink", &MixOperations::Symlink},
        {"remove", &MixOperations::Remove},
        {"readdir", &MixOperations::Readdir},
        {"readdirplus", &MixOperations::Readdirplus},
        {"fsstat", &MixOperations::Fsstat},
        {"seek", [](MixOperations& operations) { operations.m_ranges.StartSeek(); }},
    };
    if (const auto kind = MixRanges::Find(name))
    {
        return [kind](MixOperations& operations) { operations.m_ranges.Start(*kind); };
    }
    const auto found = starters.find(name);
    return found == starters.end() ? nullptr : found->second;
}

std::function<void(const FileReply&)>
MixOperations::End(const char* item, std::string spare)
{
    return [this, item, spare = std::move(spare), arrived = m_arrived](const FileReply& reply) {
        if (!spare.empty() && reply.IsOk())
        {
            m_spares->push_back(spare);
        }
        m_end(item, arrived, 0, reply);
    };
}

const MixFile&
MixOperations::DrawFile()
{
    return m_tree.files[DrawIndex(*m_fileStream, m_tree.files.size())];
}

void
MixOperations::Getattr()
{
    m_client.Run(FileGetAttributes{DrawFile().GetObject()}, End("getattr"));
}

void
MixOperations::Setattr()
{
    const FileRef object = DrawFile().GetObject();
    Sattr3 attributes;
    attributes.mode = m_nextMode++ % 2 == 0 ? OTHER_FILE_MODE : MIX_FILE_MODE;
    m_client.Run(FileSetAttributes{object, nullptr, attributes}, End("setattr"));
}

void
MixOperations::Access()
{
    m_client.Run(FileAccess{DrawFile().GetObject(), ALL_ACCESS}, End("access"));
}

void
MixOperations::Lookup()
{
    m_client.Run(FileLookup{{m_tree.directory, DrawFile().GetName()}}, End("lookup"));
}

void
MixOperations::Readlink()
{
    const auto index = DrawIndex(*m_fileStream, m_tree.symlinks.size());
    m_client.Run(FileReadLink{m_tree.symlinks[index]}, End("readlink"));
}

void
MixOperations::Commit()
{
    m_client.Run(FileCommit{DrawFile().GetFile(), 0, 0}, End("commit"));
}

void
MixOperations::Fsstat()
{
    m_client.Run(FileGetFileSystem{m_root}, End("fsstat"));
}

void
MixOperations::Create()
{
    const std::string name = m_prefix + 'c' + std::to_string(m_nextSpare++);
    FileOpenHow how;
    how.write = true;
    how.create = true;
    how.mode = CreateMode3::GUARDED;
    how.attributes.mode = MIX_FILE_MODE;
    m_client.Run(FileOpen{{m_tree.directory, name}, how},
                 [this, end = End("create", name)](const FileOpenReply& reply) {
                     if (!reply.IsOk() || !m_client.KeepsOpenState())
                     {
                         end(reply);
                         return;
                     }
                     m_client.Run(FileClose{reply.file}, end);
                 });
}

void
MixOperations::Symlink()
{
    const std::string name = m_prefix + 's' + std::to_string(m_nextSpare++);
    Sattr3 attributes;
    attributes.mode = MIX_LINK_MODE;
    m_client.Run(FileMakeSymlink{{m_tree.directory, name}, {name.begin(), name.end()}, attributes},
                 End("symlink", name));
}

void
MixOperations::Remove()
{
    if (m_spares->empty())
    {
        Create();
        return;
    }
    const std::string name = std::move(m_spares->front());
    m_spares->pop_front();
    m_client.Run(FileRemove{{m_tree.directory, name}}, End("remove"));
}

void
MixOperations::Readdir()
{
    List("readdir", false, m_readdirCursor);
}

void
MixOperations::Readdirplus()
{
    List("readdirplus", true, m_readdirplusCursor);
}

void
MixOperations::List(const char* item, bool plus, Cursor& cursor)
{
    const double large = m_settings.largeDirectoryFraction;
    const uint32_t count = m_settings.directoryCount;
    if (large > 0 && m_listingStream->GetValue(0, 1) < large)
    {
        m_client.Run(FileList{m_tree.largeDirectory, 0, 0, count, plus}, End(item));
        return;
    }
    m_client.Run(
        FileList{m_tree.directory, cursor.cookie, cursor.verifier, count, plus},
        [&cursor, end = End(item)](const FileListReply& reply) {
            const bool goesOn = reply.IsOk() && !reply.eof && !reply.entries.empty();
            cursor = goesOn ? Cursor{reply.entries.back().cookie, reply.verifier} : Cursor{};
            end(reply);
        });
}

} // namespace ns3::nfsrdma
