/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/protocol/reply-size.h"
#include "nfs/v4/protocol/size-meter.h"

#include <array>

namespace ns3::nfsrdma
{
namespace
{

constexpr uint32_t OP_NUMBER = XDR_WORD;
constexpr uint32_t FAILURE = OP_NUMBER + XDR_WORD;

/// Statuses with which some result has more than its status.
constexpr std::array<Nfs4Status, 6> STATUSES{Nfs4Status::IO,
                                             Nfs4Status::DENIED,
                                             Nfs4Status::CLID_INUSE,
                                             Nfs4Status::TOOSMALL,
                                             Nfs4Status::LAYOUTTRYLATER,
                                             Nfs4Status::OFFLOAD_NO_REQS};

/// \return the size of \p result, whose status is taken from STATUSES and NFS4_OK.
template <typename Result>
Nfs4ResultSize
Measure(Result result, const Nfs4SizeGuess& guess, const Nfs4Bitmap* request = nullptr)
{
    Nfs4ResultSize size;
    result.status = Nfs4Status::OK;
    Nfs4SizeMeter success(guess, request);
    success(result);
    size.minimum = OP_NUMBER + success.GetMinimum();
    size.maximum = OP_NUMBER + success.GetMaximum();
    size.bounded = success.IsBounded();
    for (const Nfs4Status status : STATUSES)
    {
        result.status = status;
        Nfs4SizeMeter failure(guess, request);
        failure(result);
        size.maximum = std::max(size.maximum, OP_NUMBER + failure.GetMaximum());
        size.bounded = size.bounded && failure.IsBounded();
    }
    return size;
}

uint32_t
AddCounted(uint32_t octets, uint32_t count)
{
    const uint64_t sum = uint64_t{octets} + (uint64_t{count} + 3) / 4 * 4;
    return static_cast<uint32_t>(std::min<uint64_t>(sum, ~uint32_t{3}));
}

template <typename Args>
Nfs4ResultSize
GetSize(const Args& /* args */, const Nfs4SizeGuess& guess)
{
    return Measure(Nfs4ResultOf<Args>(), guess);
}

Nfs4ResultSize
GetSize(const GetattrArgs4& args, const Nfs4SizeGuess& guess)
{
    return Measure(GetattrRes4(), guess, &args.attrRequest);
}

Nfs4ResultSize
GetSize(const CbGetattrArgs4& args, const Nfs4SizeGuess& guess)
{
    return Measure(CbGetattrRes4(), guess, &args.attrRequest);
}

Nfs4ResultSize
GetSize(const ReadArgs4& args, const Nfs4SizeGuess& guess)
{
    Nfs4ResultSize size = Measure(ReadRes4(), guess);
    size.maximum = AddCounted(size.maximum, args.count);
    return size;
}

Nfs4ResultSize
GetSize(const ReadlinkArgs4& /* args */, const Nfs4SizeGuess& guess)
{
    Nfs4ResultSize size = Measure(ReadlinkRes4(), guess);
    size.maximum = AddCounted(size.maximum, guess.linkOctets);
    size.bounded = false;
    return size;
}

/// Results whose OK arm counts at most \p maxcount octets.
template <typename Args>
Nfs4ResultSize
GetCountedSize(const Args& args, const Nfs4SizeGuess& guess)
{
    Nfs4ResultSize size = Measure(Nfs4ResultOf<Args>(), guess);
    size.maximum = AddCounted(FAILURE + XDR_WORD, args.maxcount);
    size.bounded = true;
    return size;
}

Nfs4ResultSize
GetSize(const ReaddirArgs4& args, const Nfs4SizeGuess& guess)
{
    Nfs4ResultSize size = GetCountedSize(args, guess);
    // No entry, and eof.
    size.minimum = FAILURE + 8 + 2 * XDR_WORD;
    return size;
}

Nfs4ResultSize
GetSize(const ListxattrsArgs4& args, const Nfs4SizeGuess& guess)
{
    return GetCountedSize(args, guess);
}

Nfs4ResultSize
GetSize(const LayoutgetArgs4& args, const Nfs4SizeGuess& guess)
{
    Nfs4ResultSize size = GetCountedSize(args, guess);
    size.bounded = false;
    return size;
}

Nfs4ResultSize
GetSize(const GetdeviceinfoArgs4& args, const Nfs4SizeGuess& guess)
{
    Nfs4ResultSize size = Measure(GetdeviceinfoRes4(), guess);
    size.maximum = AddCounted(FAILURE + 2 * XDR_WORD + Nfs4SizeMeter::MAX_BITMAP, args.maxcount);
    size.bounded = false;
    return size;
}

Nfs4ResultSize
GetSize(const GetdevicelistArgs4& args, const Nfs4SizeGuess& guess)
{
    Nfs4ResultSize size = Measure(GetdevicelistRes4(), guess);
    constexpr uint32_t REST = FAILURE + 8 + 8 + XDR_WORD + XDR_WORD;
    constexpr uint32_t MOST = (~uint32_t{0} - REST) / NFS4_DEVICEID4_SIZE;
    size.maximum = REST + std::min(args.maxDevices, MOST) * NFS4_DEVICEID4_SIZE;
    size.bounded = true;
    return size;
}

Nfs4ResultSize
GetSize(const TestStateidArgs4& args, const Nfs4SizeGuess& /* guess */)
{
    Nfs4ResultSize size;
    size.minimum = FAILURE + XDR_WORD + XDR_WORD * static_cast<uint32_t>(args.stateids.size());
    size.maximum = size.minimum;
    return size;
}

Nfs4ResultSize
GetSize(const ExchangeIdArgs4& args, const Nfs4SizeGuess& guess)
{
    ExchangeIdRes4 result;
    result.stateProtect.how = args.stateProtect.how;
    return Measure(result, guess);
}

Nfs4ResultSize
GetSize(const GetDirDelegationArgs4& /* args */, const Nfs4SizeGuess& guess)
{
    GetDirDelegationRes4 result;
    Nfs4ResultSize size = Measure(result, guess);
    result.unavailable = true;
    size.minimum = Measure(result, guess).minimum;
    return size;
}

Nfs4ResultSize
GetSize(const GetxattrArgs4& /* args */, const Nfs4SizeGuess& guess)
{
    Nfs4ResultSize size;
    size.minimum = FAILURE + XDR_WORD;
    size.maximum = AddCounted(size.minimum, guess.xattrOctets);
    size.bounded = false;
    return size;
}

Nfs4ResultSize
GetSize(const ReadPlusArgs4& args, const Nfs4SizeGuess& guess)
{
    // Two segments, as Linux's client has room for; the server may send more.
    constexpr uint32_t SEGMENT = XDR_WORD + 8 + 8;
    Nfs4ResultSize size = Measure(ReadPlusRes4(), guess);
    size.maximum = AddCounted(FAILURE + 2 * XDR_WORD + 2 * SEGMENT, args.count);
    size.bounded = false;
    return size;
}

} // namespace

Nfs4ResultSize
GetNfs4ResultSize(const Nfs4ArgOp& args, const Nfs4SizeGuess& guess)
{
    return std::visit([&guess](const auto& op) { return GetSize(op, guess); }, args);
}

Nfs4ResultSize
GetNfs4ResultSize(const Nfs4CbArgOp& args, const Nfs4SizeGuess& guess)
{
    return std::visit([&guess](const auto& op) { return GetSize(op, guess); }, args);
}

Nfs4ResultSize
GetNfs4AttributesSize(const Nfs4Bitmap& request, const Nfs4SizeGuess& guess)
{
    Nfs4SizeMeter meter(guess, &request);
    meter(Nfs4Attributes());
    return {meter.GetMinimum(), meter.GetMaximum(), meter.IsBounded()};
}

} // namespace ns3::nfsrdma
