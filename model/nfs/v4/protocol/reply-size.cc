/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/protocol/reply-size.h"

#include "nfs/v4/protocol/linux-reply-size.h"
#include "nfs/v4/protocol/size-meter.h"
#include "rpc/message.h"

#include <algorithm>

namespace ns3::nfsrdma
{
namespace
{

/// Status, tag's length word, number of results.
constexpr uint32_t COMPOUND = 3 * XDR_WORD;
constexpr uint32_t MINOR_VERSION_0 = 0;

uint32_t
GetStart(const ByteVector& tag)
{
    return RpcReplyHeader::ACCEPTED_SIZE + COMPOUND + RoundUp4(static_cast<uint32_t>(tag.size()));
}

/// \return octets that the result of a READ-class operation may have as bulk item.
uint32_t
GetItemOctets(const Nfs4ArgOp& args, const Nfs4SizeGuess& guess)
{
    const auto* read = std::get_if<ReadArgs4>(&args);
    return read != nullptr ? read->count : guess.linkOctets;
}

bool
IsUnpredictable(const Nfs4ArgOp& args, const Nfs4SizeGuess& guess, Nfs4ReplySizePolicy policy)
{
    const auto* getattr = std::get_if<GetattrArgs4>(&args);
    if (getattr == nullptr)
    {
        return false;
    }
    Nfs4Bitmap request = getattr->attrRequest;
    if (policy == Nfs4ReplySizePolicy::LINUX)
    {
        request.Clear(static_cast<uint32_t>(Nfs4Attr::OWNER));
        request.Clear(static_cast<uint32_t>(Nfs4Attr::OWNER_GROUP));
        request.Clear(static_cast<uint32_t>(Nfs4Attr::SEC_LABEL));
        request.Clear(static_cast<uint32_t>(Nfs4Attr::MDSTHRESHOLD));
        request.Clear(static_cast<uint32_t>(Nfs4Attr::FS_LAYOUT_TYPES));
    }
    return !GetNfs4AttributesSize(request, guess).bounded;
}

/// FNV-1a.
void
Mix(uint64_t& kind, uint32_t word)
{
    constexpr uint64_t PRIME = 0x100000001b3;
    for (uint32_t shift = 0; shift < 32; shift += 8)
    {
        kind = (kind ^ (word >> shift & 0xffU)) * PRIME;
    }
}

void
Mix(uint64_t& kind, const Nfs4Bitmap& attributes)
{
    for (uint32_t index = 0; index < attributes.GetWords(); ++index)
    {
        Mix(kind, attributes.GetWord(index));
    }
}

/// \return a number for the operations of \p call and the attributes that they ask for.
uint64_t
GetKind(const Compound4Args& call)
{
    uint64_t kind = 0xcbf29ce484222325;
    for (const Nfs4ArgOp& args : call.ops)
    {
        Mix(kind, static_cast<uint32_t>(GetOp(args)));
        if (const auto* getattr = std::get_if<GetattrArgs4>(&args))
        {
            Mix(kind, getattr->attrRequest);
        }
        else if (const auto* readdir = std::get_if<ReaddirArgs4>(&args))
        {
            Mix(kind, readdir->attrRequest);
        }
    }
    return kind;
}

void
AddXdr(RpcReplyEstimate& estimate, const Compound4Args& call, const Nfs4ReplyLimits& limits)
{
    uint32_t* current = &estimate.head;
    *current = GetStart(call.tag);
    for (const Nfs4ArgOp& args : call.ops)
    {
        const uint32_t maximum = GetNfs4ResultSize(args, limits.guess).maximum;
        if (!GivesItem(GetOp(args)))
        {
            *current += maximum;
            continue;
        }
        const uint32_t octets = GetItemOctets(args, limits.guess);
        *current += maximum - RoundUp4(octets);
        const bool eligible = GetOp(args) == Nfs4Op::READ || limits.reduceReadlink;
        estimate.items.push_back({octets, 0, eligible});
        current = &estimate.tail;
        *current += RoundUp4(octets) - octets;
    }
    if (limits.maxResponseSize > 0 && estimate.GetTotal() > limits.maxResponseSize)
    {
        uint32_t excess = estimate.GetTotal() - limits.maxResponseSize;
        const uint32_t fromTail = std::min(excess, estimate.tail);
        estimate.tail -= fromTail;
        excess -= fromTail;
        const uint32_t fixed = std::min(estimate.minimum, estimate.head);
        estimate.head -= std::min(excess, estimate.head - fixed);
    }
}

void
AddLinux(RpcReplyEstimate& estimate, const Compound4Args& call, const Nfs4ReplyLimits& limits)
{
    const Nfs4LinuxReply reply = GetNfs4LinuxReply(call, limits.guess);
    if (!reply.pages)
    {
        estimate.head = reply.total;
        return;
    }
    estimate.head = reply.head;
    estimate.tail = reply.total - reply.head;
    const bool isReadlink = std::any_of(call.ops.begin(), call.ops.end(), [](const auto& args) {
        return std::holds_alternative<ReadlinkArgs4>(args);
    });
    const bool eligible = reply.pagesAreItem && (!isReadlink || limits.reduceReadlink);
    estimate.items.push_back({*reply.pages, 0, eligible});
}

} // namespace

RpcReplyEstimate
EstimateNfs4Reply(const Compound4Args& call,
                  const Nfs4ReplyLimits& limits,
                  Nfs4ReplySizePolicy policy)
{
    RpcReplyEstimate estimate;
    estimate.kind = GetKind(call);
    estimate.minimum = GetStart(call.tag);
    for (const Nfs4ArgOp& args : call.ops)
    {
        estimate.minimum += GetNfs4ResultSize(args, limits.guess).minimum;
        estimate.bounded = estimate.bounded && (call.minorVersion != MINOR_VERSION_0 ||
                                                !IsUnpredictable(args, limits.guess, policy));
    }
    const auto items = std::count_if(call.ops.begin(), call.ops.end(), [](const auto& args) {
        return GivesItem(GetOp(args));
    });
    if (policy == Nfs4ReplySizePolicy::LINUX && items <= 1)
    {
        AddLinux(estimate, call, limits);
    }
    else
    {
        AddXdr(estimate, call, limits);
    }
    return estimate;
}

RpcReplyEstimate
EstimateNfs4Reply(const CbCompound4Args& call, const Nfs4ReplyLimits& limits)
{
    RpcReplyEstimate estimate;
    estimate.minimum = GetStart(call.tag);
    estimate.head = estimate.minimum;
    for (const Nfs4CbArgOp& args : call.ops)
    {
        const Nfs4ResultSize size = GetNfs4ResultSize(args, limits.guess);
        estimate.minimum += size.minimum;
        estimate.head += size.maximum;
    }
    return estimate;
}

} // namespace ns3::nfsrdma
