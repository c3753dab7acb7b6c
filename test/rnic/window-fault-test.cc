/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/window-fixture.h"

namespace ns3::nfsrdma
{

/// How a peer's access to a window goes wrong, and what its Terminate says about it.
struct WindowFault
{
    const char* name;
    const char* writeTerminate; ///< For an RDMA Write.
    const char* readTerminate;  ///< For an RDMA Read.
};

class WindowFaults : public WindowTest, public ::testing::WithParamInterface<WindowFault>
{
  protected:
    /// Binds the window with \p rights and sets up an access of it that has the fault.
    void Prepare(uint32_t rights, uint32_t otherRights)
    {
        const std::string fault = GetParam().name;
        m_offset = IOVA + OFFSET;
        if (fault == "unbound")
        {
            m_stag = m_window->MakeStag(0);
            return;
        }
        m_stag = BindNow(fault == "rights" ? otherRights : rights);
        SpoilAccess(fault, m_stag, m_offset);
        if (fault == "invalidated")
        {
            ExecuteAtServer(Invalidate(1, m_stag));
        }
    }

    Stag m_stag{0};
    uint64_t m_offset{0};
};

TEST_P(WindowFaults, OfAWrite)
{
    Prepare(ACCESS_REMOTE_WRITE, ACCESS_REMOTE_READ | ACCESS_REMOTE_ATOMIC);
    ExpectWriteRefused(m_stag, m_offset, LENGTH, GetParam().writeTerminate);
    EXPECT_EQ(Octets(0, SIZE), Pattern(SIZE, 9));
}

TEST_P(WindowFaults, OfARead)
{
    Prepare(ACCESS_REMOTE_READ, ACCESS_REMOTE_WRITE | ACCESS_REMOTE_ATOMIC);
    ExpectReadRefused(m_stag, m_offset, LENGTH, GetParam().readTerminate);
}

INSTANTIATE_TEST_SUITE_P(OfThePeer,
                         WindowFaults,
                         ::testing::Values(WindowFault{"index", "1/1/00", "0/1/00"},
                                           WindowFault{"key", "1/1/00", "0/1/00"},
                                           WindowFault{"unbound", "1/1/00", "0/1/00"},
                                           WindowFault{"invalidated", "1/1/00", "0/1/00"},
                                           WindowFault{"rights", "1/1/00", "0/1/02"},
                                           WindowFault{"beyond", "1/1/01", "0/1/01"},
                                           WindowFault{"before", "1/1/01", "0/1/01"},
                                           WindowFault{"wrap", "1/1/03", "0/1/04"}),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

} // namespace ns3::nfsrdma
