/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_EXAMPLES_TEST_SIDE_H
#define NFSRDMA_EXAMPLES_TEST_SIDE_H

#include "perftest/control-channel.h"
#include "perftest/options.h"
#include "perftest/ping-pong.h"
#include "perftest/stage-table.h"
#include "perftest/stream-traffic.h"

#include <deque>
#include <functional>
#include <memory>

namespace ns3::nfsrdma
{

/**
 * \brief One of the two programs of a test, server or client, as perftest's with "-R" go about it:
 *
 *     control connection - versions, sizes, MTU, destination - data connections -
 *     destinations - for each size: synchronise, measure - synchronise - disconnect
 *
 * The messages of the control connection are as many and as long as those of perftest 4.5.
 */
class TestSide
{
  public:
    static constexpr uint16_t PORT = 18515; ///< As perftest.

    /// Throws std::runtime_error when the device refuses the sizes. The arguments outlive the
    /// object.
    TestSide(const Testbed& testbed,
             Testbed::Host host,
             const TestProgram& program,
             const TestOptions& options);
    ~TestSide();
    TestSide(const TestSide&) = delete;
    TestSide& operator=(const TestSide&) = delete;

    /// Server: listens. Client: connects.
    void Start();

    /// Called when a run is over on this side, with the size, messages of all queue pairs, and what
    /// moved them.
    using RunCallback = std::function<void(uint32_t size, uint64_t messages, const Traffic&)>;
    void SetRunCallback(RunCallback callback);
    /// Called when both sides know their destinations, before the first run.
    void SetReadyCallback(std::function<void()> callback);
    /// Called with one line when the test cannot go on.
    void SetFailedCallback(Traffic::FailedCallback callback);

    [[nodiscard]] bool IsFinished() const;
    /// Has \p table watch the queue pairs of the data connections; before Start().
    void WatchStages(StageTable& table) const;
    /// \return what this side tells of queue pair \p pair.
    [[nodiscard]] DataPathDestination GetDestination(uint32_t pair) const;
    /// \return octets that go inline.
    [[nodiscard]] uint32_t GetInlineSize() const;

  private:
    using Step = std::function<void()>;

    [[nodiscard]] bool IsClient() const;
    [[nodiscard]] DataPathSizes MakeSizes() const;
    [[nodiscard]] std::unique_ptr<Traffic> MakeTraffic();
    void Plan();
    void PlanRun(uint32_t size);
    void Next();
    void Exchange(std::size_t octets);
    void ExchangeDestination(uint32_t pair);
    void ConnectData();
    void RunOne(uint32_t size, uint64_t iterations);
    void HandleListener(Ptr<CmId> id, const CmEvent& event);
    void HandleData(Ptr<CmId> id, const CmEvent& event);
    void DataConnected();
    void Close();
    void Fail(const std::string& what);

    const Testbed& m_testbed;
    Testbed::Host m_host;
    const TestProgram& m_program;
    const TestOptions& m_options;
    ControlChannel m_control;
    DataPath m_path;
    std::unique_ptr<Traffic> m_traffic;
    Ptr<CmId> m_listener;
    bool m_controlTaken{false};   ///< Server: the first connection has come.
    std::vector<Ptr<CmId>> m_ids; ///< Of the data connections.
    uint32_t m_connected{0};
    bool m_awaitsData{false};
    std::deque<Step> m_steps;
    bool m_finished{false};
    bool m_failed{false};
    RunCallback m_runCallback;
    std::function<void()> m_readyCallback;
    Traffic::FailedCallback m_failedCallback;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_EXAMPLES_TEST_SIDE_H
