/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_MPA_STARTUP_KEYS_H
#define NFSRDMA_TEST_MPA_STARTUP_KEYS_H

#include <string>

namespace ns3::nfsrdma
{

/// "MPA ID Req Frame", with which a startup frame of the initiator begins, in hexadecimal.
inline const std::string REQUEST_KEY = "4d504120494420526571204672616d65";
/// "MPA ID Rep Frame", with which the responder's begins.
inline const std::string REPLY_KEY = "4d504120494420526570204672616d65";

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_MPA_STARTUP_KEYS_H
