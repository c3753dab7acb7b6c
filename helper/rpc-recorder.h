/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_RPC_RECORDER_H
#define NFSRDMA_HELPER_RPC_RECORDER_H

#include "helper/form-costs.h"
#include "rpc/record.h"
#include "rpc/service-times.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// An RPC as rpc.csv shows it.
struct RpcRow
{
    uint32_t client{0};
    uint32_t server{0};
    std::string workload; ///< Of the client: the name of its section, or its kind.
    std::string phase;    ///< Of the measurement, in which it was submitted.
    const RpcRecord& record;
    const RpcServiceTimes* service{nullptr}; ///< Null: its server has not told.
    const FormCosts* costs{nullptr};         ///< Null: it did not go over RDMA.
};

/// A column of rpc.csv.
struct RpcColumn
{
    const char* name; ///< With its unit, if it has one.
    const char* what;
    /// Appends the cell of \p row to \p text; nothing where there is nothing to tell.
    void (*append)(std::string& text, const RpcRow& row);
};

/// \return all columns of rpc.csv, in order: the one place that says what they are.
[[nodiscard]] const std::vector<RpcColumn>& GetRpcColumns();

/**
 * \brief Writes RPC records as CSV (RFC 4180 without quotes): a header row, then a row per RPC, of
 * GetRpcColumns().
 *
 * Times are whole nanoseconds of simulated time, xid is 0x and eight hexadecimal digits, status is
 * the program's number. A time of a step that the RPC has not passed is empty.
 */
class RpcRecorder
{
  public:
    /// Writes the header row to \p stream, which must outlive the recorder.
    explicit RpcRecorder(std::ostream& stream);
    ~RpcRecorder();
    RpcRecorder(const RpcRecorder&) = delete;
    RpcRecorder& operator=(const RpcRecorder&) = delete;

    void Add(const RpcRow& row);
    /// Hands everything to the stream.
    void Flush();

  private:
    std::ostream& m_stream;
    std::string m_buffer;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_RPC_RECORDER_H
