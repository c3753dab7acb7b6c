/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/protocol/linux-reply-size.h"

#include "nfs/v4/client/procedure.h"
#include "rpc/message.h"

#include <array>

namespace ns3::nfsrdma
{
namespace
{

constexpr uint32_t PAGE = 4096;

// All below in words.
constexpr uint32_t RPC_HEADER = RpcReplyHeader::ACCEPTED_SIZE / XDR_WORD;
constexpr uint32_t COMPOUND = 3;
constexpr uint32_t OP = 2;
constexpr uint32_t PAGE_PAD = 1;
constexpr uint32_t STATEID = 4;
constexpr uint32_t VERIFIER = 2;
constexpr uint32_t BITMAP = 4;
constexpr uint32_t NAME = 1 + 128 / 4; ///< IDMAP_NAMESZ.
constexpr uint32_t LABEL = 4 + 4 + 1 + 2048 / 4;
constexpr uint32_t MDSTHRESHOLD = 1 + 1 + BITMAP + 1 + 8;
constexpr uint32_t FATTR =
    BITMAP + 1 + (1 + 2 + 2 + 4 + 2 + 1 + 1 + 2 + 2 + 3 * 3 + NAME + NAME + LABEL + MDSTHRESHOLD);
constexpr uint32_t CHANGE_INFO = 5;
constexpr uint32_t OPAQUE = 1024 / 4;
constexpr uint32_t OP_MAP = 4;
constexpr uint32_t NETADDR = 1 + 1 + 1 + 15; ///< RPCBIND_MAXNETIDLEN, RPCBIND_MAXUADDRLEN.
constexpr uint32_t CHANNEL = 8;
constexpr uint32_t SESSION_ID = 4;
constexpr uint32_t WRITE_RESPONSE = 1 + STATEID + 2 + 1 + VERIFIER;

constexpr uint32_t SEQUENCE = OP + SESSION_ID + 5;
constexpr uint32_t GETATTR = OP + FATTR;
constexpr uint32_t GETFH = OP + 1 + 32;
constexpr uint32_t FSINFO = OP + BITMAP + 1 + 1 + 2 + 2 + 2 + 3 + 5 + 1 + 1 + 1 + 1;
constexpr uint32_t ACL = OP + BITMAP + 1 + PAGE_PAD;
constexpr uint32_t OPEN = OP + STATEID + CHANGE_INFO + 1 + BITMAP + 1 + STATEID + 1 + 3 + 3 + NAME;
constexpr uint32_t LAYOUTGET = OP + 8 + STATEID + 4096 / 4 + PAGE_PAD;
constexpr uint32_t LAYOUTRETURN = OP + 1 + STATEID;
constexpr uint32_t READ = OP + 2 + PAGE_PAD;
constexpr uint32_t READDIR = OP + VERIFIER + PAGE_PAD;
constexpr uint32_t READLINK = OP + 1 + PAGE_PAD;
constexpr uint32_t LOCK = OP + 8 + NAME;
constexpr uint32_t SECINFO = OP + 1 + 12 * (16 + 32) / 4;
constexpr uint32_t EXCHANGE_ID =
    OP + 2 + 1 + 1 + 1 + 2 * (1 + OP_MAP) + 2 + 2 * (OPAQUE + 1) + 1 + 2 * (1 + OPAQUE) + 3;
constexpr uint32_t GETDEVICEINFO = OP + 1 + 1 + 1 + 1 + PAGE_PAD;
constexpr uint32_t GETXATTR = OP + 1 + PAGE_PAD;
constexpr uint32_t LISTXATTRS = OP + 2 + 1 + 1 + 1;
constexpr uint32_t READ_PLUS = OP + 1 + 1 + 2 * 5;
constexpr uint32_t ACCESS = OP + 2;
constexpr uint32_t CREATE = OP + CHANGE_INFO + BITMAP;

bool
WantsAcl(const Nfs4Bitmap& request)
{
    return request.Has(static_cast<uint32_t>(Nfs4Attr::ACL)) ||
           request.Has(static_cast<uint32_t>(Nfs4Attr::DACL)) ||
           request.Has(static_cast<uint32_t>(Nfs4Attr::SACL));
}

bool
WantsFsinfo(const Nfs4Bitmap& request)
{
    return request.Has(static_cast<uint32_t>(Nfs4Attr::LEASE_TIME));
}

/// \return decode_..._maxsz of an operation.
uint32_t
GetOpWords(const Nfs4ArgOp& args)
{
    if (const auto* getattr = std::get_if<GetattrArgs4>(&args))
    {
        const Nfs4Bitmap& request = getattr->attrRequest;
        return WantsAcl(request) ? ACL : WantsFsinfo(request) ? FSINFO : GETATTR;
    }
    static constexpr std::array<uint32_t, NFS4_OPS> WORDS{
#define NFS4_OPERATION(number, NAME, Type, since, Group, rules, greatest, linuxWords) linuxWords,
#include "nfs/v4/protocol/operations.def"
    };
    const uint32_t words = WORDS[args.index()];
    if (words != 0)
    {
        return words;
    }
    // No client of Linux's sends the rest, or they are no more than a status.
    return (GetNfs4ResultSize(args).maximum + XDR_WORD - 1) / XDR_WORD;
}

bool
Has(const Compound4Args& call, Nfs4Op op)
{
    for (const Nfs4ArgOp& args : call.ops)
    {
        if (GetOp(args) == op)
        {
            return true;
        }
    }
    return false;
}

/// \return words that NFS4_dec_..._sz of the procedure counts besides those of the operations that
/// are there.
uint32_t
GetAbsentWords(const Compound4Args& call)
{
    uint32_t words = 0;
    const auto unless = [&call, &words](Nfs4Op op, uint32_t count) {
        words += Has(call, op) ? 0 : count;
    };
    const bool hasState = Has(call, Nfs4Op::PUTFH) || Has(call, Nfs4Op::PUTROOTFH);
    if (hasState)
    {
        unless(Nfs4Op::SEQUENCE, SEQUENCE);
    }
    if (Has(call, Nfs4Op::OPEN))
    {
        unless(Nfs4Op::ACCESS, ACCESS);
        unless(Nfs4Op::GETATTR, GETATTR);
        unless(Nfs4Op::LAYOUTGET, LAYOUTGET);
    }
    else if (Has(call, Nfs4Op::CLOSE) || Has(call, Nfs4Op::DELEGRETURN))
    {
        unless(Nfs4Op::LAYOUTRETURN, LAYOUTRETURN);
        unless(Nfs4Op::GETATTR, GETATTR);
    }
    else if (Has(call, Nfs4Op::OPEN_DOWNGRADE))
    {
        unless(Nfs4Op::LAYOUTRETURN, LAYOUTRETURN);
    }
    else if (Has(call, Nfs4Op::WRITE) || Has(call, Nfs4Op::ACCESS))
    {
        unless(Nfs4Op::GETATTR, GETATTR);
    }
    else if (FindNfs4ClientProcedure(call) == Nfs4ClientProcedure::GETATTR)
    {
        words += OP; // NFS4_dec_getattr_sz has a RENEW.
    }
    return words;
}

/// Where the pages go: after the words of \p before and \p within, the operation's own.
struct Pages
{
    uint32_t within{0};
    uint32_t octets{0};
    bool isItem{false};
};

std::optional<Pages>
GetPages(const Nfs4ArgOp& args, const Nfs4SizeGuess& guess)
{
    if (const auto* read = std::get_if<ReadArgs4>(&args))
    {
        return Pages{READ - PAGE_PAD, read->count, true};
    }
    if (const auto* readdir = std::get_if<ReaddirArgs4>(&args))
    {
        return Pages{READDIR - PAGE_PAD, readdir->maxcount};
    }
    if (std::holds_alternative<ReadlinkArgs4>(args))
    {
        return Pages{READLINK - PAGE_PAD, guess.linkOctets, true};
    }
    if (const auto* getattr = std::get_if<GetattrArgs4>(&args))
    {
        return WantsAcl(getattr->attrRequest) ? std::optional<Pages>({OP, guess.aclOctets})
                                              : std::nullopt;
    }
    if (const auto* layoutget = std::get_if<LayoutgetArgs4>(&args))
    {
        return Pages{LAYOUTGET - PAGE_PAD, (layoutget->maxcount + PAGE - 1) / PAGE * PAGE};
    }
    if (const auto* deviceInfo = std::get_if<GetdeviceinfoArgs4>(&args))
    {
        return Pages{OP + 2, (deviceInfo->maxcount + PAGE - 1) / PAGE * PAGE};
    }
    if (std::holds_alternative<GetxattrArgs4>(args))
    {
        return Pages{OP + 1, guess.xattrOctets};
    }
    if (const auto* list = std::get_if<ListxattrsArgs4>(&args))
    {
        constexpr uint32_t COOKIE_AND_COUNT = 8 + 4;
        return Pages{OP + 2 + 1,
                     list->maxcount > COOKIE_AND_COUNT ? list->maxcount - COOKIE_AND_COUNT : 0};
    }
    if (const auto* readPlus = std::get_if<ReadPlusArgs4>(&args))
    {
        return Pages{READ_PLUS, readPlus->count};
    }
    return std::nullopt;
}

} // namespace

Nfs4LinuxReply
GetNfs4LinuxReply(const Compound4Args& call, const Nfs4SizeGuess& guess)
{
    Nfs4LinuxReply reply;
    uint32_t words =
        RPC_HEADER + COMPOUND + (static_cast<uint32_t>(call.tag.size()) + 3) / XDR_WORD;
    for (const Nfs4ArgOp& args : call.ops)
    {
        const auto pages = GetPages(args, guess);
        if (pages && !reply.pages)
        {
            reply.head = (words + pages->within) * XDR_WORD;
            reply.pages = pages->octets;
            reply.pagesAreItem = pages->isItem;
        }
        words += GetOpWords(args);
    }
    reply.total = (words + GetAbsentWords(call)) * XDR_WORD;
    return reply;
}

} // namespace ns3::nfsrdma
