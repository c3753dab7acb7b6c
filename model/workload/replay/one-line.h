/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_REPLAY_ONE_LINE_H
#define NFSRDMA_WORKLOAD_REPLAY_ONE_LINE_H

#include <algorithm>
#include <cctype>
#include <string>

namespace ns3::nfsrdma
{

/// \return \p text on one line, for messages that quote a file: control characters are shown as
/// '?'.
[[nodiscard]] inline std::string
OnOneLine(std::string text)
{
    std::replace_if(
        text.begin(),
        text.end(),
        [](unsigned char octet) { return std::iscntrl(octet) != 0; },
        '?');
    return text;
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_REPLAY_ONE_LINE_H
