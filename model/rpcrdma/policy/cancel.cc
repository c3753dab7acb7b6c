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

std::unique_ptr<CancelPolicy>
CancelPolicy::Create(const std::string& name)
{
    if (name == "linux")
    {
        return std::make_unique<LinuxCancelPolicy>();
    }
    if (name == "invalidate")
    {
        return std::make_unique<InvalidatePolicy>();
    }
    if (name == "set-aside")
    {
        return std::make_unique<SetAsidePolicy>();
    }
    return nullptr;
}

std::vector<std::string>
CancelPolicy::GetNames()
{
    return {"linux", "invalidate", "set-aside"};
}

} // namespace ns3::nfsrdma
