/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_CHECK_VERIFYING_FILE_CLIENT_H
#define NFSRDMA_WORKLOAD_CHECK_VERIFYING_FILE_CLIENT_H

#include "host/memory.h"
#include "nfs/types/aggregate-fields.h"
#include "nfs/types/file-client.h"
#include "nfs/v4/client/range-calls.h"
#include "workload/check/content-model.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

constexpr std::size_t FILE_OPERATIONS = 26;

/// \return "GETATTR", "OPEN", ...
[[nodiscard]] const char* ToString(FileOperation operation);

/**
 * \brief A FileClient whose effect on one export is followed and whose data are checked: the way of
 * VerifyingClient, for every NFS version.
 *
 * The octets of writes come from the ContentModel and are in host memory until the reply; what
 * reads, symbolic links and access lists give is compared with the model. Counts what is issued and
 * completed and knows what is outstanding. Operations as in FileClient.
 */
class VerifyingFileClient
{
  public:
    template <typename Reply>
    using Done = FileClient::Done<Reply>;
    /// Called for each operation that has completed, before its own completion.
    using CompletedHook =
        std::function<void(FileOperation operation, const FileReply& reply, Time started)>;

    /// \param client the operations go through it
    /// \param memory of the same host
    /// \param content of the export; several clients may share it
    /// \param index of the host among the cluster's clients
    VerifyingFileClient(const Ptr<FileClient>& client,
                        const Ptr<HostMemory>& memory,
                        std::shared_ptr<ContentModel> content,
                        uint32_t index = 0);
    ~VerifyingFileClient() = default;
    VerifyingFileClient(const VerifyingFileClient&) = delete;
    VerifyingFileClient& operator=(const VerifyingFileClient&) = delete;

    void SetCompletedHook(CompletedHook hook)
    {
        m_completed = std::move(hook);
    }

    [[nodiscard]] uint32_t GetTransferSize() const
    {
        return m_files->GetTransferSize();
    }

    [[nodiscard]] bool KeepsOpenState() const
    {
        return m_files->KeepsOpenState();
    }

    /// Starts an operation of any of the FileClient's requests but FileMakeNode, or, when
    /// HasRangeCalls(), of those of range-calls.h. READs go to memory of its own, the data of
    /// WRITEs are those of the model; their addresses are not used.
    template <typename Request>
    void Run(Request request, Done<typename Request::Reply> done)
    {
        auto update = Begin(request);
        auto end = Track<Request>(request, std::move(update), std::move(done));
        if (m_content->GetStaleness().IsEnabled())
        {
            end = Follow<Request>(request, std::move(end));
        }
        if constexpr (!std::is_constructible_v<FileRequest, FileCall<Request>>)
        {
            m_ranges->Run(request, std::move(end));
        }
        else if (m_systemCalls)
        {
            m_files->Call(std::move(request), std::move(end));
        }
        else
        {
            m_files->Run(std::move(request), std::move(end));
        }
    }

    /// Operations are system calls from now on, which the client's caches answer where they can;
    /// before the first.
    void MakeSystemCalls();

    /// \return how often the host has crashed: what a program kept in memory before is gone.
    [[nodiscard]] uint64_t GetCrashes() const
    {
        return m_files->GetCrashes();
    }

    /// \return whether the client can do what is in range-calls.h (NFSv4.2).
    [[nodiscard]] bool HasRangeCalls() const
    {
        return m_ranges != nullptr;
    }

    // What this client has read of a file that others work on, too, and keeps from an open to the
    // next.

    /// \return whether what it has read may be what the file holds now.
    [[nodiscard]] bool IsCurrent(const FileRef& file) const
    {
        return m_content->GetOctets().IsCurrent(file, m_index);
    }

    /// It keeps nothing.
    void Forget(const FileRef& file)
    {
        m_content->GetOctets().Forget(file, m_index);
    }

    /// It has kept what was not current: a mismatch.
    void ReportStale(const FileRef& file)
    {
        m_content->GetOctets().ReportStale(file, m_index);
    }

    using Counters = std::array<uint64_t, FILE_OPERATIONS>;

    /// \return operations issued, by number.
    [[nodiscard]] const Counters& GetIssued() const
    {
        return m_issuedCounts;
    }

    [[nodiscard]] const Counters& GetCompleted() const
    {
        return m_completedCounts;
    }

