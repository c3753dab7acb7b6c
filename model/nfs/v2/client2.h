/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V2_CLIENT2_H
#define NFSRDMA_NFS_V2_CLIENT2_H

#include "host/memory.h"
#include "nfs/v2/messages2.h"
#include "nfs/v2/reply-size2.h"

#include "ns3/object.h"

namespace ns3::nfsrdma
{

/**
 * \brief NFSv2 calls of one client to one server: arguments encoded, replies estimated and decoded.
 *
 * Data of READ and WRITE, and the path of SYMLINK, are in host memory at the address given, which
 * the caller keeps until the completion. As Linux's client: READLINK and READDIR offer pages.
 *
 * Attribute: ReduceReadlink.
 */
class Nfs2Client : public Object
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

    // Each submits a call and returns its XID; the completion runs later, once. Its results count
    // when the outcome is SUCCESS.

    /// Any procedure but those below.
    template <typename Procedure>
    uint32_t Call(const typename Procedure::Arguments& args,
                  StubCompletion<typename Procedure::Results> completion)
    {
        return CallStub<Procedure>(*m_client,
                                   args,
                                   Count(std::move(completion)),
                                   EstimateNfs2Reply(Procedure::PROCEDURE));
    }

    /// \param address of at least args.count octets
    uint32_t Read(const Read2Args& args, uint64_t address, StubCompletion<Read2Res> completion);
    /// The path is in the results' octets.
    uint32_t Readlink(const Handle2Args& args, StubCompletion<Readlink2Res> completion);
    /// \param args data.length octets, which are at \p address
    uint32_t Write(const Write2Args& args, uint64_t address, StubCompletion<Attr2Res> completion);
    /// \param args path.length octets, which are at \p address
    uint32_t Symlink(const Symlink2Args& args,
                     uint64_t address,
                     StubCompletion<Status2Res> completion);
    uint32_t Readdir(const Readdir2Args& args, StubCompletion<Readdir2Res> completion);

    /// Whether READLINK's path may come by Write chunk (RFC 8267 section 4). Default: no, as Linux.
    void SetReduceReadlink(bool reduce)
    {
        m_reduceReadlink = reduce;
    }

    [[nodiscard]] bool IsReduceReadlink() const
    {
        return m_reduceReadlink;
    }

    /// \return calls submitted and not completed.
    [[nodiscard]] uint32_t GetPending() const
    {
        return m_pending;
    }

    /// \return octets of data that READs have brought.
    [[nodiscard]] uint64_t GetBytesRead() const
    {
        return m_bytesRead;
    }

    /// \return octets of data that WRITEs have taken.
    [[nodiscard]] uint64_t GetBytesWritten() const
    {
        return m_bytesWritten;
    }

  private:
    void DoDispose() override;

    /// Counts a call as pending until \p completion.
    template <typename Results>
    StubCompletion<Results> Count(StubCompletion<Results> completion)
    {
        ++m_pending;
        return [self = Ptr<Nfs2Client>(this),
                completion = std::move(completion)](RpcRecord& record, const Results& results) {
            --self->m_pending;
            if (completion)
            {
                completion(record, results);
            }
        };
    }

    Ptr<RpcClient> m_client;
    Ptr<HostMemory> m_memory;
    bool m_reduceReadlink{false};
    uint32_t m_pending{0};
    uint64_t m_bytesRead{0};
    uint64_t m_bytesWritten{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V2_CLIENT2_H
