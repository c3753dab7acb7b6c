/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_PROTOCOL_XDR_H
#define NFSRDMA_NFS_V4_PROTOCOL_XDR_H

#include "nfs/types/xdr-fields.h"
#include "nfs/v4/protocol/data-items.h"

namespace ns3::nfsrdma
{

/// Which bulk items of a COMPOUND are in its octets: as Nfs4DataItems says, or all.
class Nfs4DataSource
{
  public:
    /// \param items null: all are
    Nfs4DataSource(Nfs4DataItems* items = nullptr)
        : m_items(items)
    {
    }

    [[nodiscard]] Nfs3Data Decode(XdrReader& reader, uint32_t limit)
    {
        return m_items == nullptr ? Nfs3Data::Decode(reader, limit, false)
                                  : m_items->Decode(reader);
    }

    void Skip()
    {
        if (m_items != nullptr)
        {
            m_items->Skip();
        }
    }

  private:
    Nfs4DataItems* m_items;
};

using Nfs4Encoder = XdrEncoder;
using Nfs4Decoder = XdrDecoder<Nfs4DataSource>;

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_PROTOCOL_XDR_H