    /// \return operations completed whose RPC did not succeed.
    [[nodiscard]] uint64_t GetFailed() const
    {
        return m_failed;
    }

    [[nodiscard]] std::size_t GetOutstanding() const
    {
        return m_outstanding.size();
    }

    /// \return a line for each operation outstanding, oldest first.
    [[nodiscard]] std::vector<std::string> DescribeOutstanding() const;

  private:
    struct Outstanding
    {
        FileOperation operation{FileOperation::GETATTR};
        Time started;
        FileRef object;
        std::string name; ///< Or offset and count.
    };

    /// What an operation that has begun does to the model when it ends; null: nothing.
    template <typename Request>
    using Update = Done<typename Request::Reply>;

    // What of its request begins an operation for the model.

    template <typename Request>
    static Update<Request> Begin(Request& /* request */)
    {
        return nullptr;
    }

    Update<FileSetAttributes> Begin(FileSetAttributes& request);
    Update<FileLookup> Begin(FileLookup& request);
    Update<FileReadLink> Begin(FileReadLink& request);
    Update<FileOpen> Begin(FileOpen& request);
    Update<FileRead> Begin(FileRead& request);
    Update<FileReadPlus> Begin(FileReadPlus& request);
    Update<FileWrite> Begin(FileWrite& request);
    Update<FileMakeDirectory> Begin(FileMakeDirectory& request);
    Update<FileMakeSymlink> Begin(FileMakeSymlink& request);
    Update<FileRemove> Begin(FileRemove& request);
    Update<FileRemoveDirectory> Begin(FileRemoveDirectory& request);
    Update<FileRename> Begin(FileRename& request);
    Update<FileMakeLink> Begin(FileMakeLink& request);
    Update<FileList> Begin(FileList& request);
    Update<FileGetAcls> Begin(FileGetAcls& request);
    Update<FileSetAcls> Begin(FileSetAcls& request);
    Update<FileSeek> Begin(FileSeek& request);
    Update<FileAllocate> Begin(FileAllocate& request);
    Update<FileDeallocate> Begin(FileDeallocate& request);
    Update<FileCopy> Begin(FileCopy& request);
    Update<FileClone> Begin(FileClone& request);
    /// Compares a page of a listing.
    void CheckPage(uint64_t token, const FileListReply& reply);
    /// READ and READ_PLUS.
    template <typename Request>
    Done<FileReadReply> BeginRead(Request& request);
    /// MKDIR and SYMLINK.
    Done<FileObjectReply> BeginMake(const FileName& where, Ftype3 type, ByteVector target);
    /// REMOVE and RMDIR.
    Done<FileReply> BeginRemove(const FileName& where);
    /// COPY and CLONE.
    template <typename Request>
    uint64_t BeginCopy(const Request& request);

    static const FileRef& GetObject(const FileRef& object)
    {
        return object;
    }

    static const FileRef& GetObject(const FileName& where)
    {
        return where.dir;
    }

    static const FileRef& GetObject(const OpenFilePtr& file)
    {
        return file->GetObject();
    }

    /// \return the name that \p request is about, or the range of a file.
    template <typename Request>
    static std::string Describe([[maybe_unused]] const Request& request)
    {
        const auto fields = TieFields(request);
        using First = std::decay_t<decltype(std::get<0>(fields))>;
        if constexpr (std::is_same_v<First, FileName>)
        {
            return std::get<0>(fields).name;
        }
        else if constexpr (std::is_same_v<Request, FileSeek>)
        {
            return "offset " + std::to_string(request.offset);
        }
        else if constexpr (std::is_same_v<First, OpenFilePtr> &&
                           std::tuple_size_v<decltype(fields)> > 1)
        {
            return "offset " + std::to_string(request.offset) + " count " +
                   std::to_string(std::get<2>(fields));
        }
        else
        {
            return {};
        }
    }

    /// \return \p done, after the age of what an operation that begins now tells has been checked.
    template <typename Request>
    Update<Request> Follow(const Request& request, Update<Request> done)
    {
        BeginNames(request);
        return [alive = std::weak_ptr<VerifyingFileClient*>(m_alive),
                request,
                began = Simulator::Now(),
                done = std::move(done)](const typename Request::Reply& reply) {
            const auto client = alive.lock();
            if (client != nullptr)
            {
                (*client)->CheckNews(reply, began, Trusts<Request>());
                (*client)->EndNames(request, reply, began);
                if constexpr (CHANGES_RANGES<Request>)
                {
                    (*client)->m_files->NoteChange(request.file->GetObject());
                }
            }
            done(reply);
        };
    }

