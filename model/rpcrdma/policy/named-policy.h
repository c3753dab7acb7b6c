/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_POLICY_NAMED_POLICY_H
#define NFSRDMA_RPCRDMA_POLICY_NAMED_POLICY_H

#include "ns3/abort.h"

#include <memory>
#include <string>
#include <utility>

namespace ns3::nfsrdma
{

/// \param kind what is named, for people
/// \return what \p Policy has of that name; the program ends when it has nothing.
template <typename Policy>
[[nodiscard]] auto
CreateNamed(const std::string& name, const char* kind)
{
    auto policy = Policy::Create(name);
    NS_ABORT_MSG_UNLESS(policy, "no " << kind << ' ' << name);
    return policy;
}

/// A policy that an attribute names, with what it has learnt for as long as the name stays.
template <typename Policy>
class NamedPolicy
{
  public:
    /// Replaces the policy that \p name stands for.
    void Set(std::unique_ptr<Policy> policy, const std::string& name)
    {
        m_policy = std::move(policy);
        m_name = name;
    }

    /// Makes the policy of that name unless it is there.
    void Renew(const std::string& name, const char* kind)
    {
        if (!m_policy || m_name != name)
        {
            Set(CreateNamed<Policy>(name, kind), name);
        }
    }

    [[nodiscard]] Policy& Get() const
    {
        return *m_policy;
    }

  private:
    std::unique_ptr<Policy> m_policy;
    std::string m_name;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_POLICY_NAMED_POLICY_H
