/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/masks.h"
#include "nfs/v4/client/mounted-files-run.h"

namespace ns3::nfsrdma
{

namespace
{

const Nfs4HeldState::OpenPtr&
GetOpenOf(const std::shared_ptr<OpenFile>& file)
{
    const auto* opened = dynamic_cast<const Nfs4OpenFile*>(file.get());
    NS_ASSERT_MSG(opened != nullptr, "the file was opened by another client");
    return opened->GetOpen();
}

} // namespace

void
Nfs4FileClient::Allocate(const std::shared_ptr<OpenFile>& file,
                         uint64_t offset,
                         uint64_t length,
                         Done<FileReply> done)
{
    const auto task = MakeTask(
        [this, file, offset, length](Compound4Args& compound) {
            const auto& handle = GetOpenOf(file)->file;
            compound.ops.emplace_back(PutfhArgs4{handle});
            compound.ops.emplace_back(AllocateArgs4{
                m_client->GetHeld().SelectStateId(handle, OPEN4_SHARE_ACCESS_WRITE, true),
                offset,
                length});
            compound.ops.emplace_back(GetattrArgs4{MakeObjectMask()});
        },
        false);
    task->open = GetOpenOf(file);
    Run<FileReply>(task, TakeNothing, Track(std::move(done)));
}

void
Nfs4FileClient::Deallocate(const std::shared_ptr<OpenFile>& file,
                           uint64_t offset,
                           uint64_t length,
                           Done<FileReply> done)
{
    const auto task = MakeTask(
        [this, file, offset, length](Compound4Args& compound) {
            const auto& handle = GetOpenOf(file)->file;
            compound.ops.emplace_back(PutfhArgs4{handle});
            compound.ops.emplace_back(DeallocateArgs4{
                m_client->GetHeld().SelectStateId(handle, OPEN4_SHARE_ACCESS_WRITE, true),
                offset,
                length});
            compound.ops.emplace_back(GetattrArgs4{MakeObjectMask()});
        },
        false);
    task->open = GetOpenOf(file);
    Run<FileReply>(task, TakeNothing, Track(std::move(done)));
}

void
Nfs4FileClient::Seek(const std::shared_ptr<OpenFile>& file,
                     uint64_t offset,
                     DataContent4 what,
                     Done<SeekReply> done)
{
    const auto task = MakeTask(
        [this, file, offset, what](Compound4Args& compound) {
            const auto& handle = GetOpenOf(file)->file;
            compound.ops.emplace_back(PutfhArgs4{handle});
            compound.ops.emplace_back(
                SeekArgs4{m_client->GetHeld().SelectStateId(handle, OPEN4_SHARE_ACCESS_READ, true),
                          offset,
                          what});
        },
        false);
    task->open = GetOpenOf(file);
    Run<SeekReply>(
        task,
        [](const Nfs4TaskReply& result, SeekReply& reply) {
            if (const auto* got = result.Find<SeekRes4>())
            {
                reply.eof = got->eof;
                reply.offset = got->offset;
            }
        },
        Track(std::move(done)));
}

void
Nfs4FileClient::Clone(const std::shared_ptr<OpenFile>& from,
                      uint64_t fromOffset,
                      const std::shared_ptr<OpenFile>& to,
                      uint64_t toOffset,
                      uint64_t count,
                      Done<FileReply> done)
{
    const auto task = MakeTask(
        [this, from, fromOffset, to, toOffset, count](Compound4Args& compound) {
            const auto& source = GetOpenOf(from)->file;
            const auto& target = GetOpenOf(to)->file;
            const auto& held = m_client->GetHeld();
            compound.ops.emplace_back(PutfhArgs4{source});
            compound.ops.emplace_back(SavefhArgs4());
            compound.ops.emplace_back(PutfhArgs4{target});
            compound.ops.emplace_back(
                CloneArgs4{held.SelectStateId(source, OPEN4_SHARE_ACCESS_READ, true),
                           held.SelectStateId(target, OPEN4_SHARE_ACCESS_WRITE, true),
                           fromOffset,
                           toOffset,
                           count});
            compound.ops.emplace_back(GetattrArgs4{MakeObjectMask()});
        },
        false);
    task->open = GetOpenOf(to);
    Run<FileReply>(task, TakeNothing, Track(std::move(done)));
}

void
Nfs4FileClient::ReadPlus(const std::shared_ptr<OpenFile>& file,
                         uint64_t offset,
                         uint32_t count,
                         uint64_t address,
                         Done<FileReadReply> done)
{
    const auto task = MakeTask(
        [this, file, offset, count](Compound4Args& compound) {
            const auto& handle = GetOpenOf(file)->file;
            compound.ops.emplace_back(PutfhArgs4{handle});
            compound.ops.emplace_back(ReadPlusArgs4{
                m_client->GetHeld().SelectStateId(handle, OPEN4_SHARE_ACCESS_READ, true),
                offset,
                count});
        },
        false);
    task->open = GetOpenOf(file);
    Run<FileReadReply>(
        task,
        [this, offset, count, address](const Nfs4TaskReply& result, FileReadReply& reply) {
            if (const auto* got = result.Find<ReadPlusRes4>())
            {
                const auto memory = m_client->GetHostMemory();
                reply.eof = got->eof;
                reply.count = got->Place(offset, count, [&](uint64_t position, ByteSpan octets) {
                    memory->Write(address + position, octets);
                });
                m_bytesRead += reply.count;
            }
        },
        Track(std::move(done)));
}

void
Nfs4FileClient::GetXattr(const FileRef& object, const std::string& name, Done<XattrReply> done)
{
    const auto task = MakeTask(
        [object, name](Compound4Args& compound) {
            compound.ops.emplace_back(PutfhArgs4{MakeFh(object)});
            compound.ops.emplace_back(GetxattrArgs4{name});
        },
        false);
    Run<XattrReply>(
        task,
        [](const Nfs4TaskReply& result, XattrReply& reply) {
            if (const auto* got = result.Find<GetxattrRes4>())
            {
                reply.value = got->value;
            }
        },
        Track(std::move(done)));
}

void
Nfs4FileClient::SetXattr(const FileRef& object,
                         const std::string& name,
                         ByteSpan value,
                         Done<FileReply> done)
{
    SetxattrArgs4 args;
    args.name = name;
    args.value.assign(value.begin(), value.end());
    const auto task = MakeTask(
        [object, args](Compound4Args& compound) {
            compound.ops.emplace_back(PutfhArgs4{MakeFh(object)});
            compound.ops.emplace_back(args);
        },
        true);
    Run<FileReply>(task, TakeNothing, Track(std::move(done)));
}

void
Nfs4FileClient::ListXattrs(const FileRef& object,
                           uint64_t cookie,
                           uint32_t count,
                           Done<XattrListReply> done)
{
    const auto task = MakeTask(
        [object, cookie, count](Compound4Args& compound) {
            compound.ops.emplace_back(PutfhArgs4{MakeFh(object)});
            compound.ops.emplace_back(ListxattrsArgs4{cookie, count});
        },
        false);
    Run<XattrListReply>(
        task,
        [](const Nfs4TaskReply& result, XattrListReply& reply) {
            if (const auto* got = result.Find<ListxattrsRes4>())
            {
                reply.names = got->names;
                reply.cookie = got->cookie;
                reply.eof = got->eof;
            }
        },
        Track(std::move(done)));
}

void
Nfs4FileClient::RemoveXattr(const FileRef& object, const std::string& name, Done<FileReply> done)
{
    const auto task = MakeTask(
        [object, name](Compound4Args& compound) {
            compound.ops.emplace_back(PutfhArgs4{MakeFh(object)});
            compound.ops.emplace_back(RemovexattrArgs4{name});
        },
        true);
    Run<FileReply>(task, TakeNothing, Track(std::move(done)));
}

} // namespace ns3::nfsrdma