    /// Operations of range-calls.h that change the file.
    template <typename Request>
    static constexpr bool CHANGES_RANGES =
        std::is_same_v<Request, FileAllocate> || std::is_same_v<Request, FileDeallocate> ||
        std::is_same_v<Request, FileCopy> || std::is_same_v<Request, FileClone>;

    /// \return whether an answer to it may be as old as caches are; an open never is.
    template <typename Request>
    static constexpr bool Trusts()
    {
        return !std::is_same_v<Request, FileOpen>;
    }

    /// \return how old attributes may be that caches give.
    [[nodiscard]] Time GetAllowed(bool isDirectory) const;
    void CheckNews(const FileReply& reply, Time began, bool trusts);

    // Names that an operation changes, or tells.

    template <typename Request>
    void BeginNames(const Request& /* request */)
    {
    }

    void BeginNames(const FileOpen& request);
    void BeginNames(const FileMakeDirectory& request);
    void BeginNames(const FileMakeSymlink& request);
    void BeginNames(const FileRemove& request);
    void BeginNames(const FileRemoveDirectory& request);
    void BeginNames(const FileRename& request);
    void BeginNames(const FileMakeLink& request);

    template <typename Request>
    void EndNames(const Request& /* request */,
                  const typename Request::Reply& /* reply */,
                  Time /* began */)
    {
    }

    void EndNames(const FileLookup& request, const FileObjectReply& reply, Time began);
    void EndNames(const FileOpen& request, const FileOpenReply& reply, Time began);
    void EndNames(const FileMakeDirectory& request, const FileObjectReply& reply, Time began);
    void EndNames(const FileMakeSymlink& request, const FileObjectReply& reply, Time began);
    void EndNames(const FileRemove& request, const FileReply& reply, Time began);
    void EndNames(const FileRemoveDirectory& request, const FileReply& reply, Time began);
    void EndNames(const FileRename& request, const FileReply& reply, Time began);
    void EndNames(const FileMakeLink& request, const FileReply& reply, Time began);

    void BeginName(const FileName& where);
    /// \param meaning what \p where stands for if it was done; nothing: that is not known
    void EndName(const FileName& where,
                 const FileReply& reply,
                 const std::optional<StalenessModel::Meaning>& meaning,
                 Time began);
    /// A lookup has ended.
    void CheckName(const FileName& where, const FileObjectReply& reply, Time began);

    /// Counts an operation as issued. \return a completion that keeps the books, then calls
    /// \p update and \p done.
    template <typename Request>
    Update<Request> Track(const Request& request, Update<Request> update, Update<Request> done)
    {
        const uint64_t number = Register(Request::OPERATION,
                                         GetObject(std::get<0>(TieFields(request))),
                                         Describe(request));
        return [alive = std::weak_ptr<VerifyingFileClient*>(m_alive),
                number,
                update = std::move(update),
                done = std::move(done)](const typename Request::Reply& reply) {
            const auto client = alive.lock();
            if (client == nullptr)
            {
                return;
            }
            if (update)
            {
                update(reply);
            }
            (*client)->Complete(number, reply);
            done(reply);
        };
    }

    /// \return the number of an operation that is issued.
    uint64_t Register(FileOperation operation, const FileRef& object, std::string name);
    void Complete(uint64_t number, const FileReply& reply);

    Ptr<FileClient> m_files;
    Nfs4RangeCalls* m_ranges; ///< *m_files; null: it has no such calls.
    Ptr<HostMemory> m_memory;
    std::shared_ptr<ContentModel> m_content;
    uint32_t m_index;
    bool m_systemCalls{false};
    CompletedHook m_completed;
    std::map<uint64_t, Outstanding> m_outstanding; ///< By number, which counts up.
    uint64_t m_nextNumber{0};
    Counters m_issuedCounts{};
    Counters m_completedCounts{};
    uint64_t m_failed{0};
    /// Gone when this object is: replies that come later are not looked at.
    std::shared_ptr<VerifyingFileClient*> m_alive;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_CHECK_VERIFYING_FILE_CLIENT_H
