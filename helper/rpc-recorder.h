/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_RPC_RECORDER_H
#define NFSRDMA_HELPER_RPC_RECORDER_H

#include "rpc/record.h"

#include <cstdint>
#include <ostream>
#include <string>

namespace ns3::nfsrdma
{

/**
 * \brief Writes RPC records as CSV (RFC 4180 without quotes): a header row, then a row per RPC.
 *
 * Times are whole nanoseconds of simulated time, xid is 0x and eight hexadecimal digits, status is
 * the program's number.
 */
class RpcRecorder
{
  public:
    /// Writes the header row to \p stream, which must outlive the recorder.
    explicit RpcRecorder(std::ostream& stream);
    ~RpcRecorder();
    RpcRecorder(const RpcRecorder&) = delete;
    RpcRecorder& operator=(const RpcRecorder&) = delete;

    void Add(uint32_t client, uint32_t server, const RpcRecord& record);
    /// Hands everything to the stream.
    void Flush();

  private:
    std::ostream& m_stream;
    std::string m_buffer;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_RPC_RECORDER_H
