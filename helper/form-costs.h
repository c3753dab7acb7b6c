/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_FORM_COSTS_H
#define NFSRDMA_HELPER_FORM_COSTS_H

#include "ns3/nstime.h"

#include <optional>

namespace ns3::nfsrdma
{

/// What the alternatives of an RPC would cost, each as time on an idle path; nothing where the form
/// is impossible.
struct FormCosts
{
    std::optional<Time> callInline;
    std::optional<Time> callChunk;
    std::optional<Time> replyInline;
    std::optional<Time> replyChunk;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_FORM_COSTS_H
