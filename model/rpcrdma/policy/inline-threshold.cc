/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/policy/inline-threshold.h"

#include <algorithm>

namespace ns3::nfsrdma
{
namespace
{

uint32_t
Bound(uint64_t size, uint32_t maximum)
{
    constexpr uint32_t STEP = RpcRdmaPrivateData::MINIMUM_INLINE;
    const auto bounded = static_cast<uint32_t>(std::min<uint64_t>(size, maximum));
    return std::max(bounded / STEP * STEP, STEP);
}

class FixedInlineThresholds : public InlineThresholdPolicy
{
    [[nodiscard]] InlineThresholds Choose(const InlineSituation& situation) const override
    {
        return situation.maximum;
    }
};

class ObservedInlineThresholds : public InlineThresholdPolicy
{
  public:
    [[nodiscard]] bool IsForResponders() const override
    {
        return false;
    }

  private:
    [[nodiscard]] InlineThresholds Choose(const InlineSituation& situation) const override
    {
        return {Bound(situation.needed.send, situation.maximum.send),
                Bound(situation.needed.receive, situation.maximum.receive)};
    }
};

class PeersInlineThresholds : public InlineThresholdPolicy
{
  public:
    [[nodiscard]] bool IsForRequesters() const override
    {
        return false;
    }

  private:
    [[nodiscard]] InlineThresholds Choose(const InlineSituation& situation) const override
    {
        return {Bound(situation.peer.receive, situation.maximum.send),
                Bound(situation.peer.send, situation.maximum.receive)};
    }
};

class MemoryShareInlineThresholds : public InlineThresholdPolicy
{
  public:
    [[nodiscard]] uint32_t GetLeastReceive(uint32_t maximum) const override
    {
        return std::min(maximum, RpcRdmaPrivateData::MINIMUM_INLINE);
    }

    [[nodiscard]] bool IsForRequesters() const override
    {
        return false;
    }

  private:
    [[nodiscard]] InlineThresholds Choose(const InlineSituation& situation) const override
    {
        const uint64_t share = situation.memoryLeft / 2 / std::max<uint64_t>(situation.receives, 1);
        return {situation.maximum.send, Bound(share, situation.maximum.receive)};
    }
};

} // namespace

Registry<InlineThresholdPolicy>&
InlineThresholdPolicy::GetKinds()
{
    static Registry<InlineThresholdPolicy> kinds{
        {"fixed", Make<FixedInlineThresholds>},
        {"observed", Make<ObservedInlineThresholds>},
        {"as-peer", Make<PeersInlineThresholds>},
        {"memory-share", Make<MemoryShareInlineThresholds>}};
    return kinds;
}

std::vector<std::string>
InlineThresholdPolicy::GetRequesterNames()
{
    return GetKinds().GetNames([](const NamedKind<InlineThresholdPolicy>& kind) {
        return kind.make()->IsForRequesters();
    });
}

std::vector<std::string>
InlineThresholdPolicy::GetResponderNames()
{
    return GetKinds().GetNames([](const NamedKind<InlineThresholdPolicy>& kind) {
        return kind.make()->IsForResponders();
    });
}

} // namespace ns3::nfsrdma
