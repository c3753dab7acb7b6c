/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V2_ACL_SERVER2_H
#define NFSRDMA_NFS_V2_ACL_SERVER2_H

#include "nfs/store/server-storage.h"
#include "nfs/v2/acl-messages2.h"
#include "nfs/v2/procedures2.h"
#include "rpc/server.h"

#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief NFSACL version 2 of one server, beside its Nfs2Server: access lists, attributes and ACCESS
 * of a FileStore's objects.
 *
 * As NfsAcl3Server: lists of one message that take more than a page end with the RPC's SYSTEM_ERR.
 */
class NfsAcl2Server : public RpcProgram
{
  public:
    static TypeId GetTypeId();

    /// \param store whose handles have at most 32 octets
    void SetFileStore(Ptr<FileStore> store);

    /// Without one, answers take no time on the storage.
    void SetStorage(Ptr<ServerStorage> storage)
    {
        m_storage = storage;
    }

    [[nodiscard]] uint32_t GetProgram() const override;
    [[nodiscard]] uint32_t GetVersion() const override;
    void Dispatch(std::shared_ptr<RpcServerCall> call, Done done) override;

  private:
    void DoDispose() override;

    [[nodiscard]] RpcServerReply Serve(const RpcServerCall& call);

    [[nodiscard]] FileResult<InodeNumber> Resolve(const Nfs2Fh& handle) const
    {
        return m_store->Resolve(m_sizes.ToNfs3(handle));
    }

    [[nodiscard]] Fattr2 GetAttributes(InodeNumber number) const;
    [[nodiscard]] Getacl2Res Get(const Getacl2Args& args) const;
    [[nodiscard]] std::optional<Attr2Res> Set(const RpcServerCall& call, const Setacl2Args& args);

    Ptr<FileStore> m_store;
    Ptr<ServerStorage> m_storage;
    Nfs2HandleSizes m_sizes;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V2_ACL_SERVER2_H
