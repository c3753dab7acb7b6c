/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/file-client.h"

#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(FileClient);

TypeId
FileClient::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::FileClient")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddAttribute("TransferSize",
                          "Most octets of one READ or WRITE, the mount options rsize and wsize "
                          "(octets). Default: 256 KiB, what Linux 6.1 agrees on over RDMA",
                          UintegerValue(262144),
                          MakeUintegerAccessor(&FileClient::m_transferSize),
                          MakeUintegerChecker<uint32_t>(1024));
    return tid;
}

uint32_t
FileClient::GetTransferSize() const
{
    return m_transferSize;
}

} // namespace ns3::nfsrdma
