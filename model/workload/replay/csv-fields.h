/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_REPLAY_CSV_FIELDS_H
#define NFSRDMA_WORKLOAD_REPLAY_CSV_FIELDS_H

#include "workload/replay/csv-table.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::nfsrdma
{

/// \return \p text as an unsigned number to \p base, all of it, not above \p limit.
[[nodiscard]] std::optional<uint64_t> ParseUnsigned(
    std::string_view text,
    uint64_t limit = std::numeric_limits<uint64_t>::max(),
    int base = 10);

/// \return \p text, seconds with at most nine decimals, in nanoseconds.
[[nodiscard]] std::optional<int64_t> ParseSeconds(std::string_view text);

/// \return the parts of \p text between \p separator; none of an empty text.
[[nodiscard]] std::vector<std::string_view> Split(std::string_view text, char separator);

/**
 * \brief The fields of one CSV record, read by column. The first error is kept and ends the
 * reading: what is read after it is empty.
 */
class CsvFields
{
  public:
    /// \p columns are those the record's fields stand in the order of.
    CsvFields(const std::string& file,
              const std::vector<std::string>& columns,
              const CsvRecord& record);

    [[nodiscard]] const std::string& Text(std::size_t column) const
    {
        return m_record.fields[column];
    }

    [[nodiscard]] bool IsEmpty(std::size_t column) const
    {
        return Text(column).empty();
    }

    /// Text that must be there; \p expected says what.
    std::string Required(std::size_t column, const std::string& expected);
    /// An unsigned number not above \p limit; empty when the field is.
    std::optional<uint64_t> Number(std::size_t column,
                                   uint64_t limit = std::numeric_limits<uint64_t>::max());
    std::optional<uint32_t> Number32(std::size_t column);
    /// An unsigned number that must be there.
    uint64_t RequiredNumber(std::size_t column,
                            uint64_t limit = std::numeric_limits<uint64_t>::max());
    /// An octal number not above 07777.
    std::optional<uint32_t> Mode(std::size_t column);

    /// Keeps an error about \p column, unless there is one already.
    void Fail(std::size_t column, const std::string& expected);

    [[nodiscard]] bool Ok() const
    {
        return !m_error;
    }

    [[nodiscard]] const InputError& GetError() const
    {
        return *m_error;
    }

  private:
    const std::string& m_file;
    const std::vector<std::string>& m_columns;
    const CsvRecord& m_record;
    std::optional<InputError> m_error;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_REPLAY_CSV_FIELDS_H
