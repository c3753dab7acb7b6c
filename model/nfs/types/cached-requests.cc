/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/types/cached-requests.h"

#include "nfs/types/file-client.h"
#include "nfs/types/rpc-file-calls.h"

#include <algorithm>
#include <memory>

namespace ns3::nfsrdma
{

namespace
{

// The same in every version.

bool
HasNoEntry(const FileReply& reply)
{
    return reply.outcome == RpcOutcome::SUCCESS &&
           reply.status == static_cast<uint32_t>(Nfs3Status::NOENT);
}

bool
IsGone(const FileReply& reply)
{
    return reply.outcome == RpcOutcome::SUCCESS &&
           reply.status == static_cast<uint32_t>(Nfs3Status::STALE);
}

} // namespace

FileCacheStatistics&
FileCacheStatistics::operator+=(const FileCacheStatistics& other)
{
    for (const auto& [name, counter] : FILE_CACHE_COUNTERS)
    {
        this->*counter += other.*counter;
    }
    return *this;
}

CachedRequests::CachedRequests(FileClient& files, const FileCacheSettings& settings)
    : m_files(files),
      m_settings(settings),
      m_attributes(settings),
      m_names(settings.cachedObjects)
{
}

FileCacheStatistics
CachedRequests::GetStatistics() const
{
    FileCacheStatistics statistics = m_statistics;
    statistics.attributeInvalidations = m_attributes.GetInvalidations();
    return statistics;
}

template <typename Reply>
void
CachedRequests::EndCached(Done<Reply> done, Reply reply) const
{
    reply.cached = true;
    Simulator::Schedule(m_settings.cachedCallCost,
                        [reply = std::move(reply), done = std::move(done)] { done(reply); });
}

FileAttributesReply
CachedRequests::MakeAnswer(const FileRef& object)
{
    FileAttributesReply reply;
    if (auto known = m_attributes.Find(object))
    {
        reply.attributes = *known->attributes;
        reply.news.push_back(std::move(*known));
    }
    return reply;
}

void
CachedRequests::Call(FileGetAttributes request, Done<FileAttributesReply> done)
{
    switch (m_attributes.GetState(request.object, m_files.IsDelegated(request.object)))
    {
    case AttributeCache::State::CURRENT:
        ++m_statistics.attributeHits;
        EndCached(std::move(done), MakeAnswer(request.object));
        return;
    case AttributeCache::State::OLD:
        ++m_statistics.attributeRevalidations;
        break;
    case AttributeCache::State::UNKNOWN:
        ++m_statistics.attributeMisses;
        break;
    }
    m_files.Run(std::move(request), std::move(done));
}

void
CachedRequests::Validate(const FileName& where, const Named& next)
{
    const auto* const known = m_names.Find(where);
    if (known == nullptr)
    {
        ++m_statistics.nameMisses;
        next(nullptr);
        return;
    }
    if (known->object && m_files.IsDelegated(*known->object))
    {
        next(known);
        return;
    }
    const auto check = [this, where, next] {
        const auto* const entry = m_names.Find(where);
        const bool holds = entry != nullptr && entry->version == m_attributes.GetVersion(where.dir);
        m_statistics.nameRevalidations += holds ? 0 : 1;
        next(holds ? entry : nullptr);
    };
    const bool isOld =
        m_attributes.GetChangeState(where.dir, false) != AttributeCache::State::CURRENT;
    if (isOld && known->version == m_attributes.GetVersion(where.dir))
    {
        ++m_statistics.attributeRevalidations;
        m_files.Run(FileGetAttributes{where.dir},
                    [check](const FileAttributesReply& /* reply */) { check(); });
        return;
    }
    check();
}

template <typename Request>
void
CachedRequests::AnswerByName(Request request,
                             Done<typename Request::Reply> done,
                             Proceed<Request> proceed)
{
    const FileName where = request.where;
    Validate(where,
             [this, request = std::move(request), done = std::move(done), proceed](
                 const NameCache::Entry* entry) {
                 if (entry == nullptr)
                 {
                     m_files.Run(request, done);
                     return;
                 }
                 if (!entry->object)
                 {
                     ++m_statistics.negativeNameHits;
                     typename Request::Reply reply;
                     reply.status = static_cast<uint32_t>(Nfs3Status::NOENT);
                     EndCached(done, std::move(reply));
                     return;
                 }
                 ++m_statistics.nameHits;
                 (this->*proceed)(request, *entry->object, done);
             });
}

template <typename Request>
CachedRequests::Done<FileAttributesReply>
CachedRequests::EndWithObject(const Request& request,
                              const FileRef& object,
                              const Done<typename Request::Reply>& done,
                              Done<FileObjectReply> end)
{
    return [this, request, object, done, end = std::move(end)](const FileAttributesReply& got) {
        if (IsGone(got))
        {
            m_names.Drop(request.where);
            m_files.Run(request, done);
            return;
        }
        FileObjectReply reply;
        static_cast<FileReply&>(reply) = got;
        reply.cached = true;
        reply.object = object;
        reply.attributes = got.attributes;
        end(reply);
    };
}

void
CachedRequests::Call(FileLookup request, Done<FileObjectReply> done)
{
    AnswerByName(std::move(request), std::move(done), &CachedRequests::EndLookup);
}

void
CachedRequests::EndLookup(const FileLookup& request,
                          const FileRef& object,
                          const Done<FileObjectReply>& done)
{
    Call(FileGetAttributes{object}, EndWithObject(request, object, done, done));
}

void
CachedRequests::Call(FileAccess request, Done<FileAccessReply> done)
{
    const FileRef object = request.object;
    const auto end = [this, request, done] {
        const auto rights = m_attributes.FindAccess(request.object, request.wanted);
        const bool current =
            m_attributes.GetChangeState(request.object, m_files.IsDelegated(request.object)) ==
            AttributeCache::State::CURRENT;
        if (!rights || !current)
        {
            ++m_statistics.accessMisses;
            m_files.Run(request, done);
            return;
        }
        ++m_statistics.accessHits;
        FileAccessReply reply;
        reply.access = *rights;
        EndCached(done, std::move(reply));
    };
    const bool isOld = m_attributes.GetChangeState(object, m_files.IsDelegated(object)) ==
                       AttributeCache::State::OLD;
    if (isOld && m_attributes.FindAccess(object, request.wanted))
    {
        ++m_statistics.attributeRevalidations;
        m_files.Run(FileGetAttributes{object},
                    [end](const FileAttributesReply& /* reply */) { end(); });
        return;
    }
    end();
}

void
CachedRequests::Call(FileOpen request, Done<FileOpenReply> done)
{
    if (request.how.create || m_files.KeepsOpenState())
    {
        m_files.Run(std::move(request), std::move(done));
        return;
    }
    AnswerByName(std::move(request), std::move(done), &CachedRequests::OpenByName);
}

void
CachedRequests::OpenByName(const FileOpen& request,
                           const FileRef& object,
                           const Done<FileOpenReply>& done)
{
    ++m_statistics.attributeRevalidations;
    m_files.Run(FileGetAttributes{object}, EndWithObject(request, object, done, EndFileOpen(done)));
}

void
CachedRequests::PutName(const FileName& where, const FileRef& object, uint64_t version)
{
    if (m_settings.lookupcache != LookupCache::NONE)
    {
        m_names.Put(where, object, version);
    }
}

void
CachedRequests::PutNegative(const FileName& where, uint64_t version)
{
    if (m_settings.lookupcache == LookupCache::ALL)
    {
        m_names.Put(where, std::nullopt, version);
        return;
    }
    m_names.Drop(where);
}

void
CachedRequests::Take(const FileGetAttributes& request,
                     const FileAttributesReply& reply,
                     uint64_t /* version */,
                     Time /* sent */)
{
    if (IsGone(reply))
    {
        m_attributes.Forget(request.object);
    }
}

void
CachedRequests::Take(const FileSetAttributes& request,
                     const FileReply& reply,
                     uint64_t /* version */,
                     Time /* sent */)
{
    if (!reply.IsOk() || reply.news.empty())
    {
        m_attributes.Invalidate(request.object);
    }
    if (request.changes.mode || request.changes.uid || request.changes.gid)
    {
        m_attributes.DropAccess(request.object);
    }
}

void
CachedRequests::Take(const FileSetAcls& request,
                     const FileReply& reply,
                     uint64_t /* version */,
                     Time /* sent */)
{
    if (!reply.IsOk() || reply.news.empty())
    {
        m_attributes.Invalidate(request.object);
    }
    m_attributes.DropAccess(request.object);
}

void
CachedRequests::Take(const FileLookup& request,
                     const FileObjectReply& reply,
                     uint64_t version,
                     Time /* sent */)
{
    if (reply.IsOk())
    {
        PutName(request.where, reply.object, version);
    }
    else if (HasNoEntry(reply))
    {
        PutNegative(request.where, version);
    }
}

void
CachedRequests::Take(const FileAccess& request,
                     const FileAccessReply& reply,
                     uint64_t /* version */,
                     Time /* sent */)
{
    if (reply.IsOk())
    {
        m_attributes.TakeAccess(request.object, request.wanted, reply.access);
    }
}

void
CachedRequests::Take(const FileOpen& request,
                     const FileOpenReply& reply,
                     uint64_t version,
                     Time /* sent */)
{
    if (request.how.create)
    {
        TakeMade(request.where, reply, reply.object);
    }
    else if (reply.IsOk())
    {
        PutName(request.where, reply.object, version);
    }
    else if (HasNoEntry(reply))
    {
        PutNegative(request.where, version);
    }
}

void
CachedRequests::Take(const FileWrite& request,
                     const FileWriteReply& reply,
                     uint64_t /* version */,
                     Time /* sent */)
{
    if (!reply.IsOk() || reply.news.empty())
    {
        m_attributes.Invalidate(request.file->GetObject());
    }
}

void
CachedRequests::TakeMade(const FileName& where, const FileReply& reply, const FileRef& object)
{
    if (reply.IsOk())
    {
        PutName(where, object, m_attributes.GetVersion(where.dir));
        return;
    }
    m_names.Drop(where);
}

void
CachedRequests::Take(const FileMakeDirectory& request,
                     const FileObjectReply& reply,
                     uint64_t /* version */,
                     Time /* sent */)
{
    TakeMade(request.where, reply, reply.object);
}

void
CachedRequests::Take(const FileMakeSymlink& request,
                     const FileObjectReply& reply,
                     uint64_t /* version */,
                     Time /* sent */)
{
    TakeMade(request.where, reply, reply.object);
}

void
CachedRequests::Take(const FileMakeNode& request,
                     const FileObjectReply& reply,
                     uint64_t /* version */,
                     Time /* sent */)
{
    TakeMade(request.where, reply, reply.object);
}

void
CachedRequests::Take(const FileMakeLink& request,
                     const FileReply& reply,
                     uint64_t /* version */,
                     Time /* sent */)
{
    const bool told =
        std::any_of(reply.news.begin(), reply.news.end(), [&request](const FileNews& news) {
            return news.object.octets == request.file.octets;
        });
    if (!told)
    {
        m_attributes.Invalidate(request.file);
    }
    TakeMade(request.where, reply, request.file);
}

void
CachedRequests::InvalidateNamed(const FileName& where)
{
    const auto* const entry = m_names.Find(where);
    if (entry != nullptr && entry->object)
    {
        m_attributes.Invalidate(*entry->object);
    }
}

void
CachedRequests::TakeRemoved(const FileName& where, const FileReply& reply)
{
    InvalidateNamed(where);
    if (reply.IsOk())
    {
        PutNegative(where, m_attributes.GetVersion(where.dir));
        return;
    }
    m_names.Drop(where);
}

void
CachedRequests::Take(const FileRemove& request,
                     const FileReply& reply,
                     uint64_t /* version */,
                     Time /* sent */)
{
    TakeRemoved(request.where, reply);
}

void
CachedRequests::Take(const FileRemoveDirectory& request,
                     const FileReply& reply,
                     uint64_t /* version */,
                     Time /* sent */)
{
    TakeRemoved(request.where, reply);
}

void
CachedRequests::Take(const FileRename& request,
                     const FileReply& reply,
                     uint64_t /* version */,
                     Time /* sent */)
{
    InvalidateNamed(request.from);
    InvalidateNamed(request.to);
    const auto* const entry = m_names.Find(request.from);
    const auto moved = entry != nullptr ? entry->object : std::nullopt;
    m_names.Drop(request.to);
    m_names.Drop(request.from);
    if (reply.IsOk() && moved)
    {
        PutName(request.to, *moved, m_attributes.GetVersion(request.to.dir));
    }
}

void
CachedRequests::Take(const FileList& request,
                     const FileListReply& reply,
                     uint64_t version,
                     Time sent)
{
    if (!reply.IsOk())
    {
        return;
    }
    for (const auto& entry : reply.entries)
    {
        if (!entry.object || !entry.attributes || entry.name == "." || entry.name == "..")
        {
            continue;
        }
        FileNews news;
        news.object = *entry.object;
        news.change = entry.change;
        news.attributes = entry.attributes;
        m_attributes.Take(news, sent);
        PutName({request.dir, entry.name}, *entry.object, version);
    }
}

} // namespace ns3::nfsrdma
