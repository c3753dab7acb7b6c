/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_WORD_LIST_H
#define NFSRDMA_FAULT_WORD_LIST_H

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// \return the words with ", " between them.
inline std::string
JoinWords(const std::vector<std::string>& words)
{
    std::string text;
    for (const auto& word : words)
    {
        text += (text.empty() ? "" : ", ") + word;
    }
    return text;
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_WORD_LIST_H
