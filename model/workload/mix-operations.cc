/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/mix-workload.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t FILE_MODE = 0644;
constexpr uint32_t OTHER_FILE_MODE = 0640;
constexpr uint32_t LINK_MODE = 0777;
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
    };
    const auto found = starters.find(name);
    return found == starters.end() ? nullptr : found->second;
}

template <typename Args>
void
MixWorkload::Issue(const Args& args)
{
    GetClient().Issue(args, [this](RpcRecord& record, const typename Args::Result& result) {
        EndOperation(Args::PROCEDURE, record, result.status);
    });
}

void
MixWorkload::StartGetattr()
{
    Issue(Getattr3Args{DrawFile().GetHandle()});
}

void
MixWorkload::StartSetattr()
{
    Setattr3Args args;
    args.object = DrawFile().GetHandle();
    args.attributes.mode = m_nextMode++ % 2 == 0 ? OTHER_FILE_MODE : FILE_MODE;
    Issue(args);
}

void
MixWorkload::StartAccess()
{
    Issue(Access3Args{DrawFile().GetHandle(), ALL_ACCESS});
}

void
MixWorkload::StartLookup()
{
    Issue(Lookup3Args{{m_directory, DrawFile().GetName()}});
}

void
MixWorkload::StartReadlink()
{
    Issue(Readlink3Args{m_symlinks[Draw(m_fileStream, m_symlinks.size())]});
}

void
MixWorkload::StartCommit()
{
    Issue(Commit3Args{DrawFile().GetHandle(), 0, 0});
}

void
MixWorkload::StartFsstat()
{
    Issue(Fsstat3Args{GetRoot()});
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
    Create3Args args{{m_directory, name}, CreateMode3::GUARDED, {}, {}};
    args.attributes.mode = FILE_MODE;
    GetClient().Issue(args, [this, name](RpcRecord& record, const Create3Res& result) {
        if (record.outcome == RpcOutcome::SUCCESS && result.status == Nfs3Status::OK)
        {
            m_spares.push_back(name);
        }
        EndOperation(Nfs3Procedure::CREATE, record, result.status);
    });
}

void
MixWorkload::StartSymlink()
{
    const std::string name = MakeSpareName('s');
    const ByteVector target(name.begin(), name.end());
    Symlink3Args args{{m_directory, name}, {}, Nfs3Data(target)};
    args.attributes.mode = LINK_MODE;
    GetClient().Issue(args, [this, name](RpcRecord& record, const Symlink3Res& result) {
        if (record.outcome == RpcOutcome::SUCCESS && result.status == Nfs3Status::OK)
        {
            m_spares.push_back(name);
        }
        EndOperation(Nfs3Procedure::SYMLINK, record, result.status);
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
    Issue(Remove3Args{{m_directory, name}});
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
    if (DrawLargeDirectory())
    {
        Issue(Readdir3Args{m_largeDirectory, 0, {}, m_directoryCount});
        return;
    }
    const Readdir3Args args{m_directory,
                            m_readdirCursor.cookie,
                            m_readdirCursor.verifier,
                            m_directoryCount};
    GetClient().Issue(args, [this](RpcRecord& record, const Readdir3Res& result) {
        const bool goesOn = record.outcome == RpcOutcome::SUCCESS &&
                            result.status == Nfs3Status::OK && !result.eof &&
                            !result.entries.empty();
        m_readdirCursor =
            goesOn ? Cursor{result.entries.back().cookie, result.cookieVerifier} : Cursor{};
        EndOperation(Nfs3Procedure::READDIR, record, result.status);
    });
}

void
MixWorkload::StartReaddirplus()
{
    if (DrawLargeDirectory())
    {
        Issue(Readdirplus3Args{m_largeDirectory, 0, {}, m_directoryCount, m_directoryCount});
        return;
    }
    const Readdirplus3Args args{m_directory,
                                m_readdirplusCursor.cookie,
                                m_readdirplusCursor.verifier,
                                m_directoryCount,
                                m_directoryCount};
    GetClient().Issue(args, [this](RpcRecord& record, const Readdirplus3Res& result) {
        const bool goesOn = record.outcome == RpcOutcome::SUCCESS &&
                            result.status == Nfs3Status::OK && !result.eof &&
                            !result.entries.empty();
        m_readdirplusCursor =
            goesOn ? Cursor{result.entries.back().cookie, result.cookieVerifier} : Cursor{};
        EndOperation(Nfs3Procedure::READDIRPLUS, record, result.status);
    });
}

void
MixWorkload::StartRead()
{
    DrawIo(false);
}

void
MixWorkload::StartWrite()
{
    DrawIo(true);
}

void
MixWorkload::DrawIo(bool write)
{
    Io io;
    io.write = write;
    io.file = Draw(m_fileStream, m_files.size());
    const uint32_t size = m_sizes[m_ioSizes.Choose(Draw(m_sizeStream, m_ioSizes.GetTotal()))];
    io.size = static_cast<uint32_t>(std::min<uint64_t>(size, m_fileSize));
    const uint64_t places = (m_fileSize - io.size) / m_ioAlignment + 1;
    io.offset = Draw(m_offsetStream, places) * m_ioAlignment;
    if (PlaceIo(io))
    {
        IssueIo(io);
    }
    else
    {
        m_waitingIos.push_back(io);
    }
}

bool
MixWorkload::PlaceIo(Io& io) const
{
    if (m_allowOverlap)
    {
        return true;
    }
    const uint64_t places = (m_fileSize - io.size) / m_ioAlignment + 1;
    const uint64_t first = io.offset / m_ioAlignment;
    for (std::size_t i = 0; i < m_files.size(); ++i)
    {
        const std::size_t file = (io.file + i) % m_files.size();
        for (uint64_t j = 0; j < places; ++j)
        {
            const uint64_t offset = (first + j) % places * m_ioAlignment;
            if (m_files[file].IsFree(OctetRange::Of(offset, io.size), io.write))
            {
                io.file = file;
                io.offset = offset;
                return true;
            }
        }
    }
    return false;
}

void
MixWorkload::IssueIo(const Io& io)
{
    MixFile& file = m_files[io.file];
    file.Acquire(OctetRange::Of(io.offset, io.size), io.write);
    if (io.write)
    {
        const auto stable = static_cast<StableHow>(m_stable);
        GetClient().Issue(Write3Args{file.GetHandle(), io.offset, io.size, stable, {}},
                          [this, io](RpcRecord& record, const Write3Res& result) {
                              EndIo(io);
                              EndOperation(Nfs3Procedure::WRITE, record, result.status);
                          });
        return;
    }
    GetClient().Issue(Read3Args{file.GetHandle(), io.offset, io.size},
                      [this, io](RpcRecord& record, const Read3Res& result) {
                          EndIo(io);
                          EndOperation(Nfs3Procedure::READ, record, result.status);
                      });
}

void
MixWorkload::EndIo(const Io& io)
{
    m_files[io.file].Release(OctetRange::Of(io.offset, io.size), io.write);
    for (auto waiting = m_waitingIos.begin(); waiting != m_waitingIos.end();)
    {
        Io next = *waiting;
        if (!PlaceIo(next))
        {
            ++waiting;
            continue;
        }
        waiting = m_waitingIos.erase(waiting);
        IssueIo(next);
    }
}

} // namespace ns3::nfsrdma
