/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_STACK_ATTRIBUTES_H
#define NFSRDMA_HELPER_STACK_ATTRIBUTES_H

#include "ns3/object-factory.h"

#include <map>
#include <string>

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

  private:
    std::map<std::string, ObjectFactory> m_factories; ///< By TypeId name.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_STACK_ATTRIBUTES_H
