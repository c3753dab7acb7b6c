/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_FAULT_MATRIX_MATRIX_CASES_H
#define NFSRDMA_TEST_FAULT_MATRIX_MATRIX_CASES_H

#include <string>
#include <vector>

namespace ns3::nfsrdma::test
{

/// A message type on its way from one side, under one version of NFS: a row of the matrix.
struct MatrixMessage
{
    std::string event;       ///< As a fault plan names it: "nfs READ call".
    std::string version;     ///< "3" or "4.1".
    std::string sender;      ///< "client" or "server".
    std::string workload;    ///< A scenario without faults in which it occurs.
    std::string provocation; ///< A fault that makes it occur; empty: it occurs without.
    std::string never;       ///< Why it cannot occur; empty: it does.
};

/// A kind of fault, with the host it hits: a column of the matrix.
struct MatrixFault
{
    std::string name;        ///< For test messages: "crash of server".
    std::string what;        ///< As a fault plan says it.
    bool changesFpdu{false}; ///< Needs an FPDU, or a startup frame, to change.
    bool undetected{false};  ///< Nobody below RPC can find it: content may differ, calls may fail.
};

/// \return every message type from either side under either version, those that never occur too.
std::vector<MatrixMessage> GetMatrixMessages();
/// \return every fault of frames, links and hosts; of links and hosts, at either side.
std::vector<MatrixFault> GetMatrixFaults();

/// \return why a plan with \p fault of \p message is refused; empty: it is not.
std::string WhyRefused(const MatrixMessage& message, const MatrixFault& fault);

/// \return whether an operation may fail, with a status.
bool MayFail(const MatrixFault& fault);

/// \return "v41_server_nfs_READ_reply".
std::string GetName(const MatrixMessage& message);

} // namespace ns3::nfsrdma::test

#endif // NFSRDMA_TEST_FAULT_MATRIX_MATRIX_CASES_H
