/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_STACK_ATTRIBUTES_H
#define NFSRDMA_HELPER_STACK_ATTRIBUTES_H

#include "ns3/object-factory.h"
#include "ns3/string.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Attribute values for the objects of a host, by class: "RnicDevice", "RpcServer", ...
 */
class StackAttributes
{
  public:
    /// \param className without "ns3::nfsrdma::"
    /// \param attribute its attribute; an unknown one is a program error
    void Set(const std::string& className,
             const std::string& attribute,
             const AttributeValue& value);

    /// \return a new object of class T with the values set for its class.
    template <typename T>
    [[nodiscard]] Ptr<T> Create() const
    {
        const auto factory = m_factories.find(T::GetTypeId().GetName());
        return factory == m_factories.end() ? CreateObject<T>()
                                            : factory->second.template Create<T>();
    }

    /// \return a new object of class \p kind, which is T or comes from it, with the values set for
    /// T and \p values, by attribute.
    template <typename T>
    [[nodiscard]] Ptr<T> CreateKind(
        const std::string& kind,
        const std::vector<std::pair<std::string, std::string>>& values) const
    {
        const auto found = m_factories.find(T::GetTypeId().GetName());
        auto factory = found == m_factories.end() ? ObjectFactory() : found->second;
        factory.SetTypeId("ns3::nfsrdma::" + kind);
        for (const auto& [attribute, value] : values)
        {
            factory.Set(attribute, StringValue(value));
        }
        return factory.template Create<T>();
    }

  private:
    std::map<std::string, ObjectFactory> m_factories; ///< By TypeId name.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_STACK_ATTRIBUTES_H
