/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/policy/cancel.h"

namespace ns3::nfsrdma
{
namespace
{

class LinuxCancelPolicy : public CancelPolicy
{
  public:
    [[nodiscard]] bool SetsAside() const override
    {
        return false;
    }

    [[nodiscard]] bool AwaitsSend() const override
    {
        return false;
    }

    [[nodiscard]] bool KeepsCredit() const override
    {
        return false;
    }
};

class InvalidatePolicy : public CancelPolicy
{
  public:
    [[nodiscard]] bool SetsAside() const override
    {
        return false;
    }

    [[nodiscard]] bool AwaitsSend() const override
    {
        return true;
    }

    [[nodiscard]] bool KeepsCredit() const override
    {
        return true;
    }
};

class SetAsidePolicy : public InvalidatePolicy
{
  public:
    [[nodiscard]] bool SetsAside() const override
    {
        return true;
    }
};

} // namespace

Registry<CancelPolicy>&
CancelPolicy::GetKinds()
{
    static Registry<CancelPolicy> kinds{{"linux", Make<LinuxCancelPolicy>},
                                        {"invalidate", Make<InvalidatePolicy>},
                                        {"set-aside", Make<SetAsidePolicy>}};
    return kinds;
}

} // namespace ns3::nfsrdma
