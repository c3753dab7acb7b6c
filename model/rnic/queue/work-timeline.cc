/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/queue/work-timeline.h"

namespace ns3::nfsrdma
{

const char*
ToString(WorkStage stage)
{
    constexpr std::array<const char*, WORK_STAGES> NAMES{"post",
                                                         "doorbell",
                                                         "fetch",
                                                         "queue",
                                                         "context",
                                                         "engine",
                                                         "gather",
                                                         "transmit",
                                                         "response",
                                                         "receive",
                                                         "placement",
                                                         "order",
                                                         "cqe",
                                                         "notify"};
    return NAMES.at(static_cast<std::size_t>(stage));
}

} // namespace ns3::nfsrdma
