/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/mix-setup.h"
#include "workload/generate/mix.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t OTHER_FILE_MODE = 0640;
constexpr uint32_t ALL_ACCESS = ACCESS3_READ | ACCESS3_LOOKUP | ACCESS3_MODIFY | ACCESS3_EXTEND |
                                ACCESS3_DELETE | ACCESS3_EXECUTE;

} // namespace

MixWorkload::Starter
MixWorkload::FindStarter(const std::string& name)
{
    static const std::map<std::string, Starter> starters{
        {"getattr", &MixWorkload::StartGetattr},
        {"setattr", &MixWorkload::StartSetattr},
        {"access", &MixWorkload::StartAccess},
        {"lookup", &MixWorkload::StartLookup},
        {"readlink", &MixWorkload::StartReadlink},
        {"read", &MixWorkload::StartRead},
        {"write", &MixWorkload::StartWrite},
        {"commit", &MixWorkload::StartCommit},
        {"create", &MixWorkload::StartCreate},
        {"symlink", &MixWorkload::StartSymlink},
        {"remove", &MixWorkload::StartRemove},
        {"readdir", &MixWorkload::StartReaddir},
        {"readdirplus", &MixWorkload::StartReaddirplus},
        {"fsstat", &MixWorkload::StartFsstat},
        {"read_plus", &MixWorkload::StartReadPlus},
        {"seek", &MixWorkload::StartSeek},
        {"allocate", &MixWorkload::StartAllocate},
        {"deallocate", &MixWorkload::StartDeallocate},
        {"copy", &MixWorkload::StartCopy},
        {"clone", &MixWorkload::StartClone},
    };
    const auto found = starters.find(name);
    return found == starters.end() ? nullptr : found->second;
}

template <typename Reply>
FileClient::Done<Reply>
MixWorkload::End(const char* item)
{
    return [this, item, began = Simulator::Now()](const Reply& reply) {
        EndOperation(item, began, 0, reply);
    };
}

void
MixWorkload::StartGetattr()
{
    GetFiles().GetAttributes(DrawFile().GetObject(), End<FileAttributesReply>("getattr"));
}

void
MixWorkload::StartSetattr()
{
    const FileRef object = DrawFile().GetObject();
    Sattr3 attributes;
    attributes.mode = m_nextMode++ % 2 == 0 ? OTHER_FILE_MODE : MIX_FILE_MODE;
    GetFiles().SetAttributes(object, nullptr, attributes, End<FileReply>("setattr"));
}

void
MixWorkload::StartAccess()
{
    GetFiles().Access(DrawFile().GetObject(), ALL_ACCESS, End<FileAccessReply>("access"));
}

void
MixWorkload::StartLookup()
{
    GetFiles().Lookup(m_directory, DrawFile().GetName(), End<FileObjectReply>("lookup"));
}

void
MixWorkload::StartReadlink()
{
    GetFiles().ReadLink(m_symlinks[Draw(m_fileStream, m_symlinks.size())],
                        End<FileLinkReply>("readlink"));
}

void
MixWorkload::StartCommit()
{
    GetFiles().Commit(DrawFile().GetFile(), 0, 0, End<FileCommitReply>("commit"));
}

void
MixWorkload::StartFsstat()
{
    GetFiles().GetFileSystem(GetMount().GetRootRef(), End<FileSystemReply>("fsstat"));
}

std::string
MixWorkload::MakeSpareName(char prefix)
{
    return prefix + std::to_string(m_nextSpare++);
}

void
MixWorkload::StartCreate()
{
    const std::string name = MakeSpareName('c');
    const Time began = Simulator::Now();
    FileOpenHow how;
    how.write = true;
    how.create = true;
    how.mode = CreateMode3::GUARDED;
    how.attributes.mode = MIX_FILE_MODE;
    GetFiles().Open(m_directory, name, how, [this, name, began](const FileOpenReply& reply) {
        if (!reply.IsOk() || !GetFiles().KeepsOpenState())
        {
            EndCreate(name, began, reply);
            return;
        }
        GetFiles().Close(reply.file, [this, name, began](const FileReply& closed) {
            EndCreate(name, began, closed);
        });
    });
}

void
MixWorkload::EndCreate(const std::string& name, Time began, const FileReply& reply)
{
    if (reply.IsOk())
    {
        m_spares.push_back(name);
    }
    EndOperation("create", began, 0, reply);
}

void
MixWorkload::StartSymlink()
{
    const std::string name = MakeSpareName('s');
    Sattr3 attributes;
    attributes.mode = MIX_LINK_MODE;
    GetFiles().MakeSymlink(m_directory,
                           name,
                           name,
                           attributes,
                           [this, name, began = Simulator::Now()](const FileObjectReply& reply) {
                               if (reply.IsOk())
                               {
                                   m_spares.push_back(name);
                               }
                               EndOperation("symlink", began, 0, reply);
                           });
}

void
MixWorkload::StartRemove()
{
    if (m_spares.empty())
    {
        StartCreate();
        return;
    }
    const std::string name = std::move(m_spares.front());
    m_spares.pop_front();
    GetFiles().Remove(m_directory, name, End<FileReply>("remove"));
}

bool
MixWorkload::DrawLargeDirectory() const
{
    return m_largeDirectoryFraction > 0 &&
           m_listingStream->GetValue(0, 1) < m_largeDirectoryFraction;
}

void
MixWorkload::StartReaddir()
{
    StartList("readdir", false, m_readdirCursor);
}

void
MixWorkload::StartReaddirplus()
{
    StartList("readdirplus", true, m_readdirplusCursor);
}

void
MixWorkload::StartList(const char* item, bool plus, Cursor& cursor)
{
    if (DrawLargeDirectory())
    {
        GetFiles().List(m_largeDirectory, 0, 0, m_directoryCount, plus, End<FileListReply>(item));
        return;
    }
    GetFiles().List(
        m_directory,
        cursor.cookie,
        cursor.verifier,
        m_directoryCount,
        plus,
        [this, item, &cursor, began = Simulator::Now()](const FileListReply& reply) {
            const bool goesOn = reply.IsOk() && !reply.eof && !reply.entries.empty();
            cursor = goesOn ? Cursor{reply.entries.back().cookie, reply.verifier} : Cursor{};
            EndOperation(item, began, 0, reply);
        });
}

void
MixWorkload::StartRead()
{
    DrawIo(IoKind::READ);
}

void
MixWorkload::StartWrite()
{
    DrawIo(IoKind::WRITE);
}

} // namespace ns3::nfsrdma
