/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_TYPES_CACHED_REQUESTS_H
#define NFSRDMA_NFS_TYPES_CACHED_REQUESTS_H

#include "nfs/types/aggregate-fields.h"
#include "nfs/types/attribute-cache.h"
#include "nfs/types/file-requests.h"
#include "nfs/types/name-cache.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <array>
#include <cstdint>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ns3::nfsrdma
{

class FileClient;

/// What the caches of a client have answered, and why they could not.
struct FileCacheStatistics
{
    uint64_t attributeHits{0};
    uint64_t attributeMisses{0};        ///< Asked for, since they were not known.
    uint64_t attributeRevalidations{0}; ///< Asked for again, since they were old: GETATTRs.
    uint64_t attributeInvalidations{0}; ///< Found to have been changed by others.
    uint64_t nameHits{0};               ///< Names that are there.
    uint64_t negativeNameHits{0};       ///< Names that are not there.
    uint64_t nameMisses{0};             ///< Looked up, since they were not known.
    uint64_t nameRevalidations{0};      ///< Looked up again, since the directory had changed.
    uint64_t accessHits{0};
    uint64_t accessMisses{0};

    FileCacheStatistics& operator+=(const FileCacheStatistics& other);
};

/// A counter of FileCacheStatistics and its name in results.
struct FileCacheCounter
{
    const char* name;
    uint64_t FileCacheStatistics::*counter;
};

/// All of them.
inline constexpr std::array FILE_CACHE_COUNTERS{
    FileCacheCounter{"attribute_hits", &FileCacheStatistics::attributeHits},
    FileCacheCounter{"attribute_misses", &FileCacheStatistics::attributeMisses},
    FileCacheCounter{"attribute_revalidations", &FileCacheStatistics::attributeRevalidations},
    FileCacheCounter{"attribute_invalidations", &FileCacheStatistics::attributeInvalidations},
    FileCacheCounter{"name_hits", &FileCacheStatistics::nameHits},
    FileCacheCounter{"negative_name_hits", &FileCacheStatistics::negativeNameHits},
    FileCacheCounter{"name_misses", &FileCacheStatistics::nameMisses},
    FileCacheCounter{"name_revalidations", &FileCacheStatistics::nameRevalidations},
    FileCacheCounter{"access_hits", &FileCacheStatistics::accessHits},
    FileCacheCounter{"access_misses", &FileCacheStatistics::accessMisses}};

/**
 * \brief What becomes of system calls on a client that caches attributes (AttributeCache), names
 * (NameCache) and access rights, as on Linux (fs/nfs/dir.c, 6.1). Every reply of the mount fills
 * the caches, READDIRPLUS those of all its entries.
 *
 *     GetAttributes   fstat(): what is cached, else GETATTR (nfs_getattr())
 *     Lookup          stat() of a name: the name is known and its directory has not changed since
 *                     (GETATTR of it, when its attributes are old); else LOOKUP. Then the
 *                     attributes of the object, as above (nfs_lookup_revalidate())
 *     Access          access(): the rights known, while the attributes are trusted or a GETATTR
 *                     finds them the same; else ACCESS (nfs_do_access())
 *     Open            close-to-open: with a name as above GETATTR in place of LOOKUP before NFSv4
 *                     (nfs_lookup_verify_inode()); always OPEN from NFSv4 on, unless a delegation
 *                     covers it
 *
 * All others are operations of the protocol. A call that the caches answer takes the time
 * cachedCallCost. What the client itself has done it knows at once, of others what the times of
 * FileCacheSettings allow.
 */
class CachedRequests
{
  public:
    template <typename Reply>
    using Done = std::function<void(const Reply& reply)>;

    /// \param files whose requests they are; owns this, and \p settings
    CachedRequests(FileClient& files, const FileCacheSettings& settings);

    /// \return whether there is a Call() of it.
    template <typename Request>
    [[nodiscard]] static constexpr bool Answers()
    {
        return std::is_same_v<Request, FileGetAttributes> || std::is_same_v<Request, FileLookup> ||
               std::is_same_v<Request, FileAccess> || std::is_same_v<Request, FileOpen>;
    }

    void Call(FileGetAttributes request, Done<FileAttributesReply> done);
    void Call(FileLookup request, Done<FileObjectReply> done);
    void Call(FileAccess request, Done<FileAccessReply> done);
    void Call(FileOpen request, Done<FileOpenReply> done);

    /// An operation of the protocol begins. \return what ends it: its reply fills the caches; \p
    /// done may be null
    template <typename Request>
    [[nodiscard]] Done<typename Request::Reply> Watch(const Request& request,
                                                      Done<typename Request::Reply> done)
    {
        return [this,
                request,
                sent = Simulator::Now(),
                version = GetVersionFor(request),
                done = std::move(done)](const typename Request::Reply& reply) {
            for (const FileNews& news : reply.news)
            {
                m_attributes.Take(news, sent);
            }
            Take(request, reply, version, sent);
            if (done)
            {
                done(reply);
            }
        };
    }

    /// \p object has been changed by this client.
    void Invalidate(const FileRef& object)
    {
        m_attributes.Invalidate(object);
    }

    /// Nothing is known any more.
    void Clear()
    {
        m_attributes.Clear();
        m_names.Clear();
    }

    [[nodiscard]] const FileCacheSettings& GetSettings() const
    {
        return m_settings;
    }

    [[nodiscard]] FileCacheStatistics GetStatistics() const;

  private:
    /// \return the version of the directory that \p request is about; of others 0.
    template <typename Request>
    [[nodiscard]] uint64_t GetVersionFor(const Request& request)
    {
        if constexpr (std::is_same_v<Request, FileList>)
        {
            return m_attributes.GetVersion(request.dir);
        }
        else
        {
            const auto fields = TieFields(request);
            using First = std::decay_t<decltype(std::get<0>(fields))>;
            if constexpr (std::is_same_v<First, FileName>)
            {
                return m_attributes.GetVersion(std::get<0>(fields).dir);
            }
            return 0;
        }
    }

    // What else than its news there is to know of a reply.

    template <typename Request, typename Reply>
    void Take(const Request& /* request */,
              const Reply& /* reply */,
              uint64_t /* version */,
              Time /* sent */)
    {
    }

    void Take(const FileGetAttributes& request,
              const FileAttributesReply& reply,
              uint64_t version,
              Time sent);
    void Take(const FileSetAttributes& request,
              const FileReply& reply,
              uint64_t version,
              Time sent);
    void Take(const FileSetAcls& request, const FileReply& reply, uint64_t version, Time sent);
    void Take(const FileLookup& request, const FileObjectReply& reply, uint64_t version, Time sent);
    void Take(const FileAccess& request, const FileAccessReply& reply, uint64_t version, Time sent);
    void Take(const FileOpen& request, const FileOpenReply& reply, uint64_t version, Time sent);
    void Take(const FileWrite& request, const FileWriteReply& reply, uint64_t version, Time sent);
    void Take(const FileMakeDirectory& request,
              const FileObjectReply& reply,
              uint64_t version,
              Time sent);
    void Take(const FileMakeSymlink& request,
              const FileObjectReply& reply,
              uint64_t version,
              Time sent);
    void Take(const FileMakeNode& request,
              const FileObjectReply& reply,
              uint64_t version,
              Time sent);
    void Take(const FileRemove& request, const FileReply& reply, uint64_t version, Time sent);
    void Take(const FileRemoveDirectory& request,
              const FileReply& reply,
              uint64_t version,
              Time sent);
    void Take(const FileRename& request, const FileReply& reply, uint64_t version, Time sent);
    void Take(const FileMakeLink& request, const FileReply& reply, uint64_t version, Time sent);
    void Take(const FileList& request, const FileListReply& reply, uint64_t version, Time sent);

    /// A request of this client to make \p where has ended with \p reply. \param object what it
    /// stands for where that is OK
    void TakeMade(const FileName& where, const FileReply& reply, const FileRef& object);
    void TakeRemoved(const FileName& where, const FileReply& reply);
    /// What \p where stands for is there under fewer names, or not at all.
    void InvalidateNamed(const FileName& where);

    void PutName(const FileName& where, const FileRef& object, uint64_t version);
    void PutNegative(const FileName& where, uint64_t version);

    using Named = std::function<void(const NameCache::Entry* entry)>;
    /// Finds out whether what is known of a name holds. \param next gets null when it has to be
    /// looked up
    void Validate(const FileName& where, const Named& next);
    /// What follows when a name stands for an object.
    template <typename Request>
    using Proceed = void (CachedRequests::*)(const Request& request,
                                             const FileRef& object,
                                             const Done<typename Request::Reply>& done);
    /// Answers \p request as far as its name is known: an object that is there by \p proceed, one
    /// that is not by the cache, else by the protocol.
    template <typename Request>
    void AnswerByName(Request request,
                      Done<typename Request::Reply> done,
                      Proceed<Request> proceed);
    /// \return what \p end gets of the attributes of \p object; if that is gone by then, the
    /// protocol answers \p request.
    template <typename Request>
    [[nodiscard]] Done<FileAttributesReply> EndWithObject(const Request& request,
                                                          const FileRef& object,
                                                          const Done<typename Request::Reply>& done,
                                                          Done<FileObjectReply> end);
    /// Ends a lookup with an object whose name is known.
    void EndLookup(const FileLookup& request,
                   const FileRef& object,
                   const Done<FileObjectReply>& done);
    void OpenByName(const FileOpen& request,
                    const FileRef& object,
                    const Done<FileOpenReply>& done);
    /// \return the reply that the caches give of the attributes of \p object, all of which are
    /// known.
    [[nodiscard]] FileAttributesReply MakeAnswer(const FileRef& object);
    /// Ends a system call without an operation.
    template <typename Reply>
    void EndCached(Done<Reply> done, Reply reply) const;

    FileClient& m_files;
    const FileCacheSettings& m_settings;
    AttributeCache m_attributes;
    NameCache m_names;
    FileCacheStatistics m_statistics;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_TYPES_CACHED_REQUESTS_H
