/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_CHECK_VERIFYING_CLIENT_H
#define NFSRDMA_WORKLOAD_CHECK_VERIFYING_CLIENT_H

#include "host/memory.h"
#include "nfs/types/aggregate-fields.h"
#include "nfs/types/operation.h"
#include "nfs/v3/calls3.h"
#include "workload/check/content-model.h"

#include "ns3/nstime.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief NFSv3 and NFSACL calls whose effect on one export is followed and whose data are checked.
 *
 * WRITE data come from the ContentModel and are in host memory until the reply; READ data and
 * READLINK paths are compared with the model. Counts what is issued and completed and knows what is
 * outstanding.
 */
class VerifyingClient
{
  public:
    /// Called for each operation that has completed, before its own completion.
    /// \param octets of file data that a READ gave or a WRITE had accepted
    using CompletedHook =
        std::function<void(NfsOperation operation, const RpcRecord& record, uint64_t octets)>;

    /// \param client the calls go through it
    /// \param memory of the same host
    /// \param content of the export; several clients of one host may share it
    VerifyingClient(Ptr<Nfs3Calls> client,
                    Ptr<HostMemory> memory,
                    std::shared_ptr<ContentModel> content);
    ~VerifyingClient() = default;
    VerifyingClient(const VerifyingClient&) = delete;
    VerifyingClient& operator=(const VerifyingClient&) = delete;

    void SetCompletedHook(CompletedHook hook)
    {
        m_completed = std::move(hook);
    }

    /// For the operations of NFSACL, which may be issued only with it.
    void SetAclClient(Ptr<NfsAcl3Calls> client)
    {
        m_acl = client;
    }

    [[nodiscard]] bool HasAclClient() const
    {
        return m_acl != nullptr;
    }

    [[nodiscard]] ContentModel& GetModel();
    [[nodiscard]] const ContentModel& GetModel() const;

    /// Issues an operation of NFSv3 or NFSACL. The data of a WRITE are those of the model.
    template <typename Args>
    void Issue(const Args& args, Nfs3Completion<typename Args::Result> done)
    {
        auto effect = Begin(args);
        auto completion = Wrap<Args>(std::move(effect.end), std::move(done));
        uint32_t xid = 0;
        if constexpr (std::is_same_v<decltype(Args::PROCEDURE), const NfsAcl3Procedure>)
        {
            xid = m_acl->Call(args, effect.address, std::move(completion));
        }
        else
        {
            xid = m_nfs->Call(args, effect.address, std::move(completion));
        }
        Register(xid, Args::PROCEDURE, MakeTarget(args));
    }

    using Counters = std::array<uint64_t, NfsOperation::COUNT>;

    /// \return operations issued, by index.
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
    /// What an operation is about, for DescribeOutstanding().
    struct Target
    {
        NfsFh3 object;
        std::string name;
        uint64_t offset{0}; ///< Of READ, WRITE and COMMIT.
        uint32_t count{0};  ///< Of READ, WRITE and COMMIT.
    };

    struct Outstanding
    {
        uint32_t xid{0}; ///< Of its first try.
        NfsOperation operation{Nfs3Procedure::NULLPROC};
        Time issued;
        Target target;
    };

    /// What an operation that has begun does to the model when it ends.
    template <typename Args>
    struct Effect
    {
        /// Runs before the operation's completion, with the same arguments; null: nothing.
        std::function<void(const RpcRecord& record, const typename Args::Result& result)> end;
        uint64_t address{0}; ///< Of the data of READ and WRITE.
    };

    template <typename Args>
    static Effect<Args> Begin(const Args& /* args */)
    {
        return {};
    }

