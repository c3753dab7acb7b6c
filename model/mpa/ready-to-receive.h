/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_READY_TO_RECEIVE_H
#define NFSRDMA_MPA_READY_TO_RECEIVE_H

#include "wire/bytes.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// The first FPDU an initiator of the peer-to-peer model sends, RFC 6581 section 4: an operation of
/// no octets, of which neither consumer hears.
enum class ReadyToReceive : uint8_t
{
    NONE,
    SEND,
    WRITE,
    READ
};

/// Kinds of ready-to-receive FPDU a side can do with, the preferred one first; never NONE.
using ReadyToReceiveKinds = std::vector<ReadyToReceive>;

/// \return Write and Read, as Linux siw.
ReadyToReceiveKinds GetLinuxReadyToReceiveKinds();
/// \return kinds named in \p text, as "Write Read"; nothing when a name is unknown or comes twice.
std::optional<ReadyToReceiveKinds> ParseReadyToReceiveKinds(const std::string& text);
/// \return the names of \p kinds, with spaces between.
std::string ToString(const ReadyToReceiveKinds& kinds);
/// \return whether \p kind is among \p kinds.
bool Includes(const ReadyToReceiveKinds& kinds, ReadyToReceive kind);

/// \return the ULPDU of \p kind: a Send or Read Request with MSN 1, STags 1 and offsets 0, as
/// Linux siw has them; empty for NONE.
ByteSpan GetReadyToReceiveUlpdu(ReadyToReceive kind);
/// \return whether \p ulpdu is a ready-to-receive operation of \p kind; STags and offsets may be
/// any.
bool IsReadyToReceiveUlpdu(ReadyToReceive kind, ByteSpan ulpdu);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_READY_TO_RECEIVE_H
