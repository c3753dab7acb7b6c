/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_REPLAY_MISMATCH_REPORT_H
#define NFSRDMA_WORKLOAD_REPLAY_MISMATCH_REPORT_H

#include "nfs/v3/types3.h"
#include "rpc/record.h"
#include "workload/replay/trace.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// A reply that is not as recorded.
struct ReplayMismatch
{
    uint32_t line{0}; ///< Of the trace file.
    std::string operation;
    std::string what; ///< As in "status NFS3ERR_NOENT, recorded NFS3_OK".
};

/**
 * \brief Replies compared with those of the recording: status, octets and eof of READ, octets of
 * WRITE, entries and eof of READDIR and READDIRPLUS.
 */
class ReplayReport
{
  public:
    static constexpr std::size_t MAX_DESCRIBED = 50;

    /// Compares outcome and status. \return true when both here and in the recording it is NFS3_OK,
    /// so that results can be compared.
    bool CompareStatus(const TraceRow& row, const RpcRecord& record, Nfs3Status status);
    void CompareCount(const TraceRow& row, uint32_t count);
    void CompareEof(const TraceRow& row, bool eof);
    void CompareAcl(const TraceRow& row,
                    const std::string& which,
                    const std::optional<PosixAcl>& recorded,
                    const NfsAcl& got);
    void CompareEntries(const TraceRow& row, std::size_t entries);
    void Add(const TraceRow& row, const std::string& what);

    /// A row of NFSv4 has been compared otherwise.
    void CountCompared()
    {
        ++m_compared;
    }

    /// \return rows whose status was recorded and compared.
    [[nodiscard]] uint64_t GetCompared() const
    {
        return m_compared;
    }

    /// \return differences found, each field for itself.
    [[nodiscard]] uint64_t GetMismatches() const
    {
        return m_mismatches;
    }

    /// \return the same, by name of the operation.
    [[nodiscard]] const std::map<std::string, uint64_t>& GetMismatchesByName() const
    {
        return m_byName;
    }

    /// \return the first MAX_DESCRIBED of them.
    [[nodiscard]] const std::vector<ReplayMismatch>& GetDescribed() const
    {
        return m_described;
    }

  private:
    uint64_t m_compared{0};
    uint64_t m_mismatches{0};
    std::map<std::string, uint64_t> m_byName;
    std::vector<ReplayMismatch> m_described;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_REPLAY_MISMATCH_REPORT_H
