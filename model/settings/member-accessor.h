/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SETTINGS_MEMBER_ACCESSOR_H
#define NFSRDMA_SETTINGS_MEMBER_ACCESSOR_H

#include "ns3/attribute-accessor-helper.h"

namespace ns3::nfsrdma
{

/**
 * \brief An ns-3 attribute that is a field of a settings object, which the class of the attribute
 * holds as a member: what MakeUintegerAccessor() and the like are for members themselves.
 *
 * \tparam V the attribute's value class, such as UintegerValue
 * \param fields the way from the settings to the field: itself, or the parts that it is in and it
 */
template <typename V, typename T, typename S, typename... Fields>
Ptr<const AttributeAccessor>
MakeSettingAccessor(S T::*settings, Fields... fields)
{
    const auto reach = [=](auto& object) -> auto&
    {
        return ((object.*settings).*....*fields);
    };

    class SettingAccessor : public AccessorHelper<T, V>
    {
      public:
        explicit SettingAccessor(decltype(reach) way)
            : m_reach(way)
        {
        }

        [[nodiscard]] bool HasGetter() const override
        {
            return true;
        }

        [[nodiscard]] bool HasSetter() const override
        {
            return true;
        }

      private:
        bool DoSet(T* object, const V* value) const override
        {
            return value->GetAccessor(m_reach(*object));
        }

        bool DoGet(const T* object, V* value) const override
        {
            value->Set(m_reach(*object));
            return true;
        }

        decltype(reach) m_reach;
    };

    return Ptr<const AttributeAccessor>(new SettingAccessor(reach), false);
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SETTINGS_MEMBER_ACCESSOR_H
