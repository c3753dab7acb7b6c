/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_EXAMPLES_PING_PONG_H
#define NFSRDMA_EXAMPLES_PING_PONG_H

#include "perftest/traffic.h"

namespace ns3::nfsrdma
{

/**
 * \brief The traffic of a latency test: one message at a time.
 *
 * Sends and Writes go there and back; the receiver of a Write polls its last octet in memory. A
 * Read follows when the one before has completed, and the server does nothing.
 */
class PingPong : public Traffic
{
  public:
    /// \param client which begins
    PingPong(DataPath& path, TestVerb verb, bool client);
    ~PingPong() override;

    void Prepare(uint32_t size, uint64_t iterations) override;
    void Run(DoneCallback done) override;

    /// \return times from one post to the next; of the client only.
    [[nodiscard]] const std::vector<Time>& GetIntervals() const;

  protected:
    void Sent(const WorkCompletion& completion) override;
    void Received(const WorkCompletion& completion) override;

  private:
    void WriteArrived();
    void Step();
    void PostNext();

    bool m_client;
    uint32_t m_size{0};
    uint64_t m_iterations{0};
    uint64_t m_posted{0};
    uint64_t m_completed{0};
    uint64_t m_arrived{0};
    uint32_t m_watch{0}; ///< Handle; 0: none.
    Time m_latestPost;
    std::vector<Time> m_intervals;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_EXAMPLES_PING_PONG_H
