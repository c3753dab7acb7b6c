/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_FORM_REASON_H
#define NFSRDMA_RPC_FORM_REASON_H

#include <vector>

namespace ns3::nfsrdma
{

/// Why a call over RDMA took the form it has. rpc/form-reasons.def names and describes each.
enum class CallReason
{
#define CALL_REASON(reason, name, what) reason,
#define REPLY_REASON(reason, name, what)
#include "rpc/form-reasons.def"
#undef CALL_REASON
#undef REPLY_REASON
};

/// Why a reply over RDMA took the form it has, as its client sees it.
enum class ReplyReason
{
#define CALL_REASON(reason, name, what)
#define REPLY_REASON(reason, name, what) reason,
#include "rpc/form-reasons.def"
#undef CALL_REASON
#undef REPLY_REASON
};

/// A reason for people.
struct FormReasonText
{
    const char* name; ///< As rpc.csv has it.
    const char* what; ///< A sentence without its full stop.
};

/// \return all reasons of calls, in the order of CallReason.
[[nodiscard]] const std::vector<FormReasonText>& GetCallReasons();
/// \return all reasons of replies, in the order of ReplyReason.
[[nodiscard]] const std::vector<FormReasonText>& GetReplyReasons();

[[nodiscard]] const char* ToString(CallReason reason);
[[nodiscard]] const char* ToString(ReplyReason reason);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_FORM_REASON_H
