/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_PARAMETER_NAME_H
#define NFSRDMA_TEST_PARAMETER_NAME_H

#include <algorithm>
#include <string>

namespace ns3::nfsrdma::test
{

/// \return the name of a file, \p name, as a case of a parameterised test may be called.
inline std::string
ToParameterName(std::string name)
{
    std::replace_if(
        name.begin(),
        name.end(),
        [](char c) { return c == '-' || c == '.'; },
        '_');
    return name;
}

} // namespace ns3::nfsrdma::test

#endif // NFSRDMA_TEST_PARAMETER_NAME_H
