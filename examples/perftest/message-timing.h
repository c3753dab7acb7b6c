/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_EXAMPLES_MESSAGE_TIMING_H
#define NFSRDMA_EXAMPLES_MESSAGE_TIMING_H

#include "helper/capture/captured-message.h"

#include <map>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// A message and the one before it on its connection.
struct MessageStep
{
    bool beforeFromInitiator{false};
    RdmapOpcode before{RdmapOpcode::SEND};
    bool fromInitiator{false};
    RdmapOpcode opcode{RdmapOpcode::SEND};
    uint64_t length{0};

    bool operator<(const MessageStep& other) const;
    /// \return "client Send -> server Read Request 28".
    [[nodiscard]] std::string ToString() const;
    /// \return what the time between the two is spent on, in a capture taken at the client.
    [[nodiscard]] std::string Explain() const;
};

/// Times between messages, by step, us, sorted.
using MessageTiming = std::map<MessageStep, std::vector<double>>;

/// \return the times of all connections together.
[[nodiscard]] MessageTiming TimeMessages(
    const std::vector<std::vector<CapturedMessage>>& connections);

/// \return a table of \p captured against \p modelled: how often, least and median times, their
/// ratio, and a letter for what the time holds; the letters are explained below the table.
[[nodiscard]] std::string CompareTiming(const MessageTiming& captured,
                                        const MessageTiming& modelled);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_EXAMPLES_MESSAGE_TIMING_H
