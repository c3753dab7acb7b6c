/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SETTINGS_NAMED_H
#define NFSRDMA_SETTINGS_NAMED_H

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <string>
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
};

/**
 * \brief The implementations of \p Base by the names that users call them. One line adds one:
 *
 *     static const Registry<CreditGrantPolicy> kinds{{"fixed", Make<FixedGrant>}, ...};
 */
template <typename Base>
using Registry = NameTable<NamedKind<Base>>;

/**
 * \brief What is chosen by name: Base inherits from this and gives its implementations with
 * GetKinds().
 */
template <typename Base>
class Named
{
  public:
    /// \return a new one of that name, or null.
    [[nodiscard]] static std::unique_ptr<Base> Create(const std::string& name)
    {
        const auto* const kind = Base::GetKinds().Find(name);
        return kind == nullptr ? nullptr : kind->make();
    }

    [[nodiscard]] static std::vector<std::string> GetNames()
    {
        return Base::GetKinds().GetNames();
    }

  protected:
    /// \return a new Kind, as an entry of GetKinds() makes it.
    template <typename Kind>
    static std::unique_ptr<Base> Make()
    {
        return std::make_unique<Kind>();
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SETTINGS_NAMED_H
