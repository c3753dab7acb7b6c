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
 */
template <typename V, typename T, typename S, typename U>
Ptr<const AttributeAccessor>
MakeSettingAccessor(S T::*settings, U S::*field)
{
    class SettingAccessor : public AccessorHelper<T, V>
    {
      public:
        SettingAccessor(S T::*settings, U S::*field)
            : m_settings(settings),
              m_field(field)
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
            return value->GetAccessor((object->*m_settings).*m_field);
        }

        bool DoGet(const T* object, V* value) const override
        {
            value->Set((object->*m_settings).*m_field);
            return true;
        }

        S T::*m_settings;
        U S::*m_field;
    };

    return Ptr<const AttributeAccessor>(new SettingAccessor(settings, field), false);
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SETTINGS_MEMBER_ACCESSOR_H
