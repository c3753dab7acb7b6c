/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_HARDWARE_DEFENCES_H
#define NFSRDMA_RNIC_HARDWARE_DEFENCES_H

#include "rnic/connect/admission.h"
#include "rnic/hardware/limits.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief What a device and its consumers do against peers that break rules: how STags are chosen,
 * what a protection domain is for, and what a peer may ask of a listener.
 *
 * RFC 8166 section 8.1 asks for keys that change, and for memory that is open to one connection
 * only; RFC 5044 section 7.1.2 rule 10 for limits to startup.
 */
class RnicDefences : public RnicLimits
{
  public:
    /// What the key of an STag is at the next registration of its region.
    enum StagKeys
    {
        COUNTER, ///< One more, as Linux's users of fast registration do.
        RANDOM,  ///< Any other.
        FIXED    ///< The same: an STag once seen is good for ever.
    };

    /// In which order STag indices are handed out.
    enum StagIndices
    {
        SEQUENTIAL, ///< Each the one after the last.
        SCATTERED   ///< A random order of all 2^24 - 1 (StagIndexPermutation).
    };

    /// What shares a protection domain.
    enum ProtectionDomains
    {
        CONNECTION, ///< The objects of one connection.
        DEVICE      ///< All connections of a device.
    };

    static TypeId GetTypeId();

    [[nodiscard]] StagKeys GetStagKeys() const
    {
        return static_cast<StagKeys>(m_stagKeys);
    }

    [[nodiscard]] StagIndices GetStagIndices() const
    {
        return static_cast<StagIndices>(m_stagIndices);
    }

    [[nodiscard]] ProtectionDomains GetProtectionDomains() const
    {
        return static_cast<ProtectionDomains>(m_protectionDomains);
    }

    /// \return what each peer may ask of a listener.
    [[nodiscard]] const AdmissionLimits& GetAdmissionLimits() const
    {
        return m_admission;
    }

    /// \return how long the first FPDU of an initiator may take; 0: for ever.
    [[nodiscard]] Time GetFirstFpduTimeout() const
    {
        return m_firstFpduTimeout;
    }

  private:
    int m_stagKeys{COUNTER};
    int m_stagIndices{SEQUENTIAL};
    int m_protectionDomains{CONNECTION};
    AdmissionLimits m_admission;
    Time m_firstFpduTimeout;

    void SetStartups(uint32_t count);
    [[nodiscard]] uint32_t GetStartups() const;
    void SetConnections(uint32_t count);
    [[nodiscard]] uint32_t GetConnections() const;
    void SetRate(uint32_t rate);
    [[nodiscard]] uint32_t GetRate() const;
    void SetBurst(uint32_t count);
    [[nodiscard]] uint32_t GetBurst() const;
    void SetFaults(uint32_t count);
    [[nodiscard]] uint32_t GetFaultLimit() const;
    void SetIgnoreTime(Time time);
    [[nodiscard]] Time GetIgnoreTime() const;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_HARDWARE_DEFENCES_H
