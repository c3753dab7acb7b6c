/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/progress-meter.h"

#include <algorithm>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <unistd.h>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::chrono::milliseconds REWRITTEN_EVERY{500};
constexpr uint64_t CLOCK_EVERY = 64;

/// \return the octets of memory that the process has now; 0 when the system does not tell.
uint64_t
ReadMemory()
{
    std::ifstream file("/proc/self/statm");
    uint64_t all = 0;
    uint64_t resident = 0;
    file >> all >> resident;
    return file ? resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

} // namespace

ProgressMeter::ProgressMeter(std::string unit, uint64_t total, std::chrono::milliseconds interval)
    : m_unit(std::move(unit)),
      m_total(total),
      m_isLog(interval > std::chrono::milliseconds::zero()),
      m_enabled(m_isLog || isatty(STDERR_FILENO) != 0),
      m_start(Clock::now()),
      m_interval(m_isLog ? interval : REWRITTEN_EVERY),
      m_next(m_start + m_interval)
{
}

ProgressMeter::~ProgressMeter()
{
    Finish();
}

void
ProgressMeter::Update(uint64_t done)
{
    if (const auto now = Clock::now(); m_enabled && now >= m_next)
    {
        Print(done, nullptr, now);
    }
}

bool
ProgressMeter::IsDue()
{
    return m_enabled && ++m_skipped % CLOCK_EVERY == 0 && Clock::now() >= m_next;
}

void
ProgressMeter::Show(uint64_t done, Time simulated, uint64_t events)
{
    const Simulation simulation{simulated, events};
    Print(done, &simulation, Clock::now());
}

void
ProgressMeter::Print(uint64_t done, const Simulation* simulation, Clock::time_point now)
{
    const double elapsed = std::chrono::duration<double>(now - m_start).count();
    const double rate = static_cast<double>(done) / elapsed;
    std::ostringstream line;
    line << std::fixed << std::setprecision(3) << (m_isLog ? "" : "\r\033[K");
    if (simulation != nullptr)
    {
        line << "simulated " << simulation->now.GetSeconds() << " s  ";
    }
    line << m_unit << " " << done;
    if (m_total != 0)
    {
        line << "/" << m_total;
    }
    line << std::setprecision(rate < 10 ? 1 : 0) << "  " << rate << "/s";
    if (simulation != nullptr)
    {
        line << std::setprecision(2) << "  "
             << static_cast<double>(simulation->events) / elapsed / 1e6 << " M events/s  "
             << ReadMemory() / 1'000'000 << " MB";
    }
    if (m_total != 0 && done != 0)
    {
        line << std::setprecision(0) << "  ETA "
             << static_cast<double>(m_total - std::min(done, m_total)) / rate << " s";
    }
    std::cerr << line.str() << (m_isLog ? "\n" : "") << std::flush;
    m_shown = !m_isLog;
    m_next = now + m_interval;
}

void
ProgressMeter::Finish()
{
    if (m_shown)
    {
        std::cerr << "\r\033[K" << std::flush;
        m_shown = false;
    }
}

} // namespace ns3::nfsrdma
