/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SETTINGS_STRUCT_ATTRIBUTES_H
#define NFSRDMA_SETTINGS_STRUCT_ATTRIBUTES_H

#include "ns3/attribute.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/nstime.h"
#include "ns3/object-base.h"
#include "ns3/string.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

namespace ns3::nfsrdma
{

/// What an unsigned setting is at first, at least and at most.
struct UnsignedSetting
{
    UnsignedSetting(uint64_t first, uint64_t lowest = 0, uint64_t highest = UINT64_MAX)
        : initial(first),
          least(lowest),
          most(highest)
    {
    }

    uint64_t initial;
    uint64_t least;
    uint64_t most;
};

/**
 * \brief Attributes of a class that are fields of a struct of settings it holds, so that the struct
 * can be handed on as it is. ns-3's own accessors reach members of the class alone.
 *
 *     SettingAttributes<Settings> settings(tid, &Owner::m_settings);
 *     settings.Add(&Settings::slots, "Slots", "Calls at most (count).", {128, 1, 16384});
 *     settings.Of(&Settings::timeout).Add(&RpcTimeout::soft, "Soft", "...", false);
 *
 * The kind of an attribute follows from its field's type.
 */
template <typename Struct>
class SettingAttributes
{
  public:
    /// \param tid of \p Owner; attributes are added to it in the order of calls
    template <typename Owner>
    SettingAttributes(TypeId tid, Struct Owner::*member)
        : m_tid(tid),
          m_find([member](ObjectBase* owner) { return &(static_cast<Owner*>(owner)->*member); }),
          m_look([member](const ObjectBase* owner) {
              return &(static_cast<const Owner*>(owner)->*member);
          })
    {
    }

    /// \return the same for a struct within the struct.
    template <typename Inner>
    [[nodiscard]] SettingAttributes<Inner> Of(Inner Struct::*member) const
    {
        SettingAttributes<Inner> inner;
        inner.m_tid = m_tid;
        inner.m_find = [find = m_find, member](ObjectBase* owner) {
            return &(find(owner)->*member);
        };
        inner.m_look = [look = m_look, member](const ObjectBase* owner) {
            return &(look(owner)->*member);
        };
        return inner;
    }

    void Add(bool Struct::*field, const char* name, const char* help, bool initial)
    {
        AddField<BooleanValue>(field, name, help, BooleanValue(initial), MakeBooleanChecker());
    }

    void Add(std::string Struct::*field, const char* name, const char* help, const char* initial)
    {
        AddField<StringValue>(field, name, help, StringValue(initial), MakeStringChecker());
    }

    void Add(Time Struct::*field,
             const char* name,
             const char* help,
             Time initial,
             Time least = Time(0))
    {
        AddField<TimeValue>(field, name, help, TimeValue(initial), MakeTimeChecker(least));
    }

    void Add(double Struct::*field,
             const char* name,
             const char* help,
             double initial,
             double least,
             double most)
    {
        AddField<DoubleValue>(field,
                              name,
                              help,
                              DoubleValue(initial),
                              MakeDoubleChecker<double>(least, most));
    }

    /// An unsigned integer.
    template <typename Field>
    std::enable_if_t<std::is_unsigned_v<Field>> Add(Field Struct::*field,
                                                    const char* name,
                                                    const char* help,
                                                    const UnsignedSetting& values)
    {
        const uint64_t most = std::min<uint64_t>(values.most, std::numeric_limits<Field>::max());
        AddField<UintegerValue>(field,
                                name,
                                help,
                                UintegerValue(values.initial),
                                MakeUintegerChecker<Field>(values.least, most));
    }

    /// An enumeration. \param checker MakeEnumChecker(), with the names of its values
    template <typename Field>
    std::enable_if_t<std::is_enum_v<Field>> Add(Field Struct::*field,
                                                const char* name,
                                                const char* help,
                                                Field initial,
                                                Ptr<const AttributeChecker> checker)
    {
        AddField<EnumValue>(field, name, help, EnumValue(initial), checker);
    }

  private:
    template <typename>
    friend class SettingAttributes;

    using Find = std::function<Struct*(ObjectBase*)>;
    using Look = std::function<const Struct*(const ObjectBase*)>;

    template <typename Value, typename Field>
    class Accessor : public AttributeAccessor
    {
      public:
        Accessor(Find find, Look look, Field Struct::*field)
            : m_find(std::move(find)),
              m_look(std::move(look)),
              m_field(field)
        {
        }

        bool Set(ObjectBase* owner, const AttributeValue& value) const override
        {
            const auto* typed = dynamic_cast<const Value*>(&value);
            return typed && typed->GetAccessor(m_find(owner)->*m_field);
        }

        bool Get(const ObjectBase* owner, AttributeValue& value) const override
        {
            auto* typed = dynamic_cast<Value*>(&value);
            if (typed)
            {
                typed->Set(m_look(owner)->*m_field);
            }
            return typed != nullptr;
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
        Find m_find;
        Look m_look;
        Field Struct::*m_field;
    };

    SettingAttributes() = default;

    template <typename Value, typename Field>
    void AddField(Field Struct::*field,
                  const char* name,
                  const char* help,
                  const Value& initial,
                  Ptr<const AttributeChecker> checker)
    {
        m_tid.AddAttribute(name,
                           help,
                           initial,
                           Create<Accessor<Value, Field>>(m_find, m_look, field),
                           checker);
    }

    TypeId m_tid;
    Find m_find;
    Look m_look;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SETTINGS_STRUCT_ATTRIBUTES_H
