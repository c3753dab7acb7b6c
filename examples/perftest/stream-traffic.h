/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_EXAMPLES_STREAM_TRAFFIC_H
#define NFSRDMA_EXAMPLES_STREAM_TRAFFIC_H

#include "perftest/traffic.h"

namespace ns3::nfsrdma
{

/// How a bandwidth test keeps its queues.
struct StreamShape
{
    uint32_t sendDepth{128};    ///< Work requests outstanding at most, each queue pair.
    uint32_t receiveDepth{512}; ///< Receives posted, each queue pair (SEND).
    uint32_t postList{1};       ///< Work requests a doorbell.
    bool bidirectional{false};
};

/// When work was posted and seen completed, over all queue pairs, warm-up included.
struct StreamTimes
{
    struct Completion
    {
        uint64_t count{0}; ///< Work requests completed with this one.
        Time time;
    };

    std::vector<Time> posts; ///< One a work request.
    std::vector<Completion> completions;
    uint64_t warmUp{0}; ///< Messages before those that count.
};

/**
 * \brief The traffic of a bandwidth test: as many messages under way as the queues take.
 *
 * iWARP has no "receiver not ready": a Send that finds no receive ends the connection. So the
 * receiver of Sends writes into the sender's memory how many it has received, each time a third of
 * its receives has been posted anew, as perftest does, and the sender never has more on the way
 * than receives were posted.
 *
 * A run begins with messages that do not count: a Send or Write completes when TCP has taken it, so
 * the first ones complete faster than the link carries them.
 */
class StreamTraffic : public Traffic
{
  public:
    /// What the messages before those that count hold together: many of TCP's send buffers, since
    /// one fills slowly when bus and link are nearly as fast.
    static constexpr uint32_t WARM_UP_OCTETS = 8 << 20;
    static constexpr uint32_t WARM_UP_MESSAGES = 8192;

    StreamTraffic(DataPath& path, TestVerb verb, bool client, const StreamShape& shape);
    ~StreamTraffic() override;

    /// Every \p count work requests ask for a completion, and the last of a run.
    void SetSignalEvery(uint32_t count);
    void Prepare(uint32_t size, uint64_t iterations) override;
    void Run(DoneCallback done) override;

    [[nodiscard]] const StreamTimes& GetTimes() const;

  protected:
    void Sent(const WorkCompletion& completion) override;
    void Received(const WorkCompletion& completion) override;

  private:
    /// Progress of one queue pair.
    struct Lane
    {
        uint64_t posted{0};
        uint64_t completed{0};
        uint64_t credit{0}; ///< Messages the peer says it has received.
        uint64_t received{0};
        uint64_t receivesPosted{0};
        uint32_t watch{0};
    };

    void Pump();
    [[nodiscard]] bool HasRoom(const Lane& lane, uint64_t count) const;
    void PostChain(uint32_t pair, uint64_t count);
    void CreditArrived(uint32_t pair);
    void GiveCredit(uint32_t pair);
    void FinishIfDone();

    bool m_client;
    bool m_sends;    ///< This side has messages to move.
    bool m_receives; ///< This side gets Sends.
    StreamShape m_shape;
    uint32_t m_size{0};
    uint64_t m_iterations{0}; ///< With warm-up.
    uint64_t m_signalEvery{1};
    std::vector<Lane> m_lanes;
    uint32_t m_creditsUnderWay{0};
    StreamTimes m_times;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_EXAMPLES_STREAM_TRAFFIC_H
