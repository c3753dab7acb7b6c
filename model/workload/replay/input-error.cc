/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/replay/input-error.h"

#include "workload/replay/one-line.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

namespace ns3::nfsrdma
{

std::string
InputError::Describe() const
{
    std::string text = file;
    if (line != 0)
    {
        text += ":" + std::to_string(line);
    }
    text += ": ";
    if (!column.empty())
    {
        text += "column '" + column + "': ";
    }
    text += "expected " + expected + ", found ";
    text += found.empty() ? "nothing" : "'" + found + "'";
    return OnOneLine(std::move(text));
}

Parsed<std::string>
ReadInputFile(const std::string& path)
{
    errno = 0;
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream content;
    if (stream && stream.peek() != std::ifstream::traits_type::eof())
    {
        content << stream.rdbuf();
    }
    if (!stream.is_open() || stream.bad() || (content.str().empty() && errno != 0))
    {
        const char* reason = errno != 0 ? std::strerror(errno) : "not readable";
        return tl::unexpected(InputError{path, 0, "", "a readable file", reason});
    }
    return std::move(content).str();
}

} // namespace ns3::nfsrdma
