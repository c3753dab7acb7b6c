/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CAPTURE_NAMED_STAGS_H
#define NFSRDMA_HELPER_CAPTURE_NAMED_STAGS_H

#include "helper/capture/mpa-conversation.h"

#include <map>
#include <tuple>
#include <unordered_set>

namespace ns3::nfsrdma
{

/**
 * \brief The STags that the hosts of a capture name to each other, and on which connections.
 *
 * An STag is named where its four octets stand in a Send. Looked for are those that an FPDU of the
 * capture uses, all of them in one pass over all Sends, so that time grows with the capture and not
 * with the square of its connections. One that is asked for and no decoded FPDU uses costs a pass
 * of its own, the first time.
 */
class NamedStags
{
  public:
    /// \param all of the capture; they outlive this object
    explicit NamedStags(const std::vector<MpaConversation>& all);

    /// \return whether the host of \p side has named \p stag to the host of the other side, on
    /// another connection than \p conversation.
    [[nodiscard]] bool IsNamedElsewhere(const MpaConversation& conversation,
                                        std::size_t side,
                                        Stag stag) const;

    /// \return how many octets have been looked at so far.
    [[nodiscard]] uint64_t GetOctetsSearched() const
    {
        return m_octetsSearched;
    }

  private:
    using Address = decltype(TcpEndpoint::address);
    /// Who names it, to whom, and the STag.
    using Naming = std::tuple<Address, Address, Stag>;

    struct Place
    {
        const MpaConversation* first{nullptr};
        bool isElsewhereToo{false};
    };

    void Search(const std::unordered_set<Stag>& wanted) const;
    void SearchSend(ByteSpan payload,
                    const std::unordered_set<Stag>& wanted,
                    const MpaConversation& conversation,
                    std::size_t side) const;
    [[nodiscard]] static Naming MakeNaming(const MpaConversation& conversation,
                                           std::size_t side,
                                           Stag stag);

    const std::vector<MpaConversation>& m_all;
    mutable std::unordered_set<Stag> m_searched;
    mutable std::map<Naming, Place> m_places;
    mutable uint64_t m_octetsSearched{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CAPTURE_NAMED_STAGS_H
