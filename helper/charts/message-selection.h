/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CHARTS_MESSAGE_SELECTION_H
#define NFSRDMA_HELPER_CHARTS_MESSAGE_SELECTION_H

#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Which RPCs a run is to tell the messages of, in words separated by commas:
 *
 *     none | all | 0x1234 (an XID) | first 20 | READ (an operation) | first 3 READ
 *
 * An operation is called as in rpc.csv, also without its program: "NFSACL3 GETACL" or "GETACL".
 * RPCs are counted as they end.
 */
class MessageSelection
{
  public:
    static constexpr const char* EXPECTED =
        "none, all, or some of 0x1234 (an XID), READ (an operation), first 20, first 3 READ, "
        "separated by commas";

    /// \return nothing when \p text is none of the above.
    [[nodiscard]] static std::optional<MessageSelection> Parse(const std::string& text);

    /// \return true when no RPC is wanted.
    [[nodiscard]] bool IsEmpty() const;
    /// \return whether an RPC that has ended is wanted. To be asked once for each.
    [[nodiscard]] bool Take(uint32_t xid, const std::string& operation);

  private:
    struct Item
    {
        std::string operation; ///< Empty: any.
        uint64_t left{std::numeric_limits<uint64_t>::max()};
    };

    bool Add(const std::string& text);

    std::set<uint32_t> m_xids;
    std::vector<Item> m_items;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CHARTS_MESSAGE_SELECTION_H
