/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/form-reason.h"

#include <cstddef>

namespace ns3::nfsrdma
{

const std::vector<FormReasonText>&
GetCallReasons()
{
    static const std::vector<FormReasonText> reasons{
#define CALL_REASON(reason, name, what) {name, what},
#define REPLY_REASON(reason, name, what)
#include "rpc/form-reasons.def"
#undef CALL_REASON
#undef REPLY_REASON
    };
    return reasons;
}

const std::vector<FormReasonText>&
GetReplyReasons()
{
    static const std::vector<FormReasonText> reasons{
#define CALL_REASON(reason, name, what)
#define REPLY_REASON(reason, name, what) {name, what},
#include "rpc/form-reasons.def"
#undef CALL_REASON
#undef REPLY_REASON
    };
    return reasons;
}

const char*
ToString(CallReason reason)
{
    return GetCallReasons()[static_cast<std::size_t>(reason)].name;
}

const char*
ToString(ReplyReason reason)
{
    return GetReplyReasons()[static_cast<std::size_t>(reason)].name;
}

} // namespace ns3::nfsrdma
