/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/queue/rq.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

class ReceiveQueueTest : public testing::Test
{
  protected:
    void SetUp() override
    {
        m_queue.Bind(nullptr, 8, 1, nullptr);
        for (uint64_t id = 100; id < 103; id++)
        {
            ReceiveWorkRequest request;
            request.id = id;
            m_queue.Post(request, Time(0));
        }
    }

    void TearDown() override
    {
        m_queue.Close();
    }

    /// \return the id of the buffer of message \p msn, or 0.
    uint64_t Find(uint32_t msn)
    {
        const ReceiveQueueEntry* entry = m_queue.Find(msn);
        return entry == nullptr ? 0 : entry->request.id;
    }

    ReceiveQueue m_queue;
};

TEST_F(ReceiveQueueTest, AnyBufferPostedIsFoundByItsNumber)
{
    EXPECT_EQ(Find(0), 0U);
    EXPECT_EQ(Find(1), 100U);
    EXPECT_EQ(Find(3), 102U);
    EXPECT_EQ(Find(4), 0U);
    EXPECT_EQ(Find(0xffffffff), 0U);
}

TEST_F(ReceiveQueueTest, TheFirstNumberMayBeUsedUp)
{
    m_queue.SetFirstMsn(2);
    EXPECT_EQ(Find(1), 0U);
    EXPECT_EQ(Find(2), 100U);
    EXPECT_EQ(Find(4), 102U);
    EXPECT_EQ(Find(5), 0U);
}

TEST_F(ReceiveQueueTest, NumbersRunPast32Bits)
{
    m_queue.SetFirstMsn(0xfffffffe);
    EXPECT_EQ(Find(0xfffffffd), 0U);
    EXPECT_EQ(Find(0xfffffffe), 100U);
    EXPECT_EQ(Find(0xffffffff), 101U);
    EXPECT_EQ(Find(0), 102U);
    EXPECT_EQ(Find(1), 0U);
}

} // namespace

} // namespace ns3::nfsrdma
