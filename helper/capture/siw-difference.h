/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CAPTURE_SIW_DIFFERENCE_H
#define NFSRDMA_HELPER_CAPTURE_SIW_DIFFERENCE_H

#include "rdmap/control-field.h"
#include "rdmap/terminate-message.h"

#include <optional>
#include <set>

namespace ns3::nfsrdma
{

/// Where Linux's siw, or what runs on it, does otherwise than the model in its place. Each has a
/// reason; anything else that differs is a fault of the model.
enum class SiwDifference
{
    RESERVED_FLAGS,
    REVISION_0,
    TERMINATE_BIT_ORDER,
    TERMINATE_LENGTH,
    TERMINATE_READ_REQUEST,
    TOO_LONG_AS_NO_BUFFER,
    INVALIDATE_UNKNOWN_STAG,
    TERMINATE_SPEAKS_FIRST,
    UNASKED_READ_RESPONSE,
    CONSUMER_TERMINATES,
};

/// \return a short name of the rule, for tables.
const char* GetName(SiwDifference difference);
/// \return what Linux does and why the model does not.
const char* GetReason(SiwDifference difference);

/**
 * \brief The Terminate that siw sends where the model sends \p message.
 * \param opcode of the segment at fault
 * \param[out] applied the rules that made a difference are added
 * \return the payload of the Terminate
 */
[[nodiscard]] ByteVector EncodeTerminateAsSiw(TerminateMessage message,
                                              std::optional<RdmapOpcode> opcode,
                                              std::set<SiwDifference>& applied);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CAPTURE_SIW_DIFFERENCE_H
