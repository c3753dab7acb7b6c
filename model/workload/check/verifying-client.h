/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_CHECK_VERIFYING_CLIENT_H
#define NFSRDMA_WORKLOAD_CHECK_VERIFYING_CLIENT_H

#include "host/memory.h"
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

    void Issue(const Null3Args& args, Nfs3Completion<Null3Res> done);
    void Issue(const Getattr3Args& args, Nfs3Completion<Getattr3Res> done);
    void Issue(const Setattr3Args& args, Nfs3Completion<Setattr3Res> done);
    void Issue(const Lookup3Args& args, Nfs3Completion<Lookup3Res> done);
    void Issue(const Access3Args& args, Nfs3Completion<Access3Res> done);
    void Issue(const Readlink3Args& args, Nfs3Completion<Readlink3Res> done);
    void Issue(const Read3Args& args, Nfs3Completion<Read3Res> done);
    /// args.data is not used: the octets are those of the model.
    void Issue(const Write3Args& args, Nfs3Completion<Write3Res> done);
    void Issue(const Create3Args& args, Nfs3Completion<Create3Res> done);
    void Issue(const Mkdir3Args& args, Nfs3Completion<Mkdir3Res> done);
    void Issue(const Symlink3Args& args, Nfs3Completion<Symlink3Res> done);
    void Issue(const Mknod3Args& args, Nfs3Completion<Mknod3Res> done);
    void Issue(const Remove3Args& args, Nfs3Completion<Remove3Res> done);
    void Issue(const Rmdir3Args& args, Nfs3Completion<Rmdir3Res> done);
    void Issue(const Rename3Args& args, Nfs3Completion<Rename3Res> done);
    void Issue(const Link3Args& args, Nfs3Completion<Link3Res> done);
    void Issue(const Readdir3Args& args, Nfs3Completion<Readdir3Res> done);
    void Issue(const Readdirplus3Args& args, Nfs3Completion<Readdirplus3Res> done);
    void Issue(const Fsstat3Args& args, Nfs3Completion<Fsstat3Res> done);
    void Issue(const Fsinfo3Args& args, Nfs3Completion<Fsinfo3Res> done);
    void Issue(const Pathconf3Args& args, Nfs3Completion<Pathconf3Res> done);
    void Issue(const Commit3Args& args, Nfs3Completion<Commit3Res> done);
    void Issue(const AclNull3Args& args, Nfs3Completion<Null3Res> done);
    void Issue(const Getacl3Args& args, Nfs3Completion<Getacl3Res> done);
    void Issue(const Setacl3Args& args, Nfs3Completion<Setacl3Res> done);

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

    template <typename Args>
    using Method = uint32_t (Nfs3Calls::*)(const Args&, Nfs3Completion<typename Args::Result>);

    /// \p update runs before \p done, with the same arguments.
    template <typename Args, typename Update>
    void Submit(Method<Args> method,
                const Args& args,
                Target target,
                Update update,
                Nfs3Completion<typename Args::Result> done);
    template <typename Args>
    void Submit(Method<Args> method,
                const Args& args,
                Target target,
                Nfs3Completion<typename Args::Result> done);
    /// Gives the operation that is about to be issued its number. \return a completion that keeps
    /// the books, then calls \p update and \p done.
    template <typename Args, typename Update>
    Nfs3Completion<typename Args::Result> Wrap(Update update,
                                               Nfs3Completion<typename Args::Result> done);
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
