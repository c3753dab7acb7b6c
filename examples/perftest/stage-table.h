/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_EXAMPLES_STAGE_TABLE_H
#define NFSRDMA_EXAMPLES_STAGE_TABLE_H

#include "rnic/queue/qp.h"

#include <ostream>
#include <string>

namespace ns3::nfsrdma
{

/**
 * \brief Writes, for each work request of the queue pairs it watches, the nanoseconds in each
 * stage:
 *
 *     side,queue_pair,id,kind,status,posted_ns,post,doorbell,...,notify,total
 *
 * The stages of a row add up to its total. Rows come in the order in which the work was over.
 */
class StageTable
{
  public:
    /// Writes the head. \p out outlives the simulation.
    explicit StageTable(std::ostream& out);

    /// Watches \p pair, of which nothing has been posted yet, as one of \p side.
    void Watch(const std::string& side, Ptr<QueuePair> pair);

  private:
    std::ostream& m_out;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_EXAMPLES_STAGE_TABLE_H
