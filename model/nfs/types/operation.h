/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_TYPES_OPERATION_H
#define NFSRDMA_NFS_TYPES_OPERATION_H

#include "nfs/v3/acl-messages3.h"
#include "nfs/v3/status3.h"

#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

/// A procedure of one of the programs that a mount of NFSv3 calls: NFS or NFSACL, version 3.
class NfsOperation
{
  public:
    /// How many there are.
    static constexpr uint32_t COUNT = NFS3_PROCEDURES + NFSACL3_PROCEDURES;

    constexpr NfsOperation(Nfs3Procedure procedure) // NOLINT(google-explicit-constructor)
        : m_index(static_cast<uint32_t>(procedure))
    {
    }

    constexpr NfsOperation(NfsAcl3Procedure procedure) // NOLINT(google-explicit-constructor)
        : m_index(NFS3_PROCEDURES + static_cast<uint32_t>(procedure))
    {
    }

    /// \return the operation of that number below COUNT.
    [[nodiscard]] static constexpr NfsOperation FromIndex(uint32_t index)
    {
        return index < NFS3_PROCEDURES
                   ? NfsOperation(static_cast<Nfs3Procedure>(index))
                   : NfsOperation(static_cast<NfsAcl3Procedure>(index - NFS3_PROCEDURES));
    }

    /// \return its number, below COUNT.
    [[nodiscard]] constexpr uint32_t GetIndex() const
    {
        return m_index;
    }

    /// \return the procedure when the program is NFS.
    [[nodiscard]] constexpr std::optional<Nfs3Procedure> GetNfs3() const
    {
        return m_index < NFS3_PROCEDURES ? std::optional(static_cast<Nfs3Procedure>(m_index))
                                         : std::nullopt;
    }

    /// \return the procedure when the program is NFSACL.
    [[nodiscard]] constexpr std::optional<NfsAcl3Procedure> GetNfsAcl3() const
    {
        return m_index < NFS3_PROCEDURES
                   ? std::nullopt
                   : std::optional(static_cast<NfsAcl3Procedure>(m_index - NFS3_PROCEDURES));
    }

    /// \return "READ", "NFSACL3 GETACL": the program's name unless it is NFS.
    [[nodiscard]] const char* GetName() const
    {
        return m_index < NFS3_PROCEDURES
                   ? ToString(static_cast<Nfs3Procedure>(m_index))
                   : ToString(static_cast<NfsAcl3Procedure>(m_index - NFS3_PROCEDURES));
    }

  private:
    uint32_t m_index;
};

constexpr bool
operator==(NfsOperation a, NfsOperation b)
{
    return a.GetIndex() == b.GetIndex();
}

constexpr bool
operator!=(NfsOperation a, NfsOperation b)
{
    return !(a == b);
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_TYPES_OPERATION_H
