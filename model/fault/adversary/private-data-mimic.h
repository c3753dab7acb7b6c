/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_PRIVATE_DATA_MIMIC_H
#define NFSRDMA_FAULT_ADVERSARY_PRIVATE_DATA_MIMIC_H

#include "fault/adversary/connection-attack.h"

namespace ns3::nfsrdma
{

/**
 * \brief Connects with private data that is not RFC 8797's, or lies, and asks for a reply of more
 * than 1024 octets, which is what a peer may be sent that has said nothing (section 5.1).
 *
 * Its receives have 1024 octets. A server that believes the private data sends more, and loses the
 * connection by a Terminate, as an RNIC without a receive that is large enough sends it (section
 * 7). Notes each kind of private data used, and "believed" or "not believed".
 */
class PrivateDataMimic : public ConnectionAttackRole
{
  public:
    enum Kind
    {
        FOREIGN,       ///< Another protocol's, that happens to hold the identifier and version 1.
        OTHER_VERSION, ///< At the front, version 2.
        CUT_SHORT,     ///< The identifier and version are the last octets.
        ABSURD_SIZES,  ///< At the front, 256 KiB both ways.
        SECOND,        ///< One of another version, then one that announces 256 KiB.
        ALL            ///< Each in its turn.
    };

    static constexpr uint32_t RECEIVE_SIZE = 1024;

    static TypeId GetTypeId();

    /// \return private data of \p kind.
    [[nodiscard]] static ByteVector MakePrivateData(Kind kind);

  protected:
    [[nodiscard]] std::unique_ptr<RawStream> MakeAttempt(uint64_t number) override;

  private:
    int m_kind{ALL};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_PRIVATE_DATA_MIMIC_H
