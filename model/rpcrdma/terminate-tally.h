/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_TERMINATE_TALLY_H
#define NFSRDMA_RPCRDMA_TERMINATE_TALLY_H

#include "rdmap/terminate-message.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// Which end of a connection has found the error.
enum class TerminateWay
{
    SENT,    ///< This one.
    RECEIVED ///< The peer.
};

/**
 * \brief Why connections of a transport ended in an error: the Terminate messages of its queue
 * pairs, sent and received, counted by what they say.
 *
 * A Send that no Receive holds is named as what it is: longer than the Receive posted for it, with
 * the most octets that were seen of one (the segment at fault shows where it began and ended), or
 * without a Receive.
 */
class TerminateTally
{
  public:
    struct Entry
    {
        uint64_t count{0};
        uint64_t octets{0}; ///< The most seen of a Send that was too long; 0 for other reasons.
    };

    /// By what to say of it.
    using Entries = std::map<std::string, Entry>;

    void Add(TerminateWay way, const TerminateMessage& message);

    [[nodiscard]] const Entries& GetEntries() const
    {
        return m_entries;
    }

    /// \return one line for each reason: "1000 connections ended: ...".
    [[nodiscard]] std::vector<std::string> Describe() const;

    /// \return for example "Terminate sent: 1/2/05 message too long for the buffer; a Send of the
    /// peer is longer than the Receive posted for it": no comma is in it.
    [[nodiscard]] static std::string GetText(TerminateWay way, const TerminateReason& reason);

  private:
    Entries m_entries;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_TERMINATE_TALLY_H
