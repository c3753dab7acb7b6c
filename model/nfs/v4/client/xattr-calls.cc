/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/xattr-calls.h"

#include <utility>

namespace ns3::nfsrdma
{

Nfs4XattrCalls::Nfs4XattrCalls(Nfs4OperationRunner& runner)
    : m_runner(runner)
{
}

void
Nfs4XattrCalls::Get(const FileRef& object, const std::string& name, Done<FileXattrReply> done)
{
    m_runner.Run<FileXattrReply>(
        MakeNfs4Task(false, PutfhArgs4{MakeFh(object)}, GetxattrArgs4{name}),
        TakeFrom<GetxattrRes4>(
            [](const GetxattrRes4& got, FileXattrReply& reply) { reply.value = got.value; }),
        std::move(done));
}

void
Nfs4XattrCalls::Set(const FileRef& object,
                    const std::string& name,
                    ByteSpan value,
                    Done<FileReply> done)
{
    SetxattrArgs4 args;
    args.name = name;
    args.value.assign(value.begin(), value.end());
    m_runner.Run<FileReply>(MakeNfs4Task(true, PutfhArgs4{MakeFh(object)}, std::move(args)),
                            nullptr,
                            std::move(done));
}

void
Nfs4XattrCalls::List(const FileRef& object,
                     uint64_t cookie,
                     uint32_t count,
                     Done<FileXattrListReply> done)
{
    m_runner.Run<FileXattrListReply>(
        MakeNfs4Task(false, PutfhArgs4{MakeFh(object)}, ListxattrsArgs4{cookie, count}),
        TakeFrom<ListxattrsRes4>([](const ListxattrsRes4& got, FileXattrListReply& reply) {
            reply.names = got.names;
            reply.cookie = got.cookie;
            reply.eof = got.eof;
        }),
        std::move(done));
}

void
Nfs4XattrCalls::Remove(const FileRef& object, const std::string& name, Done<FileReply> done)
{
    m_runner.Run<FileReply>(MakeNfs4Task(true, PutfhArgs4{MakeFh(object)}, RemovexattrArgs4{name}),
                            nullptr,
                            std::move(done));
}

} // namespace ns3::nfsrdma
