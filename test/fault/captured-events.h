/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_FAULT_CAPTURED_EVENTS_H
#define NFSRDMA_TEST_FAULT_CAPTURED_EVENTS_H

#include "wire/bytes.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3::nfsrdma::test
{

/// How often each event occurs, by its name; those of RPCs also by "rpc-call READ".
using EventCounts = std::map<std::string, uint64_t>;

/// \return what the decoders of helper/capture, which read whole connections, find in a capture:
/// startup frames, FPDUs, messages by opcode, RPC-over-RDMA headers.
EventCounts CountCapturedEvents(ByteSpan file);

/// \return the frames of a capture, from the Ethernet header on.
std::vector<ByteSpan> ListFrames(ByteSpan file);

/// \return the octets of a capture of test/data.
ByteVector ReadCaptureData(const std::string& name);

/// \return names of the captures of test/data whose frames have Ethernet headers and IPv4.
std::vector<std::string> FindEthernetCaptures();

} // namespace ns3::nfsrdma::test

#endif // NFSRDMA_TEST_FAULT_CAPTURED_EVENTS_H
