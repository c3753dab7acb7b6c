/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_CHECK_STALENESS_MODEL_H
#define NFSRDMA_WORKLOAD_CHECK_STALENESS_MODEL_H

#include "workload/check/content-state.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief How old what clients say of attributes and names may be, where they cache them: a change
 * attribute that the server has told any client must not be gone back behind by an answer to what
 * begins later than a given time after, nor by an answer of the same client to anything that begins
 * later; and a name stands for what it was last made to stand for before that time, or for what it
 * was made to since. What begins at the very time at which a client is told something may have
 * begun before.
 *
 * What is older fails the run. It follows the replies of the protocol, and knows nothing of how a
 * cache works. Nothing is followed until Enable().
 */
class StalenessModel
{
  public:
    explicit StalenessModel(ContentState& state)
        : m_state(state)
    {
    }

    /// A client of the export caches; before any operation.
    void Enable()
    {
        m_enabled = true;
    }

    [[nodiscard]] bool IsEnabled() const
    {
        return m_enabled;
    }

    /// \return what has been compared.
    [[nodiscard]] uint64_t GetCompared() const
    {
        return m_compared;
    }

    /// \p client has an answer about \p object. \param change its change attribute \param began
    /// when the operation did \param allowed how old the answer may be \param told by the server
    void CheckChange(const HandleView& object,
                     uint32_t client,
                     uint64_t change,
                     Time began,
                     Time allowed,
                     bool told);

    /// A name, and what it stands for; nothing: there is no such name.
    struct Name
    {
        HandleView dir;
        std::string name;
    };

    using Meaning = std::optional<ByteVector>;

    /// \p client has changed a name. \param meaning nothing where it is not known whether it has
    /// \param began when the operation did; it ends now
    void ChangeName(const Name& name,
                    uint32_t client,
                    const std::optional<Meaning>& meaning,
                    Time began);
    /// A change of a name begins, and has to be ended by ChangeName() or RefuseName().
    void BeginName(const Name& name);
    /// A change of a name has ended which was none.
    void RefuseName(const Name& name);
    /// \p client has an answer to what \p name stands for. \param allowed how old it may be
    void CheckName(const Name& name,
                   uint32_t client,
                   const Meaning& meaning,
                   Time began,
                   Time allowed);

  private:
    using Handle = ByteVector;

    struct Told
    {
        Time time;
        uint64_t change{0};
    };

    struct Versions
    {
        std::vector<Told> told;          ///< Oldest first; each change greater.
        std::map<uint32_t, Told> latest; ///< That each client knows of.
    };

    struct NameChange
    {
        Time began;
        Time ended;
        uint32_t client{0};
        Meaning meaning;
    };

    struct NameHistory
    {
        uint32_t outstanding{0};
        bool doubtful{false};            ///< It may have changed at any time.
        std::vector<NameChange> changes; ///< In the order of their ends.
    };

    using NameKey = std::pair<Handle, std::string>;

    static Handle MakeHandle(const HandleView& view);
    static NameKey MakeKey(const Name& name);
    /// \return whether \p history allows the answer.
    [[nodiscard]] static bool IsAllowed(const NameHistory& history,
                                        uint32_t client,
                                        const Meaning& meaning,
                                        Time began,
                                        Time allowed);

    ContentState& m_state;
    bool m_enabled{false};
    uint64_t m_compared{0};
    std::map<Handle, Versions> m_versions;
    std::map<NameKey, NameHistory> m_names;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_CHECK_STALENESS_MODEL_H
