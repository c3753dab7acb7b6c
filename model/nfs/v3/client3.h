/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V3_CLIENT3_H
#define NFSRDMA_NFS_V3_CLIENT3_H

#include "host/memory.h"
#include "nfs/v3/calls3.h"
#include "nfs/v3/reply-size3.h"
#include "rpc/client.h"

#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <functional>
#include <memory>

namespace ns3::nfsrdma
{

/**
 * \brief NFSv3 calls of one client to one server: encodes, estimates the reply, decodes.
 *
 * Which transfer form a message takes is the transport's choice.
 *
 * A call that is answered JUKEBOX is made again later, under another XID; its completion is that of
 * the last one.
 *
 * Attributes: ReduceReadlink (bool), JukeboxDelay (Time). The room offered for the entries of
 * READDIR and READDIRPLUS is their count and maxcount; for READLINK's path it is a page.
 */
class Nfs3Client : public Nfs3Calls
{
  public:
    static TypeId GetTypeId();

    /// The RPC client of this program; its program and version are set here.
    void SetRpcClient(Ptr<RpcClient> client);

    [[nodiscard]] Ptr<RpcClient> GetRpcClient() const
    {
        return m_client;
    }

    /// Memory of this host.
    void SetHostMemory(Ptr<HostMemory> memory)
    {
        m_memory = memory;
    }

    /// \return octets of data that READs brought.
    [[nodiscard]] uint64_t GetBytesRead() const
    {
        return m_bytesRead;
    }

    /// \return octets of data that the server says WRITEs have written.
    [[nodiscard]] uint64_t GetBytesWritten() const
    {
        return m_bytesWritten;
    }

    /// \return calls submitted and not completed; those that wait to be made again, too.
    [[nodiscard]] uint32_t GetPending() const
    {
        return m_pending;
    }

    /// \return answers JUKEBOX, after which a call was made again (NFSIOS_DELAY).
    [[nodiscard]] uint64_t GetJukeboxes() const
    {
        return m_jukeboxes;
    }

    /// Trace source "ShortData": a READ reply whose data are not what its count says; XID.
    typedef void (*ShortDataTracedCallback)(uint32_t xid);

  private:
    void DoDispose() override;

    uint32_t Start(Request&& request) override;

    /// Makes the result of an accepted reply, or changes the record's outcome.
    template <typename Result>
    using Interpreter = std::function<
        Result(RpcRecord& record, const RpcReceivedMessage& message, XdrReader& reader)>;

    /// A call, until it has been answered.
    template <typename Result>
    struct Pending
    {
        Nfs3Procedure procedure;
        RpcArguments arguments;
        RpcReplyEstimate estimate;
        Interpreter<Result> interpret;
        Nfs3Completion<Result> completion;
    };

    template <typename Result>
    uint32_t Send(std::shared_ptr<const Pending<Result>> call);
    /// After JUKEBOX.
    template <typename Result>
    void SendLater(std::shared_ptr<const Pending<Result>> call);
    /// \return what is decoded.
    template <typename Result>
    static Result TakePlain(RpcRecord& record,
                            const RpcReceivedMessage& message,
                            XdrReader& reader);
    template <typename Args>
    uint32_t Submit(
        Nfs3Call<Args>& call,
        RpcArguments&& arguments,
        RpcReplyEstimate&& estimate = EstimateNfs3Reply(Args::PROCEDURE),
        Interpreter<typename Args::Result> interpret = TakePlain<typename Args::Result>);
    template <typename Args>
    uint32_t Submit(Nfs3Call<Args>& call);
    uint32_t Submit(Nfs3Call<Readlink3Args>& call);
    uint32_t Submit(Nfs3Call<Read3Args>& call);
    uint32_t Submit(Nfs3Call<Write3Args>& call);
    uint32_t Submit(Nfs3Call<Symlink3Args>& call);

    uint32_t Submit(Nfs3Call<Readdir3Args>& call)
    {
        return SubmitWithPages(call, call.args.count);
    }

    uint32_t Submit(Nfs3Call<Readdirplus3Args>& call)
    {
        return SubmitWithPages(call, call.args.maxcount);
    }

    template <typename Args>
    uint32_t SubmitWithPages(Nfs3Call<Args>& call, uint32_t room);
    Read3Res InterpretRead(RpcRecord& record,
                           const RpcReceivedMessage& message,
                           XdrReader& reader,
                           uint64_t address,
                           uint32_t asked);

    Ptr<RpcClient> m_client;
    Ptr<HostMemory> m_memory;
    bool m_reduceReadlink{false};
    Time m_jukeboxDelay;
    uint32_t m_pending{0};
    uint64_t m_jukeboxes{0};
    uint64_t m_bytesRead{0};
    uint64_t m_bytesWritten{0};
    TracedCallback<uint32_t> m_shortDataTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V3_CLIENT3_H
