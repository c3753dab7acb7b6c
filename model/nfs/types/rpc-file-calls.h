/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_TYPES_RPC_FILE_CALLS_H
#define NFSRDMA_NFS_TYPES_RPC_FILE_CALLS_H

#include "nfs/types/file-requests.h"
#include "nfs/v3/acl-messages3.h"
#include "nfs/v3/fattr.h"

#include "ns3/simulator.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

namespace ns3::nfsrdma
{

// What the FileClients of NFSv2 and v3 have in common: an operation is one RPC, as a rule.

/// A file is open when its handle is known.
class HandleOpenFile : public OpenFile
{
  public:
    explicit HandleOpenFile(FileRef object)
        : m_object(std::move(object))
    {
    }

    const FileRef& GetObject() const override
    {
        return m_object;
    }

  private:
    FileRef m_object;
};

/// \return a change time as a change attribute (nfs_timespec_to_change_attr() of Linux).
[[nodiscard]] inline uint64_t
MakeChange(const NfsTime3& time)
{
    constexpr uint32_t NANOSECOND_BITS = 30;
    return (uint64_t{time.seconds} << NANOSECOND_BITS) + time.nseconds;
}

/// \p reply told attributes of \p object, if any.
inline void
AddNews(FileReply& reply, const FileRef& object, const PostOpAttr& attributes)
{
    if (attributes)
    {
        FileNews news;
        news.object = object;
        news.change = MakeChange(attributes->ctime);
        news.attributes = attributes;
        reply.news.push_back(std::move(news));
    }
}

/// \p reply told what \p object was before and is now; it has been changed if the reply is good.
inline void
AddNews(FileReply& reply, const FileRef& object, const WccData& wcc)
{
    FileNews news;
    news.object = object;
    news.own = reply.IsOk();
    if (wcc.before)
    {
        news.before = MakeChange(wcc.before->ctime);
    }
    if (wcc.after)
    {
        news.change = MakeChange(wcc.after->ctime);
        news.attributes = wcc.after;
    }
    if (news.change || news.own)
    {
        reply.news.push_back(std::move(news));
    }
}

/// \p reply told nothing of \p object, which has been changed if it is good.
inline void
AddUntoldNews(FileReply& reply, const FileRef& object)
{
    AddNews(reply, object, WccData());
}

/// \return a reply that says how an RPC ended. \tparam Status of version 2 or 3
template <typename Reply, typename Status>
[[nodiscard]] Reply
MakeFileReply(const RpcRecord& record, Status status)
{
    Reply reply;
    reply.outcome = record.outcome;
    reply.status = static_cast<uint32_t>(status);
    reply.repeated = record.transmissions > 1;
    return reply;
}

/// \return what ends an operation with an RPC that has \p Results; \p fill makes the rest of the
/// reply.
template <typename Results, typename Reply, typename Fill>
[[nodiscard]] auto
EndFileCall(std::function<void(const Reply&)> done, Fill fill)
{
    return [done = std::move(done), fill = std::move(fill)](const RpcRecord& record,
                                                            const Results& results) {
        auto reply = MakeFileReply<Reply>(record, results.status);
        fill(results, reply);
        done(reply);
    };
}

/// \return what ends an operation of whose results there is the status alone.
template <typename Results>
[[nodiscard]] auto
EndFileCall(std::function<void(const FileReply&)> done)
{
    return EndFileCall<Results, FileReply>(std::move(done), [](const Results&, FileReply&) {});
}

/// \return what ends an open with the object that was found or made.
[[nodiscard]] inline std::function<void(const FileObjectReply&)>
EndFileOpen(std::function<void(const FileOpenReply&)> done)
{
    return [done = std::move(done)](const FileObjectReply& found) {
        FileOpenReply reply;
        static_cast<FileObjectReply&>(reply) = found;
        if (reply.IsOk())
        {
            reply.file = std::make_shared<HandleOpenFile>(found.object);
        }
        done(reply);
    };
}

/// Ends an operation that takes no RPC.
template <typename Reply>
void
EndFileCallSoon(std::function<void(const Reply&)> done, Reply reply = {})
{
    Simulator::ScheduleNow([reply = std::move(reply), done = std::move(done)] { done(reply); });
}

template <typename Reply>
void
FailFileCallSoon(std::function<void(const Reply&)> done, Nfs3Status status)
{
    Reply reply;
    reply.status = static_cast<uint32_t>(status);
    EndFileCallSoon(std::move(done), std::move(reply));
}

/**
 * Puts the lists of a GETACL into \p reply: SERVERFAULT when the call has succeeded and one of them
 * is no access list.
 *
 * \tparam Results of GETACL, version 2 or 3
 */
template <typename Results>
void
TakeAcls(const Results& results, FileAclReply& reply)
{
    const auto access = results.access.ToPosixAcl();
    const auto defaults = results.defaultAcl.ToPosixAcl();
    if (reply.IsOk() && (!access || !defaults))
    {
        reply.status = static_cast<uint32_t>(Nfs3Status::SERVERFAULT);
    }
    reply.access = access.value_or(PosixAcl());
    reply.defaultAcl = defaults.value_or(PosixAcl());
}

/// \return the arguments of a SETACL that sets both lists. \tparam Args version 2 or 3
template <typename Args, typename Handle>
[[nodiscard]] Args
MakeSetaclArgs(const Handle& object, const PosixAclPair& acls)
{
    Args args;
    args.object = object;
    args.mask = NFS_ACL | NFS_DFACL;
    args.access = NfsAcl::Make(acls.access, 0, 0, true, 0);
    args.defaultAcl = NfsAcl::Make(acls.defaultAcl, 0, 0, true, NFS_ACL_DEFAULT);
    return args;
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_TYPES_RPC_FILE_CALLS_H
