/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SETTINGS_SETTING_H
#define NFSRDMA_SETTINGS_SETTING_H

#include "wire/ns3-version.h"

#include "ns3/attribute.h"
#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/nstime.h"
#include "ns3/string.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \file
 * \brief What can be set of a model, as rows: one row is a field, an ns-3 attribute and a key of
 * scenario files.
 *
 * A model holds its settings as one plain struct. The rows stand in a file `NAME.def`, each as
 *
 *     SETTING(Time, cqeWrite, "200ns", AnyTime(), "time to write a completion to host memory",
 *             "low end of 200 to 400 ns with the poll")
 *
 * : the type of the field, its name, the default as scenario files have it, what values it may
 * have, what it is, and where the default is from (which may be left out). The struct is made of it
 * by
 *
 *     #define SETTING(type, name, ...) type name{};
 *     #include "room/name.def"
 *     #undef SETTING
 *
 * and the table of rows by rows.def. The attribute is called as the field with a capital
 * (CqeWrite), the key in lower case with underscores (cqe_write), or as a row says behind all else.
 * A row SETTING_PART(part, name, ...) sets a field of a part of the struct, and makes none: where
 * the struct is made, it is defined as nothing.
 */

/// What the values of a setting are.
enum class SettingKind
{
    COUNT,
    OCTETS,
    TIME,
    RATE, ///< Bit/s.
    REAL,
    SWITCH, ///< true or false.
    CHOICE, ///< One of several words, for a value each.
    NAME,   ///< One of several words.
    TEXT
};

/// The values that a setting may have; bounds in ns, bit/s or octets.
struct SettingRange
{
    SettingKind kind{SettingKind::TEXT};
    double minimum{0};
    double maximum{0};                   ///< 0: any.
    std::vector<std::string> words;      ///< CHOICE, NAME.
    Ptr<const AttributeChecker> checker; ///< CHOICE.
    /// NAME: gives the words, where more may be added while the program runs.
    std::vector<std::string> (*listWords)(){nullptr};

    /// \return the words that there are now.
    [[nodiscard]] std::vector<std::string> GetWords() const;
};

/// A whole number of up to 32 bits.
SettingRange Count(double minimum = 0, double maximum = std::numeric_limits<uint32_t>::max());
/// Octets, of up to 32 bits unless \p maximum says else.
SettingRange Octets(double minimum = 0, double maximum = std::numeric_limits<uint32_t>::max());
/// Bounds in ns.
SettingRange AnyTime(double minimum = 0, double maximum = 0);
/// \param minimum in bit/s
SettingRange RateFrom(double minimum);
SettingRange Number(double minimum, double maximum);
SettingRange Share();
SettingRange TrueOrFalse();
/// A name of one of several implementations.
SettingRange Names(std::vector<std::string> words);
/// The same of implementations that \p list names, those too that are added later.
SettingRange Names(std::vector<std::string> (*list)());
SettingRange AnyText();

namespace setting_detail
{

inline void
CollectWords(SettingRange& /* range */)
{
}

template <typename E, typename... More>
void
CollectWords(SettingRange& range, E /* value */, const char* word, More... more)
{
    range.words.emplace_back(word);
    CollectWords(range, more...);
}

} // namespace setting_detail

/// One of the values of an enumeration: OneOf(RED, "red", GREEN, "green").
template <typename E, typename... More>
SettingRange
OneOf(E value, const char* word, More... more)
{
    SettingRange range;
    range.kind = SettingKind::CHOICE;
    range.checker = MakeEnumFieldChecker(value, word, more...);
    setting_detail::CollectWords(range, value, word, more...);
    return range;
}

/// The ns-3 attribute value of a field of type T.
template <typename T>
auto
ToAttributeValue(const T& value)
{
    if constexpr (std::is_same_v<T, bool>)
    {
        return BooleanValue(value);
    }
    else if constexpr (std::is_enum_v<T>)
    {
        return ToEnumValue(value);
    }
    else if constexpr (std::is_integral_v<T>)
    {
        return UintegerValue(value);
    }
    else if constexpr (std::is_floating_point_v<T>)
    {
        return DoubleValue(value);
    }
    else if constexpr (std::is_same_v<T, Time>)
    {
        return TimeValue(value);
    }
    else if constexpr (std::is_same_v<T, DataRate>)
    {
        return DataRateValue(value);
    }
    else
    {
        return StringValue(value);
    }
}

/// A row, of any struct.
struct SettingRow
{
    std::string name; ///< Of the field.
    std::string defaultText;
    SettingRange range;
    std::string meaning;    ///< One line, which begins in lower case and ends without a full stop.
    std::string reason{};   ///< Of the default: where it is from.
    std::string otherKey{}; ///< Where the key is not called as the attribute.

