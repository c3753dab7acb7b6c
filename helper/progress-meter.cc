/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/progress-meter.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <unistd.h>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::chrono::milliseconds INTERVAL{500};
constexpr uint64_t CLOCK_EVERY = 64;

} // namespace

ProgressMeter::ProgressMeter(std::string unit, uint64_t total)
    : m_unit(std::move(unit)),
      m_total(total),
      m_enabled(isatty(STDERR_FILENO) != 0),
      m_start(Clock::now()),
      m_next(m_start + INTERVAL)
{
}

ProgressMeter::~ProgressMeter()
{
    Finish();
}

void
ProgressMeter::Update(uint64_t done, Time simulated)
{
    if (!m_enabled || (simulated.IsStrictlyPositive() && ++m_skipped % CLOCK_EVERY != 0))
    {
        return;
    }
    const auto now = Clock::now();
    if (now >= m_next)
    {
        Show(done, simulated, now);
        m_next = now + INTERVAL;
    }
}

void
ProgressMeter::Show(uint64_t done, Time simulated, Clock::time_point now)
{
    const double elapsed = std::chrono::duration<double>(now - m_start).count();
    const double rate = static_cast<double>(done) / elapsed;
    std::ostringstream line;
    line << std::fixed << std::setprecision(3) << "\r\033[K";
    if (simulated.IsStrictlyPositive())
    {
        line << "simulated " << simulated.GetSeconds() << " s  ";
    }
    line << m_unit << " " << done;
    if (m_total != 0)
    {
        line << "/" << m_total;
    }
    line << std::setprecision(rate < 10 ? 1 : 0) << "  " << rate << "/s";
    if (m_total != 0 && done != 0)
    {
        line << "  ETA " << static_cast<double>(m_total - std::min(done, m_total)) / rate << " s";
    }
    std::cerr << line.str() << std::flush;
    m_shown = true;
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
