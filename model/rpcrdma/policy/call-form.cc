/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/policy/call-form.h"

#include <algorithm>

namespace ns3::nfsrdma
{
namespace
{

/// RPCRDMA_MIN_SEND_SGES: transport header, head, tail.
constexpr uint32_t ELEMENTS_WITHOUT_ITEM = 3;

uint64_t
CountPages(const RpcDataItem& item)
{
    const uint64_t first = item.address / HostMemory::PAGE_SIZE;
    return (item.address + item.length + HostMemory::PAGE_SIZE - 1) / HostMemory::PAGE_SIZE - first;
}

/// \return whether the call without \p reduced fits into a Send.
bool
Fits(const CallFormChoice& choice, const std::vector<std::size_t>& reduced)
{
    const std::vector<RpcDataItem>& items = choice.call.items;
    uint64_t length = choice.call.GetLength();
    uint64_t elements = ELEMENTS_WITHOUT_ITEM;
    for (std::size_t i = 0; i < items.size(); ++i)
    {
        if (std::find(reduced.begin(), reduced.end(), i) != reduced.end())
        {
            length -= RoundUp4(items[i].length);
            length += choice.getReadChunkSize ? choice.getReadChunkSize(items[i]) : 0;
        }
        else
        {
            elements += CountPages(items[i]);
        }
    }
    return length <= choice.maxInline &&
           (elements <= choice.elements || reduced.size() == items.size());
}

/// \return the items that may be reduced, the largest first.
std::vector<std::size_t>
FindReducible(const CallFormChoice& choice)
{
    const std::vector<RpcDataItem>& items = choice.call.items;
    std::vector<std::size_t> reducible;
    for (std::size_t i = 0; choice.reduction && i < items.size(); ++i)
    {
        if (items[i].ddpEligible && items[i].length > 0)
        {
            reducible.push_back(i);
        }
    }
    std::stable_sort(reducible.begin(), reducible.end(), [&items](std::size_t a, std::size_t b) {
        return items[a].length > items[b].length;
    });
    reducible.resize(std::min<std::size_t>(reducible.size(), choice.maxReadChunks));
    return reducible;
}

CallForm
MakeForm(const CallFormChoice& choice, std::vector<std::size_t> reduced)
{
    std::sort(reduced.begin(), reduced.end());
    return {!Fits(choice, reduced), std::move(reduced)};
}

class LinuxCallFormPolicy : public CallFormPolicy
{
  public:
    [[nodiscard]] CallForm Choose(const CallFormChoice& choice) const override
    {
        return Fits(choice, {}) ? CallForm() : MakeForm(choice, FindReducible(choice));
    }
};

class ReduceAllPolicy : public CallFormPolicy
{
  public:
    [[nodiscard]] CallForm Choose(const CallFormChoice& choice) const override
    {
        return MakeForm(choice, FindReducible(choice));
    }
};

class ReduceAsNeededPolicy : public CallFormPolicy
{
  public:
    [[nodiscard]] CallForm Choose(const CallFormChoice& choice) const override
    {
        const std::vector<std::size_t> reducible = FindReducible(choice);
        std::vector<std::size_t> reduced;
        for (const std::size_t item : reducible)
        {
            if (Fits(choice, reduced))
            {
                break;
            }
            reduced.push_back(item);
        }
        return MakeForm(choice, std::move(reduced));
    }
};

class NeverReducePolicy : public CallFormPolicy
{
  public:
    [[nodiscard]] CallForm Choose(const CallFormChoice& choice) const override
    {
        return MakeForm(choice, {});
    }
};

class LongPolicy : public CallFormPolicy
{
  public:
    [[nodiscard]] CallForm Choose(const CallFormChoice& /*choice*/) const override
    {
        return {true, {}};
    }
};

class LongReducedPolicy : public CallFormPolicy
{
  public:
    [[nodiscard]] CallForm Choose(const CallFormChoice& choice) const override
    {
        return {true, MakeForm(choice, FindReducible(choice)).reduced};
    }
};

} // namespace

bool
FitsInline(const CallFormChoice& choice)
{
    return Fits(choice, {});
}

Registry<CallFormPolicy>&
CallFormPolicy::GetKinds()
{
    static Registry<CallFormPolicy> kinds{{"linux", Make<LinuxCallFormPolicy>},
                                          {"reduce-all", Make<ReduceAllPolicy>},
                                          {"reduce-as-needed", Make<ReduceAsNeededPolicy>},
                                          {"never-reduce", Make<NeverReducePolicy>},
                                          {"long", Make<LongPolicy>},
                                          {"long-reduced", Make<LongReducedPolicy>}};
    return kinds;
}

} // namespace ns3::nfsrdma
