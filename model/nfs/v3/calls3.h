/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V3_CALLS3_H
#define NFSRDMA_NFS_V3_CALLS3_H

#include "nfs/v3/acl-messages3.h"
#include "nfs/v3/types3.h"
#include "rpc/record.h"

#include "ns3/object.h"

#include <cstdint>
#include <functional>

namespace ns3::nfsrdma
{

/**
 * \brief The end of an NFSv3 call.
 *
 * With record.outcome SUCCESS, \p result is what the server said and record.programStatus its
 * nfsstat3; else result.status is SERVERFAULT and the rest means nothing. Spans inside \p result
 * end with the callback.
 */
template <typename Result>
using Nfs3Completion = std::function<void(RpcRecord& record, const Result& result)>;

/**
 * \brief Calls with the arguments and results of NFSv3, whichever version carries them: Nfs3Client,
 * or Nfs2Calls in the words of version 2.
 *
 * Each method submits a call and returns its XID; the completion runs later, once.
 */
class Nfs3Calls : public Object
{
  public:
    static TypeId GetTypeId();
    Nfs3Calls();
    ~Nfs3Calls() override;

    virtual uint32_t Null(Nfs3Completion<Null3Res> completion) = 0;
    virtual uint32_t Getattr(const Getattr3Args& args, Nfs3Completion<Getattr3Res> completion) = 0;
    virtual uint32_t Setattr(const Setattr3Args& args, Nfs3Completion<Setattr3Res> completion) = 0;
    virtual uint32_t Lookup(const Lookup3Args& args, Nfs3Completion<Lookup3Res> completion) = 0;
    virtual uint32_t Access(const Access3Args& args, Nfs3Completion<Access3Res> completion) = 0;
    /// result.path.octets is the path whichever way it came.
    virtual uint32_t Readlink(const Readlink3Args& args,
                              Nfs3Completion<Readlink3Res> completion) = 0;
    /**
     * \brief READ into host memory.
     * \param args what to read
     * \param address host memory of at least args.count octets; after a successful completion
     *        result.count octets of it are the data, whichever way they came. result.data.octets is
     *        empty when they came by chunk.
     * \param completion called at the end
     */
    virtual uint32_t Read(const Read3Args& args,
                          uint64_t address,
                          Nfs3Completion<Read3Res> completion) = 0;
    /**
     * \brief WRITE from host memory.
     * \param args what to write; args.data is not used, args.count says how much
     * \param address host memory of at least args.count octets, unchanged until completion
     * \param completion called at the end
     */
    virtual uint32_t Write(const Write3Args& args,
                           uint64_t address,
                           Nfs3Completion<Write3Res> completion) = 0;
    virtual uint32_t Create(const Create3Args& args, Nfs3Completion<Create3Res> completion) = 0;
    virtual uint32_t Mkdir(const Mkdir3Args& args, Nfs3Completion<Mkdir3Res> completion) = 0;
    /// args.path.octets is the path; it is copied to host memory.
    virtual uint32_t Symlink(const Symlink3Args& args, Nfs3Completion<Symlink3Res> completion) = 0;
    virtual uint32_t Mknod(const Mknod3Args& args, Nfs3Completion<Mknod3Res> completion) = 0;
    virtual uint32_t Remove(const Remove3Args& args, Nfs3Completion<Remove3Res> completion) = 0;
    virtual uint32_t Rmdir(const Rmdir3Args& args, Nfs3Completion<Rmdir3Res> completion) = 0;
    virtual uint32_t Rename(const Rename3Args& args, Nfs3Completion<Rename3Res> completion) = 0;
    virtual uint32_t Link(const Link3Args& args, Nfs3Completion<Link3Res> completion) = 0;
    virtual uint32_t Readdir(const Readdir3Args& args, Nfs3Completion<Readdir3Res> completion) = 0;
    virtual uint32_t Readdirplus(const Readdirplus3Args& args,
                                 Nfs3Completion<Readdirplus3Res> completion) = 0;
    virtual uint32_t Fsstat(const Fsstat3Args& args, Nfs3Completion<Fsstat3Res> completion) = 0;
    virtual uint32_t Fsinfo(const Fsinfo3Args& args, Nfs3Completion<Fsinfo3Res> completion) = 0;
    virtual uint32_t Pathconf(const Pathconf3Args& args,
                              Nfs3Completion<Pathconf3Res> completion) = 0;
    virtual uint32_t Commit(const Commit3Args& args, Nfs3Completion<Commit3Res> completion) = 0;
};

/// The same for NFSACL: NfsAcl3Client, or NfsAcl2Calls in the words of version 2.
class NfsAcl3Calls : public Object
{
  public:
    static TypeId GetTypeId();
    NfsAcl3Calls();
    ~NfsAcl3Calls() override;

    virtual uint32_t Null(Nfs3Completion<Null3Res> completion) = 0;
    virtual uint32_t Getacl(const Getacl3Args& args, Nfs3Completion<Getacl3Res> completion) = 0;
    virtual uint32_t Setacl(const Setacl3Args& args, Nfs3Completion<Setacl3Res> completion) = 0;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V3_CALLS3_H
