/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_CHECK_LISTING_MODEL_H
#define NFSRDMA_WORKLOAD_CHECK_LISTING_MODEL_H

#include "workload/check/content-state.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief The check of listings of directories in which several clients make and take away names.
 *
 * A listing goes from cookie 0 to the end, page after page. It must give each name once that was
 * there from its begin to its end, and none that was not there at all (RFC 1813 section 3.3.16, RFC
 * 8881 section 18.23.3); a name that came or went meanwhile may be in it or not.
 */
class ListingModel
{
  public:
    explicit ListingModel(ContentState& state);

    /// A page of \p dir that a client asks for, from \p cookie on.
    [[nodiscard]] ContentToken BeginPage(uint32_t client, const HandleView& dir, uint64_t cookie);
    /// What it gave; \p next is the cookie of its last entry. \return false when it is wrong.
    bool EndPage(ContentToken token,
                 const std::vector<std::string>& names,
                 uint64_t next,
                 bool eof);
    /// It gave nothing: the listing ends here.
    void EndPage(ContentToken token);

    /// An operation that may change \p name in \p dir begins, or ends.
    void Touch(ReferenceId dir, const std::string& name);

  private:
    /// A listing from its begin on.
    struct Listing
    {
        ReferenceId dir{ReferenceTree::NONE};
        uint32_t client{0};
        std::set<std::string> steady; ///< Names that have been there since its begin, not yet seen.
        std::set<std::string> changed;
        std::set<std::string> seen;
    };

    using Place = std::tuple<uint32_t, ReferenceId, uint64_t>; ///< Client, directory, next cookie.

    ContentState& m_state;
    std::map<Place, Listing> m_waiting;            ///< For their next page.
    std::map<ContentToken, Listing> m_outstanding; ///< Of a page.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_CHECK_LISTING_MODEL_H
