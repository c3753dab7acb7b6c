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
 * \brief The implementations of \p Base by the names that users call them, in the order in which
 * they are listed. One line adds one:
 *
 *     static const Registry<CreditGrantPolicy> kinds{{"fixed", Make<FixedGrant>}, ...};
 */
template <typename Base>
class Registry
{
  public:
    struct Entry
    {
        const char* name;
        std::unique_ptr<Base> (*make)();
    };

    Registry(std::initializer_list<Entry> entries)
        : m_entries(entries)
    {
    }

    /// \return a new one of that name, or null.
    [[nodiscard]] std::unique_ptr<Base> Create(const std::string& name) const
    {
        const auto found = std::find_if(m_entries.begin(),
                                        m_entries.end(),
                                        [&name](const Entry& entry) { return name == entry.name; });
        return found == m_entries.end() ? nullptr : found->make();
    }

    [[nodiscard]] std::vector<std::string> GetNames() const
    {
        std::vector<std::string> names;
        for (const auto& entry : m_entries)
        {
            names.emplace_back(entry.name);
        }
        return names;
    }

  private:
    std::vector<Entry> m_entries;
};

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
        return Base::GetKinds().Create(name);
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
