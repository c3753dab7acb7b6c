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
#include <utility>
#include <variant>

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

/// A call on its way. \p address: host memory of what READ brings or WRITE takes, else 0.
template <typename Args>
struct Nfs3Call
{
    Args args;
    uint64_t address{0};
    Nfs3Completion<typename Args::Result> completion;
};

/// Calls with arguments of any of these types.
template <typename... Args>
class Nfs3CallsOf : public Object
{
  public:
    using Request = std::variant<Nfs3Call<Args>...>;

    /// Submits a call and returns its XID; the completion runs later, once.
    template <typename CallArgs>
    uint32_t Call(const CallArgs& args, Nfs3Completion<typename CallArgs::Result> completion)
    {
        return Start(Nfs3Call<CallArgs>{args, 0, std::move(completion)});
    }

    /**
     * \brief READ or WRITE, into host memory or from it.
     * \param args what to read or write; the data of Write3Args are not used, their count says how
     * much \param address host memory of at least args.count octets, unchanged until the completion
     * of a WRITE. After a successful READ result.count octets of it are the data, whichever way
     * they came; result.data.octets is empty when they came by chunk. \param completion called at
     * the end
     */
    template <typename CallArgs>
    uint32_t Call(const CallArgs& args,
                  uint64_t address,
                  Nfs3Completion<typename CallArgs::Result> completion)
    {
        return Start(Nfs3Call<CallArgs>{args, address, std::move(completion)});
    }

  private:
    virtual uint32_t Start(Request&& request) = 0;
};

/**
 * \brief Calls with the arguments and results of NFSv3, whichever version carries them: Nfs3Client,
 * or Nfs2Calls in the words of version 2.
 *
 * The path of a READLINK's results is in its octets whichever way it came; that of a SYMLINK is
 * copied to host memory.
 */
class Nfs3Calls : public OfNfs3Args<Nfs3CallsOf>
{
  public:
    static TypeId GetTypeId();
};

/// The same for NFSACL: NfsAcl3Client, or NfsAcl2Calls in the words of version 2.
class NfsAcl3Calls : public Nfs3CallsOf<AclNull3Args, Getacl3Args, Setacl3Args>
{
  public:
    static TypeId GetTypeId();
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V3_CALLS3_H
