/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/file-attributes.h"
#include "nfs/v4/client/masks.h"
#include "nfs/v4/client/mounted-files-run.h"

#include <algorithm>

namespace ns3::nfsrdma
{

void
Nfs4FileClient::Create(const FileRef& dir,
                       const CreateArgs4& args,
                       std::vector<RpcDataItem> items,
                       Done<FileObjectReply> done)
{
    const auto task = MakeTask(
        [dir, args](Compound4Args& compound) {
            compound.ops.emplace_back(PutfhArgs4{MakeFh(dir)});
            compound.ops.emplace_back(args);
            compound.ops.emplace_back(GetfhArgs4());
            compound.ops.emplace_back(GetattrArgs4{MakeObjectMask()});
        },
        true);
    task->items = std::move(items);
    Run<FileObjectReply>(task, TakeObject, Track(std::move(done)));
}

void
Nfs4FileClient::MakeDirectory(const FileRef& dir,
                              const std::string& name,
                              const Sattr3& attributes,
                              Done<FileObjectReply> done)
{
    CreateArgs4 args;
    args.type = Ftype4::DIR;
    args.name = name;
    args.attributes = MakeSetAttributes(attributes);
    Create(dir, args, {}, std::move(done));
}

void
Nfs4FileClient::MakeSymlink(const FileRef& dir,
                            const std::string& name,
                            ByteSpan target,
                            const Sattr3& attributes,
                            Done<FileObjectReply> done)
{
    const auto length = static_cast<uint32_t>(target.size());
    const auto page = std::make_shared<HostBuffer>(m_client->GetHostMemory(), std::max(length, 1U));
    page->Write(0, target);
    CreateArgs4 args;
    args.type = Ftype4::LNK;
    args.link = Nfs3Data::Reduced(length);
    args.name = name;
    args.attributes = MakeSetAttributes(attributes);
    Create(dir, args, {{page->GetAddress(), length, true, 0, page}}, std::move(done));
}

void
Nfs4FileClient::MakeNode(const FileRef& dir,
                         const std::string& name,
                         Ftype3 type,
                         SpecData3 device,
                         const Sattr3& attributes,
                         Done<FileObjectReply> done)
{
    CreateArgs4 args;
    args.type = static_cast<Ftype4>(type);
    args.device = {device.specdata1, device.specdata2};
    args.name = name;
    args.attributes = MakeSetAttributes(attributes);
    Create(dir, args, {}, std::move(done));
}

void
Nfs4FileClient::Remove(const FileRef& dir, const std::string& name, Done<FileReply> done)
{
    WithoutDelegation(
        Nfs4Name{MakeFh(dir), name},
        [this, dir, name, tracked = Track(std::move(done))] { RemoveName(dir, name, tracked); });
}

void
Nfs4FileClient::RemoveDirectory(const FileRef& dir, const std::string& name, Done<FileReply> done)
{
    RemoveName(dir, name, Track(std::move(done)));
}

void
Nfs4FileClient::RemoveName(const FileRef& dir, const std::string& name, Done<FileReply> done)
{
    const auto task = MakeTask(
        [dir, name](Compound4Args& compound) {
            compound.ops.emplace_back(PutfhArgs4{MakeFh(dir)});
            compound.ops.emplace_back(RemoveArgs4{name});
        },
        true);
    m_client->GetHeld().ForgetName({MakeFh(dir), name});
    Run<FileReply>(task, TakeNothing, std::move(done));
}

void
Nfs4FileClient::Rename(const FileRef& fromDir,
                       const std::string& fromName,
                       const FileRef& toDir,
                       const std::string& toName,
                       Done<FileReply> done)
{
    const auto task = MakeTask(
        [fromDir, fromName, toDir, toName](Compound4Args& compound) {
            compound.ops.emplace_back(PutfhArgs4{MakeFh(fromDir)});
            compound.ops.emplace_back(SavefhArgs4());
            compound.ops.emplace_back(PutfhArgs4{MakeFh(toDir)});
            compound.ops.emplace_back(RenameArgs4{fromName, toName});
        },
        true);
    const Nfs4Name from{MakeFh(fromDir), fromName};
    const Nfs4Name to{MakeFh(toDir), toName};
    WithoutDelegation(from, [this, task, from, to, tracked = Track(std::move(done))] {
        WithoutDelegation(to, [this, task, from, to, tracked] {
            m_client->GetHeld().ForgetName(from);
            m_client->GetHeld().ForgetName(to);
            Run<FileReply>(task, TakeNothing, tracked);
        });
    });
}

void
Nfs4FileClient::Link(const FileRef& file,
                     const FileRef& dir,
                     const std::string& name,
                     Done<FileReply> done)
{
    const auto task = MakeTask(
        [file, dir, name](Compound4Args& compound) {
            compound.ops.emplace_back(PutfhArgs4{MakeFh(file)});
            compound.ops.emplace_back(SavefhArgs4());
            compound.ops.emplace_back(PutfhArgs4{MakeFh(dir)});
            compound.ops.emplace_back(LinkArgs4{name});
            compound.ops.emplace_back(RestorefhArgs4());
            compound.ops.emplace_back(GetattrArgs4{MakeObjectMask()});
        },
        true);
    WithoutDelegation(MakeFh(file), [this, task, tracked = Track(std::move(done))] {
        Run<FileReply>(task, TakeNothing, tracked);
    });
}

} // namespace ns3::nfsrdma
