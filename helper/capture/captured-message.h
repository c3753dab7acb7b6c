/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CAPTURE_CAPTURED_MESSAGE_H
#define NFSRDMA_HELPER_CAPTURE_CAPTURED_MESSAGE_H

#include "helper/capture/mpa-conversation.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// One whole RDMAP message of a capture.
struct CapturedMessage
{
    bool fromInitiator{false};
    RdmapOpcode opcode{RdmapOpcode::SEND};
    uint64_t length{0}; ///< Payload octets of all its DDP segments.
    int64_t time{0};    ///< When its last octet was in order, ns.

    /// \return "initiator Send 16".
    [[nodiscard]] std::string ToString() const;
    /// \return whether both are the same but for the time.
    [[nodiscard]] bool IsLike(const CapturedMessage& other) const;
};

/// \return the messages of \p conversation that are complete, in the order in which they ended.
[[nodiscard]] std::vector<CapturedMessage> ListMessages(const MpaConversation& conversation);

/// \return the messages of every connection of a capture that came to full operation, in the order
/// of their first frames. Wrong when it is no capture.
[[nodiscard]] tl::expected<std::vector<std::vector<CapturedMessage>>, std::string> ReadMessages(
    std::unique_ptr<CaptureSource> file);
/// The same of a file in memory.
[[nodiscard]] tl::expected<std::vector<std::vector<CapturedMessage>>, std::string> ReadMessages(
    ByteSpan file);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CAPTURE_CAPTURED_MESSAGE_H