    [[nodiscard]] std::string GetAttribute() const; ///< "CqeWrite"
    [[nodiscard]] std::string GetKey() const;       ///< "cqe_write"
    [[nodiscard]] std::string GetHelp() const;      ///< Of the attribute.
    [[nodiscard]] Ptr<const AttributeChecker> MakeChecker() const;
    /// \return the default as the attribute has it.
    [[nodiscard]] Ptr<AttributeValue> MakeDefault() const;
};

/// The name of an implementation and what is set of it, as "name" or "name[A=1|B=2]".
struct SettingWords
{
    std::string name;
    std::vector<std::pair<std::string, std::string>> values; ///< Attribute, value.

    /// \return what \p text says; nothing when it is of another form.
    [[nodiscard]] static std::optional<SettingWords> Parse(const std::string& text);
    [[nodiscard]] std::string ToText() const;
    /// \return whether each value is of one of \p rows.
    [[nodiscard]] bool AreOf(const std::vector<SettingRow>& rows) const;
    /// \return the value of \p row, or its default; null when it is out of range.
    [[nodiscard]] Ptr<AttributeValue> MakeValue(const SettingRow& row) const;
};

/// A row of the struct S.
template <typename S>
struct Setting : SettingRow
{
    std::function<bool(S&, const AttributeValue&)> set; ///< \return whether the value was of T.
    std::function<bool(const S&, AttributeValue&)> get; ///< \return whether the value was of T.
};

/// \param reach the way from an S to the field
template <typename S, typename Reach>
Setting<S>
MakeSettingAt(SettingRow row, Reach reach)
{
    using T = std::decay_t<decltype(reach(std::declval<S&>()))>;
    using Value = decltype(ToAttributeValue(std::declval<T>()));
    Setting<S> setting;
    static_cast<SettingRow&>(setting) = std::move(row);
    setting.set = [reach](S& settings, const AttributeValue& value) {
        const auto* const typed = dynamic_cast<const Value*>(&value);
        if (typed != nullptr)
        {
            reach(settings) = static_cast<T>(typed->Get());
        }
        return typed != nullptr;
    };
    setting.get = [reach](const S& settings, AttributeValue& value) {
        auto* const typed = dynamic_cast<Value*>(&value);
        if (typed != nullptr)
        {
            *typed = ToAttributeValue(reach(settings));
        }
        return typed != nullptr;
    };
    return setting;
}

template <typename S, typename T>
Setting<S>
MakeSetting(SettingRow row, T S::*field)
{
    return MakeSettingAt<S>(
        std::move(row),
        [field](auto& of) -> auto& { return of.*field; });
}

/// A row as NAME.def has it, of struct \p S, for an initialiser list.
#define NFSRDMA_SETTING_ROW(S, name, ...) MakeSetting<S>({#name, __VA_ARGS__}, &S::name)

/// The same of a field \p part of a struct within S, called \p name.
#define NFSRDMA_SETTING_PART(S, part, name, ...)                                                   \
    MakeSettingAt<S>(                                                                              \
        {#name, __VA_ARGS__},                                                                      \
        [](auto& of) -> auto& { return of.part; })

/// Sets and gets a field of the settings that an object of Owner holds.
template <typename Owner, typename S>
class SettingAccessor : public AttributeAccessor
{
  public:
    SettingAccessor(const Setting<S>& setting, S Owner::*place, void (Owner::*changed)())
        : m_setting(setting),
          m_place(place),
          m_changed(changed)
    {
    }

    bool Set(ObjectBase* object, const AttributeValue& value) const override
    {
        auto* const owner = dynamic_cast<Owner*>(object);
        const bool isSet = owner != nullptr && m_setting.set(owner->*m_place, value);
        if (isSet && m_changed != nullptr)
        {
            (owner->*m_changed)();
        }
        return isSet;
    }

    bool Get(const ObjectBase* object, AttributeValue& value) const override
    {
        const auto* const owner = dynamic_cast<const Owner*>(object);
        return owner != nullptr && m_setting.get(owner->*m_place, value);
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
    Setting<S> m_setting;
    S Owner::*m_place;
    void (Owner::*m_changed)();
};

/// Makes an attribute of \p type of each of \p settings.
/// \param place where an Owner holds them
/// \param changed what an Owner does when one has been set, also at its construction
template <typename Owner, typename S>
TypeId
AddAttributes(TypeId type,
              const std::vector<Setting<S>>& settings,
              S Owner::*place,
              void (Owner::*changed)() = nullptr)
{
    for (const auto& setting : settings)
    {
        type.AddAttribute(setting.GetAttribute(),
                          setting.GetHelp(),
                          *setting.MakeDefault(),
                          Create<SettingAccessor<Owner, S>>(setting, place, changed),
                          setting.MakeChecker());
    }
    return type;
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SETTINGS_SETTING_H
