/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_REPLAY_INPUT_ERROR_H
#define NFSRDMA_WORKLOAD_REPLAY_INPUT_ERROR_H

#include <cstdint>
#include <string>
#include <tl/expected.hpp>

namespace ns3::nfsrdma
{

/// What is wrong with a file that the user gave, and where.
struct InputError
{
    std::string file;
    uint32_t line{0};     ///< Counted from 1; 0 when it is about the whole file.
    std::string column;   ///< Name of the CSV column; empty when it is about the whole line.
    std::string expected; ///< As in "expected an unsigned number".
    std::string found;    ///< What is there instead; "nothing" when that is empty.

    /// \return one line: "FILE:LINE: column 'COLUMN': expected EXPECTED, found 'FOUND'".
    [[nodiscard]] std::string Describe() const;
};

/// A parsed value, or the first error of the file.
template <typename T>
using Parsed = tl::expected<T, InputError>;

/// \return the whole content of \p path.
[[nodiscard]] Parsed<std::string> ReadInputFile(const std::string& path);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_REPLAY_INPUT_ERROR_H
