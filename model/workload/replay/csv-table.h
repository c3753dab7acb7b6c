/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_REPLAY_CSV_TABLE_H
#define NFSRDMA_WORKLOAD_REPLAY_CSV_TABLE_H

#include "workload/replay/input-error.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::nfsrdma
{

/// One record of a CSV file.
struct CsvRecord
{
    uint32_t line{0}; ///< The line on which it begins, counted from 1.
    std::vector<std::string> fields;
};

/// A line "# word key=value ..." of a CSV file.
struct CsvComment
{
    uint32_t line{0};
    std::string text; ///< What follows the "#", without blanks at both ends.
};

/**
 * \brief A CSV file with a header record (RFC 4180, lines ending with LF or CRLF) and comment lines
 * beginning with "#".
 *
 * The columns may stand in any order; records have the fields in the order of the columns asked
 * for.
 */
struct CsvTable
{
    std::vector<CsvComment> comments;
    std::vector<CsvRecord> records;

    /**
     * \param file name for error messages
     * \param content the file
     * \param columns the columns the header must name, no more and no fewer
     */
    [[nodiscard]] static Parsed<CsvTable> Parse(const std::string& file,
                                                std::string_view content,
                                                const std::vector<std::string>& columns);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_REPLAY_CSV_TABLE_H
