/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_SERVER_ATTRIBUTE_READER_H
#define NFSRDMA_NFS_V4_SERVER_ATTRIBUTE_READER_H

#include "nfs/v4/protocol/attributes.h"
#include "nfs/v4/server/namespace.h"

namespace ns3::nfsrdma
{

/// What an NFSv4 server tells of itself in attributes.
struct Nfs4AttributeLimits
{
    uint32_t leaseTime{90};       ///< Seconds.
    uint64_t maxTransfer{262144}; ///< maxread and maxwrite, octets.
    uint32_t timeDelta{4000000};  ///< Nanoseconds.
    bool layouts{false};          ///< The server gives files layouts.
};

/// Attributes that nfsd 6.1 supports in \p minorVersion, that a client may set, and that it may set
/// in an exclusive create.
[[nodiscard]] Nfs4Bitmap GetSupportedNfs4Attributes(uint32_t minorVersion);
[[nodiscard]] Nfs4Bitmap GetWritableNfs4Attributes(uint32_t minorVersion);
[[nodiscard]] Nfs4Bitmap GetExclusiveCreateNfs4Attributes(uint32_t minorVersion);

/**
 * \brief The attributes of objects as nfsd4_encode_fattr() gives them: owners by number, change
 * from the change time and a count, one file system for each export.
 */
class Nfs4AttributeReader
{
  public:
    /// All outlive this.
    Nfs4AttributeReader(const FileStore& store,
                        const Nfs4Namespace& names,
                        const Nfs4AttributeLimits& limits,
                        uint32_t minorVersion);

    /// \return those of \p wanted that are supported.
    [[nodiscard]] Nfs4Attributes Read(InodeNumber number, const Nfs4Bitmap& wanted) const;
    [[nodiscard]] uint64_t GetChange(InodeNumber number) const;

  private:
    void ReadObject(InodeNumber number,
                    const Fattr3& object,
                    const Nfs4Bitmap& mask,
                    Nfs4Attributes& values) const;
    void ReadAcl(InodeNumber number, Nfs4Attributes& values) const;
    void ReadTimes(const Fattr3& object, const Nfs4Bitmap& mask, Nfs4Attributes& values) const;
    void ReadServer(const Nfs4Bitmap& mask, Nfs4Attributes& values) const;
    void ReadFileSystem(const Nfs4Bitmap& mask, Nfs4Attributes& values) const;

    const FileStore& m_store;
    const Nfs4Namespace& m_names;
    const Nfs4AttributeLimits& m_limits;
    uint32_t m_minorVersion;
};

/**
 * \brief Splits what SETATTR, CREATE or OPEN set into what the store takes.
 * \return ATTRNOTSUPP, INVAL (attributes that cannot be set), BADOWNER
 */
[[nodiscard]] Nfs4Result<Sattr3> MakeSattr3(const Nfs4Attributes& attributes,
                                            uint32_t minorVersion);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_SERVER_ATTRIBUTE_READER_H
