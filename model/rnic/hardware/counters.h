/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_HARDWARE_COUNTERS_H
#define NFSRDMA_RNIC_HARDWARE_COUNTERS_H

#include "mpa/connection-error.h"
#include "rdmap/control-field.h"
#include "rnic/connect/admission.h"

#include "ns3/nstime.h"

#include <array>
#include <cstdint>

namespace ns3::nfsrdma
{

/// What a device has done since it was made. Arrays are indexed by RdmapOpcode.
struct RnicCounters
{
    static constexpr std::size_t OPCODES = RDMAP_OPCODES;

    std::array<uint64_t, OPCODES> segmentsSent{};
    std::array<uint64_t, OPCODES> segmentsReceived{};
    std::array<uint64_t, OPCODES> messagesSent{};     ///< Whole.
    std::array<uint64_t, OPCODES> messagesReceived{}; ///< Whole.
    uint64_t payloadSent{0};                          ///< Octets fetched from host memory.
    uint64_t payloadReceived{0};                      ///< Octets placed in host memory.

    uint64_t fpduOctetsReceived{0}; ///< Of FPDUs that the receive engine has handled.
    uint64_t packetsLost{0};        ///< That found the packet buffer full.
    uint64_t placedAhead{0};        ///< FPDUs whose payload was placed ahead of order.

    uint64_t doorbells{0};
    uint64_t sendsPosted{0};           ///< Send work requests.
    uint64_t sendsDone{0};             ///< Of them, carried out.
    uint64_t sendsFlushed{0};          ///< Of them, completed with an error.
    uint64_t sendsAbandoned{0};        ///< Of them, dropped with their queue pair.
    uint64_t receivesPosted{0};        ///< Receive work requests.
    uint64_t messageOctetsPosted{0};   ///< Of Sends, as posted.
    uint64_t messageOctetsReceived{0}; ///< Of Sends that came whole.
    uint64_t sendsReceived{0};         ///< Sends that came whole.
    uint64_t completions{0};           ///< Entries written to completion queues.
    uint64_t completionErrors{0};
    uint64_t completionsLost{0}; ///< To full completion queues.
    uint64_t interrupts{0};
    uint64_t contextUses{0};   ///< Times that an engine needed a context of a queue pair or STag.
    uint64_t contextHits{0};   ///< Of them, those that found it on the device.
    uint64_t contextMisses{0}; ///< Contexts of queue pairs and STags fetched from the host.
    uint64_t contextLoads{0};  ///< Contexts of queue pairs loaded from the memory of the device.

    uint64_t registrations{0};        ///< Fast registrations.
    uint64_t regularRegistrations{0}; ///< By RnicDevice::RegisterMemory().
    uint64_t windowBindings{0};
    uint64_t localInvalidations{0};  ///< Of regions and windows.
    uint64_t remoteInvalidations{0}; ///< Of regions and windows.
    uint64_t placementFaults{0};     ///< Tagged segments refused by the checks of the STag.
    uint64_t readSourceFaults{0};   ///< Read and Atomic Requests refused by the checks of the STag.
    uint64_t invalidationFaults{0}; ///< Send with Invalidate refused.
    uint64_t receiveFaults{0};      ///< Sends without, or with too small, a receive buffer.
    uint64_t localFaults{0};        ///< Work requests refused by the checks of this side.

    Time transmitBusy;   ///< Time that the transmit engine was occupied.
    Time receiveBusy;    ///< The same of the receive engine.
    Time memoryUnitBusy; ///< The same of the unit for registrations and invalidations.

    uint64_t ordStalls{0};   ///< Reads that waited for the ORD limit.
    uint64_t fenceStalls{0}; ///< Work requests that waited for earlier Reads.
    uint64_t terminatesSent{0};
    uint64_t terminatesReceived{0};

    // What RnicFaults has done.
    uint64_t deviceFailures{0};
    uint64_t pairsFailed{0};
    uint64_t queuesOverrun{0};
    uint64_t registrationsFailed{0};
    uint64_t regionsRefused{0};

    uint64_t silentPeers{0}; ///< Initiators without an FPDU in time, whose connection was closed.
    uint64_t connectionsRefused{0}; ///< That found the backlog of a listener full.
    /// New connections by AdmissionVerdict; all zero without limits.
    std::array<uint64_t, ADMISSION_VERDICTS> admissions{};
    /// MPA startups that failed, by MpaError; rejections by a consumer are none.
    std::array<uint64_t, MPA_ERRORS> startupFailures{};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_HARDWARE_COUNTERS_H
