/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V2_ACL_CLIENT2_H
#define NFSRDMA_NFS_V2_ACL_CLIENT2_H

#include "host/memory.h"
#include "nfs/v2/acl-messages2.h"

#include "ns3/object.h"

namespace ns3::nfsrdma
{

/**
 * \brief NFSACL version 2 calls of one client to one server, beside an Nfs2Client on the same
 * transport. A GETACL offers seven pages for the lists, as in version 3.
 */
class NfsAcl2Client : public Object
{
  public:
    static TypeId GetTypeId();

    /// The RPC client of this program; its program and version are set here.
    void SetRpcClient(Ptr<RpcClient> client);

    /// Memory of this host.
    void SetHostMemory(Ptr<HostMemory> memory)
    {
        m_memory = memory;
    }

    // Each submits a call and returns its XID; the completion runs later, once. Its results count
    // when the outcome is SUCCESS.

    /// Any procedure but GETACL.
    template <typename Procedure>
    uint32_t Call(const typename Procedure::Arguments& args,
                  StubCompletion<typename Procedure::Results> completion)
    {
        return CallStub<Procedure>(*m_client,
                                   args,
                                   std::move(completion),
                                   EstimateReply(Procedure::PROCEDURE));
    }

    uint32_t Getacl(const Getacl2Args& args, StubCompletion<Getacl2Res> completion);

    /// \return the largest reply of a procedure; GETACL's lists have up to 1024 entries each.
    [[nodiscard]] static RpcReplyEstimate EstimateReply(NfsAcl2Procedure procedure);

  private:
    void DoDispose() override;

    Ptr<RpcClient> m_client;
    Ptr<HostMemory> m_memory;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V2_ACL_CLIENT2_H
