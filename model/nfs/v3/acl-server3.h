/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V3_ACL_SERVER3_H
#define NFSRDMA_NFS_V3_ACL_SERVER3_H

#include "nfs/store/files.h"
#include "nfs/store/server-storage.h"
#include "nfs/v3/acl-messages3.h"
#include "rpc/server.h"

#include "ns3/traced-callback.h"

#include <array>

namespace ns3::nfsrdma
{

/**
 * \brief NFSACL version 3 on the file store of an Nfs3Server, as Linux's nfsd 6.1: lists that take
 * more than a page, set or got, end with the RPC's SYSTEM_ERR.
 */
class NfsAcl3Server : public RpcProgram
{
  public:
    static TypeId GetTypeId();

    void SetFileStore(Ptr<FileStore> store)
    {
        m_store = store;
    }

    /// Without one, nothing costs time.
    void SetStorage(Ptr<ServerStorage> storage)
    {
        m_storage = storage;
    }

    [[nodiscard]] uint32_t GetProgram() const override;
    [[nodiscard]] uint32_t GetVersion() const override;
    void Dispatch(std::shared_ptr<RpcServerCall> call, Done done) override;

    /// \return calls of \p procedure carried out.
    [[nodiscard]] uint64_t GetCalls(NfsAcl3Procedure procedure) const
    {
        return m_calls.at(static_cast<uint32_t>(procedure));
    }

    /// Octets that the lists of one message may take (16 and 12 for each entry).
    static constexpr uint32_t MAX_LIST_OCTETS = 4096;

  private:
    void DoDispose() override;

    /// An answer, and what it asks of the storage before it may leave.
    struct Answer
    {
        RpcServerReply reply;
        std::optional<StorageWork> work;
    };

    [[nodiscard]] Answer Carry(const RpcServerCall& call) const;
    [[nodiscard]] Answer Get(XdrReader& reader) const;
    [[nodiscard]] Answer Set(const RpcServerCall& call, XdrReader& reader) const;

    Ptr<FileStore> m_store;
    Ptr<ServerStorage> m_storage;
    std::array<uint64_t, NFSACL3_PROCEDURES> m_calls{};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V3_ACL_SERVER3_H
