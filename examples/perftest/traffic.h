/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_EXAMPLES_TRAFFIC_H
#define NFSRDMA_EXAMPLES_TRAFFIC_H

#include "perftest/data-path.h"

#include <functional>
#include <string>

namespace ns3::nfsrdma
{

/// What a test moves its data with.
enum class TestVerb
{
    SEND,
    WRITE,
    READ
};

/**
 * \brief What one side does in one run of a test: so many messages of one size.
 *
 *     Prepare(), both sides agree, Run() --> done
 */
class Traffic
{
  public:
    using DoneCallback = std::function<void()>;
    using FailedCallback = std::function<void(const std::string&)>;

    /// \param path outlives this object
    Traffic(DataPath& path, TestVerb verb);
    virtual ~Traffic() = default;
    Traffic(const Traffic&) = delete;
    Traffic& operator=(const Traffic&) = delete;

    /// Called with one line when a work request fails; nothing further happens.
    void SetFailedCallback(FailedCallback failed);
    /// Makes ready for \p iterations messages of \p size octets a queue pair: posts the receives.
    virtual void Prepare(uint32_t size, uint64_t iterations) = 0;
    /// Does it; \p done when this side has done and seen all of its part.
    virtual void Run(DoneCallback done) = 0;

    void HandleSent(const WorkCompletion& completion);
    void HandleReceived(const WorkCompletion& completion);

  protected:
    virtual void Sent(const WorkCompletion& completion) = 0;
    virtual void Received(const WorkCompletion& completion) = 0;

    /// \return a work request of this test's verb that moves \p size octets on \p pair.
    [[nodiscard]] SendWorkRequest MakeRequest(uint32_t pair, uint32_t size);
    bool Post(uint32_t pair, const std::vector<SendWorkRequest>& chain);
    /// Posts a receive for a message of up to \p size octets on \p pair.
    void PostReceive(uint32_t pair, uint32_t size);
    void Finish();
    void Fail(const std::string& what);

    DataPath& m_path;
    TestVerb m_verb;
    DoneCallback m_done;

  private:
    [[nodiscard]] bool Check(const WorkCompletion& completion, const char* queue);

    FailedCallback m_failed;
    bool m_hasFailed{false};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_EXAMPLES_TRAFFIC_H
