/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V3_CLIENT3_H
#define NFSRDMA_NFS_V3_CLIENT3_H

#include "host/memory.h"
#include "nfs/v3/calls3.h"
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
 * Each method submits a call and returns its XID; the completion runs later, once. Which transfer
 * form a message takes is the transport's choice.
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
    Nfs3Client();
    ~Nfs3Client() override;

    /// The RPC client of this program; its program and version are set here.
    void SetRpcClient(Ptr<RpcClient> client);
    [[nodiscard]] Ptr<RpcClient> GetRpcClient() const;
    /// Memory of this host.
    void SetHostMemory(Ptr<HostMemory> memory);

    uint32_t Null(Nfs3Completion<Null3Res> completion) override;
    uint32_t Getattr(const Getattr3Args& args, Nfs3Completion<Getattr3Res> completion) override;
    uint32_t Setattr(const Setattr3Args& args, Nfs3Completion<Setattr3Res> completion) override;
    uint32_t Lookup(const Lookup3Args& args, Nfs3Completion<Lookup3Res> completion) override;
    uint32_t Access(const Access3Args& args, Nfs3Completion<Access3Res> completion) override;
    uint32_t Readlink(const Readlink3Args& args, Nfs3Completion<Readlink3Res> completion) override;
    uint32_t Read(const Read3Args& args,
                  uint64_t address,
                  Nfs3Completion<Read3Res> completion) override;
    uint32_t Write(const Write3Args& args,
                   uint64_t address,
                   Nfs3Completion<Write3Res> completion) override;
    uint32_t Create(const Create3Args& args, Nfs3Completion<Create3Res> completion) override;
    uint32_t Mkdir(const Mkdir3Args& args, Nfs3Completion<Mkdir3Res> completion) override;
    uint32_t Symlink(const Symlink3Args& args, Nfs3Completion<Symlink3Res> completion) override;
    uint32_t Mknod(const Mknod3Args& args, Nfs3Completion<Mknod3Res> completion) override;
    uint32_t Remove(const Remove3Args& args, Nfs3Completion<Remove3Res> completion) override;
    uint32_t Rmdir(const Rmdir3Args& args, Nfs3Completion<Rmdir3Res> completion) override;
    uint32_t Rename(const Rename3Args& args, Nfs3Completion<Rename3Res> completion) override;
    uint32_t Link(const Link3Args& args, Nfs3Completion<Link3Res> completion) override;
    uint32_t Readdir(const Readdir3Args& args, Nfs3Completion<Readdir3Res> completion) override;
    uint32_t Readdirplus(const Readdirplus3Args& args,
                         Nfs3Completion<Readdirplus3Res> completion) override;
    uint32_t Fsstat(const Fsstat3Args& args, Nfs3Completion<Fsstat3Res> completion) override;
    uint32_t Fsinfo(const Fsinfo3Args& args, Nfs3Completion<Fsinfo3Res> completion) override;
    uint32_t Pathconf(const Pathconf3Args& args, Nfs3Completion<Pathconf3Res> completion) override;
    uint32_t Commit(const Commit3Args& args, Nfs3Completion<Commit3Res> completion) override;

    /// \return octets of data that READs brought.
    [[nodiscard]] uint64_t GetBytesRead() const;
    /// \return octets of data that the server says WRITEs have written.
    [[nodiscard]] uint64_t GetBytesWritten() const;
    /// \return calls submitted and not completed; those that wait to be made again, too.
    [[nodiscard]] uint32_t GetPending() const;
    /// \return answers JUKEBOX, after which a call was made again (NFSIOS_DELAY).
    [[nodiscard]] uint64_t GetJukeboxes() const;

    /// Trace source "ShortData": a READ reply whose data are not what its count says; XID.
    typedef void (*ShortDataTracedCallback)(uint32_t xid);

  private:
    void DoDispose() override;

    /// Makes the result of an accepted reply, or changes the record's outcome.
    template <typename Result>
    using Interpreter = std::function<
        Result(RpcRecord& record, const RpcReceivedMessage& message, XdrReader& reader)>;

    /// A call, until it has been answered.
    template <typename Result>
    struct Request
    {
        Nfs3Procedure procedure;
        RpcArguments arguments;
        RpcReplyEstimate estimate;
        Interpreter<Result> interpret;
        Nfs3Completion<Result> completion;
    };

    template <typename Result>
    uint32_t Send(std::shared_ptr<const Request<Result>> request);
    /// After JUKEBOX.
    template <typename Result>
    void SendLater(std::shared_ptr<const Request<Result>> request);
    template <typename Result>
    uint32_t Call(Nfs3Procedure procedure,
                  RpcArguments&& arguments,
                  RpcReplyEstimate&& estimate,
                  Interpreter<Result> interpret,
                  Nfs3Completion<Result> completion);
    template <typename Args>
    uint32_t Submit(const Args& args, Nfs3Completion<typename Args::Result> completion);
    template <typename Args>
    uint32_t SubmitWithPages(const Args& args,
                             uint32_t room,
                             Nfs3Completion<typename Args::Result> completion);
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