    Effect<Setattr3Args> Begin(const Setattr3Args& args);
    Effect<Lookup3Args> Begin(const Lookup3Args& args);
    Effect<Readlink3Args> Begin(const Readlink3Args& args);
    Effect<Read3Args> Begin(const Read3Args& args);
    Effect<Write3Args> Begin(const Write3Args& args);
    Effect<Create3Args> Begin(const Create3Args& args);
    Effect<Mkdir3Args> Begin(const Mkdir3Args& args);
    Effect<Symlink3Args> Begin(const Symlink3Args& args);
    Effect<Mknod3Args> Begin(const Mknod3Args& args);
    Effect<Remove3Args> Begin(const Remove3Args& args);
    Effect<Rmdir3Args> Begin(const Rmdir3Args& args);
    Effect<Rename3Args> Begin(const Rename3Args& args);
    Effect<Link3Args> Begin(const Link3Args& args);
    Effect<Readdirplus3Args> Begin(const Readdirplus3Args& args);
    Effect<Getacl3Args> Begin(const Getacl3Args& args);
    Effect<Setacl3Args> Begin(const Setacl3Args& args);
    /// Of the operations that make an object of \p type.
    template <typename Args>
    Effect<Args> BeginMake(const Args& args, Ftype3 type, ByteVector target = {});
    template <typename Args>
    Effect<Args> BeginRemove(const Args& args);

    /// \return the object or the name that \p args begin with.
    template <typename Args>
    static Target MakeTarget(const Args& args)
    {
        if constexpr (CountFields<Args>() == 0)
        {
            return {};
        }
        else if constexpr (std::is_same_v<Args, Link3Args>)
        {
            return {args.link.dir, args.link.name, 0, 0};
        }
        else if constexpr (std::is_same_v<Args, Read3Args> || std::is_same_v<Args, Write3Args> ||
                           std::is_same_v<Args, Commit3Args>)
        {
            return {args.file, {}, args.offset, args.count};
        }
        else
        {
            return MakeTarget(std::get<0>(TieFields(args)));
        }
    }

    static Target MakeTarget(const NfsFh3& object)
    {
        return {object, {}, 0, 0};
    }

    static Target MakeTarget(const DirOpArgs3& where)
    {
        return {where.dir, where.name, 0, 0};
    }

    /// Gives the operation that is about to be issued its number. \return a completion that keeps
    /// the books, then calls \p end and \p done.
    template <typename Args>
    Nfs3Completion<typename Args::Result> Wrap(decltype(Effect<Args>::end) end,
                                               Nfs3Completion<typename Args::Result> done)
    {
        return [alive = std::weak_ptr<VerifyingClient*>(m_alive),
                number = ++m_number,
                end = std::move(end),
                done = std::move(done)](RpcRecord& record, const typename Args::Result& result) {
            const auto client = alive.lock();
            if (client == nullptr)
            {
                return;
            }
            if (end)
            {
                end(record, result);
            }
            (*client)->Complete(number, Args::PROCEDURE, record, CountData(result));
            done(record, result);
        };
    }

    /// \return octets of file data that an operation moved.
    template <typename Result>
    static uint64_t CountData([[maybe_unused]] const Result& result)
    {
        if constexpr (std::is_same_v<Result, Read3Res> || std::is_same_v<Result, Write3Res>)
        {
            return result.status == Nfs3Status::OK ? result.count : 0;
        }
        else
        {
            return 0;
        }
    }

    /// The operation has been issued that Wrap() was called for.
    void Register(uint32_t xid, NfsOperation operation, Target&& target);
    void Complete(uint64_t number,
                  NfsOperation operation,
                  const RpcRecord& record,
                  uint64_t octets);

    Ptr<Nfs3Calls> m_nfs;
    Ptr<NfsAcl3Calls> m_acl;
    Ptr<HostMemory> m_memory;
    std::shared_ptr<ContentModel> m_content;
    ContentModel& m_model; ///< *m_content.
    CompletedHook m_completed;
    std::map<uint64_t, Outstanding> m_outstanding; ///< By number, which counts up.
    uint64_t m_number{0};                          ///< Of the latest operation.
    Counters m_issuedCounts{};
    Counters m_completedCounts{};
    uint64_t m_failed{0};
    /// Gone when this object is: replies that come later are not looked at.
    std::shared_ptr<VerifyingClient*> m_alive;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_CHECK_VERIFYING_CLIENT_H
