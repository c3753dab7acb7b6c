/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V3_ACL_CLIENT3_H
#define NFSRDMA_NFS_V3_ACL_CLIENT3_H

#include "nfs/v3/acl-messages3.h"
#include "nfs/v3/client3.h"

namespace ns3::nfsrdma
{

/**
 * \brief NFSACL version 3 calls of one client to one server, beside an Nfs3Client: on the same
 * transport, with its XIDs, but as a program of its own with an RpcClient of its own.
 *
 * As Linux's client: a GETACL offers seven pages for the lists; a SETACL of lists above 136 octets
 * takes them from memory of their own.
 */
class NfsAcl3Client : public NfsAcl3Calls
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

    /// \return the largest reply of a procedure, as Linux's client computes it (fs/nfs/nfs3xdr.c);
    /// that of GETACL is a guess, which a larger Reply chunk may follow (RFC 8267 section 5.2).
    [[nodiscard]] static RpcReplyEstimate EstimateReply(NfsAcl3Procedure procedure);

  private:
    void DoDispose() override;

    uint32_t Start(Request&& request) override;
    uint32_t Submit(Nfs3Call<AclNull3Args>& call);
    uint32_t Submit(Nfs3Call<Getacl3Args>& call);
    uint32_t Submit(Nfs3Call<Setacl3Args>& call);
    /// \p kept lives until the call has completed.
    template <typename Args>
    uint32_t Send(Nfs3Call<Args>& call,
                  RpcArguments&& arguments,
                  RpcReplyEstimate&& estimate,
                  std::shared_ptr<HostBuffer> kept);

    Ptr<RpcClient> m_client;
    Ptr<HostMemory> m_memory;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V3_ACL_CLIENT3_H
