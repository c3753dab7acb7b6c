/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_RUN_CHECKPOINT_H
#define NFSRDMA_SCENARIOS_SIMULATOR_RUN_CHECKPOINT_H

#include "scenarios/simulator/report/output-directory.h"

#include "ns3/nstime.h"

namespace ns3::nfsrdma
{

/**
 * \brief Has a run write partial results from time to time, by a copy of the process (fork()) that
 * ends its simulation there:
 *
 *     run   --------+------------------+------------> results
 *                   | fork             | fork
 *     copies        +--> partial       +--> partial
 *
 * The run itself sees none of it, so that its results are the same with and without, and waits for
 * the copy. A copy writes to files of its own from then on, and ends without a word with the run
 * that made it. The first copy that cannot write its results says so; the others fail in silence.
 */
class Checkpoint
{
  public:
    /// \param interval simulated time between partial results, more than 0
    /// \param directory of the run; outlives this
    Checkpoint(Time interval, OutputDirectory& directory);

    /// \return whether partial results are due at \p now.
    [[nodiscard]] bool IsDue(Time now) const
    {
        return now >= m_next;
    }

    /// Makes a copy at \p now. \return true in the copy, whose files are partial results from now
    /// on; false in the run, once the copy has ended
    [[nodiscard]] bool Fork(Time now);

  private:
    Time m_interval;
    OutputDirectory& m_directory;
    Time m_next;
    bool m_hasFailed{false}; ///< That was said.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_RUN_CHECKPOINT_H
