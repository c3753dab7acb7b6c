/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_EXAMPLES_DATA_PATH_H
#define NFSRDMA_EXAMPLES_DATA_PATH_H

#include "perftest/completion-pump.h"
#include "rnic/hardware/device.h"

#include <vector>

namespace ns3::nfsrdma
{

/// Sizes of a data path.
struct DataPathSizes
{
    uint32_t pairs{1};
    uint32_t sendDepth{1};
    uint32_t receiveDepth{1};
    uint32_t maxMessage{2}; ///< Octets.
    uint32_t maxInline{0};  ///< Octets.
    uint64_t window{0};     ///< Octets to send from at random places; 0: from one place.
};

/// What a side tells its peer of each queue pair: 56 octets, laid out as perftest's pingpong_dest.
struct DataPathDestination
{
    static constexpr std::size_t SIZE = 56;

    uint32_t queuePair{0};
    uint32_t key{0};
    uint64_t address{0};
    IpAddress host;

    [[nodiscard]] ByteVector Encode() const;
    static DataPathDestination Decode(const ByteVector& octets);
};

/**
 * \brief The verbs objects of one side of a test: queue pairs that share two completion queues, and
 * one registered buffer.
 *
 * For each queue pair the buffer has a part to send from and a part to receive in, each as long as
 * the largest message, and then a word in which the peer puts its credit and one for the credit
 * given to the peer. With a window all send from there instead, at random places that begin with a
 * cache line: the same in every run.
 */
class DataPath
{
  public:
    static constexpr uint32_t WORD = 8;

    /// Throws std::runtime_error when the device refuses the sizes.
    DataPath(Ptr<RnicDevice> device, const DataPathSizes& sizes);

    using Handler = CompletionPump::Handler;
    /// Starts to poll both completion queues.
    void Start(Handler sent, Handler received);

    [[nodiscard]] Ptr<RnicDevice> GetDevice() const;
    [[nodiscard]] uint32_t GetPairCount() const;
    [[nodiscard]] Ptr<QueuePair> GetPair(uint32_t pair) const;
    [[nodiscard]] HostBuffer& GetBuffer();
    [[nodiscard]] Stag GetKey() const;
    [[nodiscard]] const DataPathSizes& GetSizes() const;

    // Offsets in the buffer.
    [[nodiscard]] uint64_t GetSendOffset(uint32_t pair) const;
    /// \return where the next message of \p pair of \p size octets is sent from.
    [[nodiscard]] uint64_t ChooseSendOffset(uint32_t pair, uint32_t size);
    [[nodiscard]] uint64_t GetReceiveOffset(uint32_t pair) const;
    [[nodiscard]] uint64_t GetCreditOffset(uint32_t pair) const;
    [[nodiscard]] uint64_t GetGrantOffset(uint32_t pair) const;
    [[nodiscard]] uint64_t ToAddress(uint64_t offset) const;

    /// Where the peer's queue pair \p pair is to be read or written.
    void SetRemote(uint32_t pair, const DataPathDestination& remote);
    [[nodiscard]] const DataPathDestination& GetRemote(uint32_t pair) const;

  private:
    Ptr<RnicDevice> m_device;
    DataPathSizes m_sizes;
    Ptr<ProtectionDomain> m_domain;
    Ptr<CompletionQueue> m_sendQueue;
    Ptr<CompletionQueue> m_receiveQueue;
    std::vector<Ptr<QueuePair>> m_pairs;
    HostBuffer m_buffer;
    Ptr<MemoryRegion> m_region;
    std::vector<DataPathDestination> m_remotes;
    CompletionPump m_sendPump;
    CompletionPump m_receivePump;
    uint64_t m_random{1};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_EXAMPLES_DATA_PATH_H
