/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_POLICY_FORM_EXPLANATION_H
#define NFSRDMA_RPCRDMA_POLICY_FORM_EXPLANATION_H

#include "rpc/form-reason.h"
#include "rpcrdma/policy/call-form.h"
#include "rpcrdma/policy/reply-mechanism.h"

namespace ns3::nfsrdma
{

/// \return why \p form was taken: from what the policy had to choose from, whichever policy it was,
/// so that no form of any policy lacks a reason.
[[nodiscard]] CallReason ExplainCall(const CallFormChoice& choice, const CallForm& form);

/// \return why \p offer was made for the reply, in the same way.
[[nodiscard]] ReplyReason ExplainOffer(const ReplyChoice& choice, const ReplyOffer& offer);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_POLICY_FORM_EXPLANATION_H
