/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SETTINGS_NAMED_H
#define NFSRDMA_SETTINGS_NAMED_H

#include "settings/setting.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Rows that users call by their names, in the order in which they are listed. A Row has a
 * field `name`.
 */
template <typename Row>
class NameTable
{
  public:
    NameTable(std::initializer_list<Row> rows)
        : m_rows(rows)
    {
    }

    /// Appends \p row, whose name lives as long as the table. Throws std::invalid_argument when
    /// there is one of that name.
    void Add(Row row)
    {
        if (Find(row.name) != nullptr)
        {
            throw std::invalid_argument(std::string("there is a ") + row.name + " already");
        }
        m_rows.push_back(std::move(row));
    }

    /// \return the row of that name, or null.
    [[nodiscard]] const Row* Find(const std::string& name) const
    {
        const auto found = std::find_if(m_rows.begin(), m_rows.end(), [&name](const Row& row) {
            return name == row.name;
        });
        return found == m_rows.end() ? nullptr : &*found;
    }

    /// \return the names of the rows that \p is true of.
    template <typename Predicate>
    [[nodiscard]] std::vector<std::string> GetNames(Predicate is) const
    {
        std::vector<std::string> names;
        for (const auto& row : m_rows)
        {
            if (is(row))
            {
                names.emplace_back(row.name);
            }
        }
        return names;
    }

    [[nodiscard]] std::vector<std::string> GetNames() const
    {
        return GetNames([](const Row&) { return true; });
    }

    [[nodiscard]] auto begin() const
    {
        return m_rows.begin();
    }

    [[nodiscard]] auto end() const
    {
        return m_rows.end();
    }

  private:
    std::vector<Row> m_rows;
};

/// A name, and how to make what it stands for.
template <typename Base>
struct NamedKind
{
    const char* name;
    std::unique_ptr<Base> (*make)();
    std::vector<SettingRow> rows{}; ///< What can be set of it alone.
    /// Sets what a row, by its index, is about. \return whether the value was of its type.
    bool (*set)(Base& made, std::size_t row, const AttributeValue& value){nullptr};
};

/**
 * \brief The implementations of \p Base by the names that users call them. One line adds one:
 *
 *     static Registry<CreditGrantPolicy> kinds{{"fixed", Make<FixedGrant>}, ...};
 *
 * and another one is added from outside by Base::Add<Kind>("name").
 */
template <typename Base>
using Registry = NameTable<NamedKind<Base>>;

/**
 * \brief What is chosen by name: Base inherits from this and gives its implementations with
 * GetKinds().
 *
 * A kind that has settings of its own is named as ns-3 names a random variable, "name[A=1|B=2]"
 * with attribute names (SettingRow::GetAttribute()); those that are left out have their defaults.
 */
template <typename Base>
class Named
{
  public:
    /// \return a new one of that name with the settings given, or null when there is no such kind,
    /// setting or value.
    [[nodiscard]] static std::unique_ptr<Base> Create(const std::string& text)
    {
        const auto words = SettingWords::Parse(text);
        const auto* const kind = words ? Base::GetKinds().Find(words->name) : nullptr;
        if (kind == nullptr || !words->AreOf(kind->rows))
        {
            return nullptr;
        }
        auto made = kind->make();
        for (std::size_t row = 0; row < kind->rows.size(); ++row)
        {
            const auto value = words->MakeValue(kind->rows[row]);
            if (value == nullptr || !kind->set(*made, row, *value))
            {
                return nullptr;
            }
        }
        return made;
    }

    [[nodiscard]] static std::vector<std::string> GetNames()
    {
        return Base::GetKinds().GetNames();
    }

    /// Adds \p Kind under \p name, a string literal. When it has a member `settings`, the rows of
    /// its type (GetRows(), see setting.h) are what can be set of it. Throws std::invalid_argument
    /// when the name is taken.
    template <typename Kind>
    static void Add(const char* name)
    {
        AddKind<Kind>(name, 0);
    }

  protected:
    /// \return a new Kind, as an entry of GetKinds() makes it.
    template <typename Kind>
    static std::unique_ptr<Base> Make()
    {
        return std::make_unique<Kind>();
    }

  private:
    /// Of kinds that have a member `settings`.
    template <typename Kind, typename Settings = decltype(Kind::settings)>
    static void AddKind(const char* name, int /* preferred */)
    {
        const auto& rows = Settings::GetRows();
        Base::GetKinds().Add(
            {name,
             Make<Kind>,
             {rows.begin(), rows.end()},
             [](Base& made, std::size_t row, const AttributeValue& value) {
                 return Settings::GetRows().at(row).set(static_cast<Kind&>(made).settings, value);
             }});
    }

    template <typename Kind>
    static void AddKind(const char* name, long /* otherwise */)
    {
        Base::GetKinds().Add({name, Make<Kind>});
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SETTINGS_NAMED_H
