/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_TOE_SCRIPT_RUNNER_H
#define NFSRDMA_TEST_TOE_SCRIPT_RUNNER_H

#include "toe/machine.h"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Runs one TcpMachine by a script, as packetdrill does a kernel.
 *
 * A line is a time and an event; # begins a comment. Times are seconds: absolute, after the event
 * before (+0.01), or * for whenever the segment comes that the event expects.
 *
 *     set NAME=VALUE ...         settings, before the first event and without a time
 *     include FILE               another script, here
 *     TIME < SEGMENT             comes from the network
 *     TIME > SEGMENT             must have left, at that time, as the next
 *     TIME connect | listen | send N | consume N | shutdown | close | abort | pathmss N
 *     TIME refuse | take         from now on Offer() refuses what it is offered, or no more
 *     TIME state NAME            the state of RFC 9293
 *     TIME delivered N | released N | kept N     octets so far
 *     TIME established | eos | ended HOW         has been told, once; ended: TcpEnd in lower case
 *     TIME cwnd N | counter NAME N
 *     TIME nothing               nothing has left that was not expected, up to that time
 *
 * A segment is [ce] or [ect0], its flags of SFRP.EW, begin:end(octets), ack N, win N, and options
 * in
 * <>: mss N, wscale N, sackOK, ts VALUE:ECHO, sack A:B C:D. Sequence numbers count from the SYN;
 * "zero" is the number 0 itself, without octets. Of
 * what is expected only the fields that are given count, except that SACK ranges and ECN must be
 * there if and only if they are given; PSH counts never.
 *
 * A segment that leaves and is not expected ends the script. The initial sequence numbers are such
 * that those of both sides wrap soon.
 */
class ScriptRunner : public TcpMachineActions
{
  public:
    explicit ScriptRunner(std::filesystem::path file);

    /// \return what is wrong, with file and line; empty when nothing is.
    std::string Run();

  private:
    struct Line
    {
        std::string place;
        std::vector<std::string> words;
    };

    struct Sent
    {
        OutgoingTcpSegment segment;
        Time at;
    };

    /// A segment as a script has it.
    struct Pattern
    {
        TcpWireHeader header;
        uint32_t length{0};
        bool marked{false};
        bool capable{false};
        bool hasAcknowledgment{false};
        bool hasWindow{false};
        bool hasOptions{false};
    };

    void Transmit(const OutgoingTcpSegment& segment) override;
    bool Offer(uint64_t offset, uint32_t from, uint32_t length) override;
    void Keep(uint64_t offset, uint32_t from, uint32_t length) override;
    void Deliver(uint64_t end) override;
    void Release(uint64_t end) override;
    void Establish() override;
    void EndOfStream() override;
    void End(TcpEnd end) override;

    void Read(const std::filesystem::path& file);
    void Execute(const Line& line);
    void Set(const std::string& assignment);
    void MakeMachine();
    void AdvanceTo(Time time);
    void AdvanceUntilSent();
    void Expect(const Pattern& pattern, std::optional<Time> at);
    void ExpectNothing();
    void Check(bool holds, const std::string& expected, const std::string& got) const;
    [[nodiscard]] bool Call(const std::vector<std::string>& words);
    [[nodiscard]] bool Assert(const std::vector<std::string>& words);
    [[nodiscard]] Pattern Parse(const std::vector<std::string>& words, bool incoming) const;
    void ParseOptions(const std::string& text, bool incoming, TcpOptions& options) const;
    [[nodiscard]] std::string Print(const Sent& sent) const;
    [[nodiscard]] uint64_t GetCounter(const std::string& name) const;

    static constexpr uint32_t OWN_INITIAL = 0xfffff000U;
    static constexpr uint32_t PEER_INITIAL = 0xfffffa00U;

    std::filesystem::path m_file;
    std::deque<Line> m_lines;
    TcpEngineSettings m_settings;
    TcpEngineCounters m_counters;
    std::unique_ptr<TcpMachine> m_machine;
    Time m_now;
    std::deque<Sent> m_sent;
    uint64_t m_delivered{0};
    uint64_t m_released{0};
    uint64_t m_kept{0};
    uint32_t m_established{0};
    uint32_t m_ends{0};
    std::optional<TcpEnd> m_end;
    bool m_refuses{false};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_TOE_SCRIPT_RUNNER_H
