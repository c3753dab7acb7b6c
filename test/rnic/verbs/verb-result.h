/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_RNIC_VERBS_VERB_RESULT_H
#define NFSRDMA_TEST_RNIC_VERBS_VERB_RESULT_H

#include "rnic/queue/work-request.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::nfsrdma::reference
{

/// \return the error of a verb's \p result; nothing when it succeeded.
template <typename Result>
std::optional<VerbsError>
GetError(const Result& result)
{
    return result ? std::nullopt : std::optional<VerbsError>(result.error());
}

/// \return the line of the log for \p verb on object \p number of \p host.
inline std::string
On(const char* verb, uint32_t host, uint32_t number)
{
    return std::string(verb) + ": " + std::to_string(number) + " on host " + std::to_string(host);
}

} // namespace ns3::nfsrdma::reference

#endif // NFSRDMA_TEST_RNIC_VERBS_VERB_RESULT_H
