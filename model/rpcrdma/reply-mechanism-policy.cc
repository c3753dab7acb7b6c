/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/reply-mechanism-policy.h"

namespace ns3::nfsrdma
{
namespace
{

bool
MayReduce(const RpcReplyEstimate& reply, bool reduction, uint32_t maxInline)
{
    uint32_t reduced = 0;
    for (const RpcReplyItem& item : reply.items)
    {
        reduced += item.ddpEligible ? item.maximum : 0;
    }
    return reduction && reduced > 0 && reply.GetTotal() - reduced < maxInline;
}

class LinuxReplyMechanismPolicy : public ReplyMechanismPolicy
{
  public:
    [[nodiscard]] ReplyMechanism Choose(const RpcReplyEstimate& reply,
                                        bool reduction,
                                        uint32_t maxInline) const override
    {
        if (reply.GetTotal() <= maxInline)
        {
            return ReplyMechanism::INLINE;
        }
        return MayReduce(reply, reduction, maxInline) ? ReplyMechanism::WRITE_CHUNK
                                                      : ReplyMechanism::REPLY_CHUNK;
    }
};

class WriteChunkFirstPolicy : public LinuxReplyMechanismPolicy
{
  public:
    [[nodiscard]] ReplyMechanism Choose(const RpcReplyEstimate& reply,
                                        bool reduction,
                                        uint32_t maxInline) const override
    {
        return MayReduce(reply, reduction, maxInline)
                   ? ReplyMechanism::WRITE_CHUNK
                   : LinuxReplyMechanismPolicy::Choose(reply, reduction, maxInline);
    }
};

class ReplyChunkAlwaysPolicy : public ReplyMechanismPolicy
{
  public:
    [[nodiscard]] ReplyMechanism Choose(const RpcReplyEstimate& /*reply*/,
                                        bool /*reduction*/,
                                        uint32_t /*maxInline*/) const override
    {
        return ReplyMechanism::REPLY_CHUNK;
    }
};

} // namespace

std::unique_ptr<ReplyMechanismPolicy>
ReplyMechanismPolicy::Create(const std::string& name)
{
    if (name == "linux")
    {
        return std::make_unique<LinuxReplyMechanismPolicy>();
    }
    if (name == "write-chunk-first")
    {
        return std::make_unique<WriteChunkFirstPolicy>();
    }
    if (name == "reply-chunk-always")
    {
        return std::make_unique<ReplyChunkAlwaysPolicy>();
    }
    return nullptr;
}

std::vector<std::string>
ReplyMechanismPolicy::GetNames()
{
    return {"linux", "write-chunk-first", "reply-chunk-always"};
}

} // namespace ns3::nfsrdma
