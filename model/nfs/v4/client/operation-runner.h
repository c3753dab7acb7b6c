/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_OPERATION_RUNNER_H
#define NFSRDMA_NFS_V4_CLIENT_OPERATION_RUNNER_H

#include "nfs/types/file-client.h"
#include "nfs/v4/client/compounds.h"
#include "nfs/v4/client/opened-file.h"
#include "nfs/v4/client/task.h"

#include "ns3/simulator.h"

#include <cstdint>
#include <functional>
#include <utility>

namespace ns3::nfsrdma
{

/**
 * \brief Carries operations of a FileClient out as COMPOUNDs: what the parts of an Nfs4FileClient
 * have in common. The FileClient counts those that have not ended, and is kept as long as one has
 * not.
 */
class Nfs4OperationRunner
{
  public:
    template <typename Reply>
    using Done = FileClient::Done<Reply>;
    /// Makes an operation's reply of a good result.
    template <typename Reply>
    using Take = std::function<void(const Nfs4TaskReply& result, Reply& reply)>;

    /// \param files whose operations they are; owns this
    explicit Nfs4OperationRunner(FileClient& files);

    void SetClient(Ptr<Nfs4CompoundClient> client)
    {
        m_client = client;
    }

    /// \return null once disposed of.
    [[nodiscard]] const Ptr<Nfs4CompoundClient>& GetClient() const
    {
        return m_client;
    }

    [[nodiscard]] FileClient& GetFiles() const
    {
        return m_files;
    }

    /// \return the stateid for I/O on what is \p open; see Nfs4HeldState::SelectStateId().
    [[nodiscard]] Nfs4StateId SelectStateId(const Nfs4HeldState::OpenPtr& open,
                                            uint32_t access) const
    {
        return m_client->GetHeld().SelectStateId(open->file, access, m_client->HasSessions());
    }

    /// Goes on when no delegation is held of the file, or of the one of that name.
    void WithoutDelegation(const Nfs4Fh& file, std::function<void()> next);
    void WithoutDelegation(const Nfs4Name& name, std::function<void()> next);

    /// As FileClient::Track().
    template <typename Reply>
    [[nodiscard]] Done<Reply> Track(Done<Reply> done)
    {
        return m_files.Track<Reply>(std::move(done));
    }

    /// Ends an operation that takes no RPC.
    template <typename Reply>
    static void EndSoon(const Reply& reply, Done<Reply> done)
    {
        Simulator::ScheduleNow([reply, done = std::move(done)] { done(reply); });
    }

    /// \return a reply that says how \p result ended.
    template <typename Reply>
    [[nodiscard]] static Reply MakeReply(const Nfs4TaskReply& result)
    {
        Reply reply;
        reply.outcome = result.outcome;
        reply.repeated = result.repeated;
        reply.status = static_cast<uint32_t>(result.status);
        return reply;
    }

    /// Submits \p task for an operation that is counted already. \param take may be null
    template <typename Reply>
    void Submit(const Nfs4TaskPtr& task, Take<Reply> take, Done<Reply> done)
    {
        task->done = [take = std::move(take), done = std::move(done)](const Nfs4TaskReply& result) {
            auto reply = MakeReply<Reply>(result);
            if (take && result.IsOk())
            {
                take(result, reply);
            }
            done(reply);
        };
        m_client->GetTasks().Submit(task);
    }

    /// An operation that is \p task alone.
    template <typename Reply>
    void Run(const Nfs4TaskPtr& task, Take<Reply> take, Done<Reply> done)
    {
        Submit<Reply>(task, std::move(take), Track<Reply>(std::move(done)));
    }

  private:
    FileClient& m_files;
    Ptr<Nfs4CompoundClient> m_client;
};

/// \return what makes a reply of the results of the operation that gives a Result.
template <typename Result, typename Function>
[[nodiscard]] auto
TakeFrom(Function take)
{
    return [take = std::move(take)](const Nfs4TaskReply& result, auto& reply) {
        if (const auto* got = result.Find<Result>())
        {
            take(*got, reply);
        }
    };
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_OPERATION_RUNNER_H
