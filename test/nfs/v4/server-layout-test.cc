/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server-operations.h"

#include "ns3/boolean.h"

namespace ns3::nfsrdma::test
{
namespace
{

TEST_F(Nfs4ServerOperations, Layouts)
{
    Mount();
    LayoutgetArgs4 get;
    get.stateid = GetOpenState(OpenIt("file", SHARE_READ));
    get.length = NFS4_UINT64_MAX;
    get.maxcount = 4096;
    EXPECT_EQ(InSession({Put(m_file), get}).results.status, Nfs4Status::LAYOUTUNAVAILABLE);
    m_server->SetAttribute("Layouts", BooleanValue(true));
    const auto got = InSession({Put(m_file), get});
    ASSERT_EQ(got.results.status, Nfs4Status::OK);
    const auto& layout = Get<LayoutgetRes4>(got, 2);
    ASSERT_EQ(layout.layouts.size(), 1U);
    // Device, util, first stripe, pattern offset, one handle of 16 octets.
    EXPECT_EQ(layout.layouts[0].content.body.size(), 16U + 4 + 4 + 8 + 4 + 4 + 16);
    GetdeviceinfoArgs4 device;
    std::copy(layout.layouts[0].content.body.begin(),
              layout.layouts[0].content.body.begin() + NFS4_DEVICEID4_SIZE,
              device.deviceId.begin());
    device.maxcount = 16;
    const auto small = InSession({device});
    EXPECT_EQ(small.results.status, Nfs4Status::TOOSMALL);
    device.maxcount = Get<GetdeviceinfoRes4>(small, 1).mincount;
    EXPECT_EQ(InSession({device}).results.status, Nfs4Status::OK);
    LayoutreturnArgs4 giveBack;
    giveBack.stateid = layout.stateid;
    giveBack.length = NFS4_UINT64_MAX;
    EXPECT_EQ(InSession({Put(m_file), giveBack}).results.status, Nfs4Status::OK);
    EXPECT_EQ(InSession({Put(m_file), giveBack}).results.status, Nfs4Status::BAD_STATEID);
}

} // namespace
} // namespace ns3::nfsrdma::test
