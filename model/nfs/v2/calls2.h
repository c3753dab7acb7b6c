/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V2_CALLS2_H
#define NFSRDMA_NFS_V2_CALLS2_H

#include "nfs/v2/acl-client2.h"
#include "nfs/v2/client2.h"
#include "nfs/v3/calls3.h"

namespace ns3::nfsrdma
{

/**
 * \brief Calls of NFSv2, one for each, with the arguments and results of version 3:
 *
 *     Create      CREATE; there is no other mode than UNCHECKED
 *     Mknod       CREATE with the type in the mode (nfs_proc_mknod() of Linux)
 *     Fsstat      STATFS
 *     Read        READ; eof says whether the file ends with the data, by the size that came along
 *     Write       WRITE; what is written is stable, and all that was sent
 *     Symlink     SYMLINK; the results have neither handle nor attributes
 *     Access, Readdirplus, Fsinfo, Pathconf, Commit
 *                 no RPC: NOTSUPP with the next event, XID 0
 *
 * Statuses keep their numbers. Offsets and sizes are cut to 32 bits.
 */
class Nfs2Calls : public Nfs3Calls
{
  public:
    static TypeId GetTypeId();
    Nfs2Calls();
    ~Nfs2Calls() override;

    /// \param memory of the same host
    void SetClient(const Ptr<Nfs2Client>& client, const Ptr<HostMemory>& memory);

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

  private:
    void DoDispose() override;

    Ptr<Nfs2Client> m_client;
    Ptr<HostMemory> m_memory;
};

/// Calls of NFSACL version 2 with the arguments and results of version 3.
class NfsAcl2Calls : public NfsAcl3Calls
{
  public:
    static TypeId GetTypeId();
    NfsAcl2Calls();
    ~NfsAcl2Calls() override;

    void SetClient(const Ptr<NfsAcl2Client>& client);

    uint32_t Null(Nfs3Completion<Null3Res> completion) override;
    uint32_t Getacl(const Getacl3Args& args, Nfs3Completion<Getacl3Res> completion) override;
    uint32_t Setacl(const Setacl3Args& args, Nfs3Completion<Setacl3Res> completion) override;

  private:
    void DoDispose() override;

    Ptr<NfsAcl2Client> m_client;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V2_CALLS2_H
