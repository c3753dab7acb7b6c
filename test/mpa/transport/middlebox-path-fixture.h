/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_MPA_TRANSPORT_MIDDLEBOX_PATH_FIXTURE_H
#define NFSRDMA_TEST_MPA_TRANSPORT_MIDDLEBOX_PATH_FIXTURE_H

#include "link/resegmenting-middlebox.h"
#include "mpa/two-node-fixture.h"

#include "ns3/boolean.h"
#include "ns3/global-value.h"

#include <random>
#include <set>

namespace ns3::nfsrdma
{

/**
 * \brief Two nodes with a middlebox in the cable between them; both send numbered ULPDUs of random
 * sizes, and whatever arrives is compared with what was sent.
 *
 * Every ULPDU must be delivered once and in order, and may be placed once before that.
 */
class MiddleboxPathTest : public TwoNodeTest
{
  protected:
    void SetUp() override;
    void Wire() override;
    void OnOperational(std::size_t side) override;
    void OnReady(std::size_t side) override;
    void OnDelivery(std::size_t side, ByteSpan ulpdu, bool placed) override;
    bool OnPlace(std::size_t side, ByteSpan ulpdu) override;

    // Hooks
    /// ULPDUs each side sends.
    virtual uint32_t Count() const;
    /// Called after the middlebox is made.
    virtual void ConfigureMiddlebox();
    /// Seeds sizes and octets of what is sent, and the streams of the middlebox.
    virtual uint64_t Seed() const;

    /// First octets of each ULPDU; they tell its number, at least 4.
    virtual ByteVector HeaderOf(uint32_t index) const;

    /// The ULPDU that \p side sends as number \p index.
    const ByteVector& Sent(std::size_t side, uint32_t index);
    /// Sends all, closes in order when all has arrived, runs until nothing is left to happen.
    void Exchange();
    /// Expects that both sides have all that was sent, and closed without error.
    void ExpectComplete() const;

    Ptr<Node> boxNode;
    Ptr<ResegmentingMiddlebox> box;
    /// Of what comes from each side.
    std::array<Ptr<LinkImpairment>, 2> impairments;
    std::array<uint32_t, 2> received{0, 0};
    /// Numbers of the ULPDUs placed ahead of order.
    std::array<std::set<uint32_t>, 2> placedAhead;

  private:
    void Fill(std::size_t side);
    void CloseWhenComplete();

    std::array<std::vector<ByteVector>, 2> m_sent;
    std::array<std::mt19937_64, 2> m_random;
};

/// Every checksum counts: TCP's, and the CRC of FPDUs.
class ChecksummedPathTest : public MiddleboxPathTest
{
  protected:
    void SetUp() override
    {
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
        MiddleboxPathTest::SetUp();
    }

    void TearDown() override
    {
        MiddleboxPathTest::TearDown();
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(false));
    }

    void ConfigureConnection(std::size_t /* side */, MpaConnection& connection) override
    {
        connection.GetSettings()->SetAttribute("Crc", BooleanValue(true));
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_MPA_TRANSPORT_MIDDLEBOX_PATH_FIXTURE_H
