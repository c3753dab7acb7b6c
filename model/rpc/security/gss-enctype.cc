/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/security/gss-enctype.h"

#include <algorithm>
#include <array>

namespace ns3::nfsrdma
{

namespace
{

struct EnctypeRow
{
    GssEnctype enctype;
    const char* name;
    uint32_t checksumSize;
};

constexpr std::array<EnctypeRow, 3> ENCTYPES{{
    {GssEnctype::AES256_CTS_HMAC_SHA1_96, "aes256-cts-hmac-sha1-96", 12},
    {GssEnctype::AES128_CTS_HMAC_SHA256_128, "aes128-cts-hmac-sha256-128", 16},
    {GssEnctype::AES256_CTS_HMAC_SHA384_192, "aes256-cts-hmac-sha384-192", 24},
}};

const EnctypeRow&
GetRow(GssEnctype enctype)
{
    return *std::find_if(ENCTYPES.begin(), ENCTYPES.end(), [enctype](const EnctypeRow& row) {
        return row.enctype == enctype;
    });
}

} // namespace

const char*
ToString(GssEnctype enctype)
{
    return GetRow(enctype).name;
}

std::optional<GssEnctype>
FindGssEnctype(const std::string& name)
{
    for (const EnctypeRow& row : ENCTYPES)
    {
        if (name == row.name)
        {
            return row.enctype;
        }
    }
    return std::nullopt;
}

std::optional<GssEnctype>
FindGssEnctype(uint32_t number)
{
    for (const EnctypeRow& row : ENCTYPES)
    {
        if (number == static_cast<uint32_t>(row.enctype))
        {
            return row.enctype;
        }
    }
    return std::nullopt;
}

std::vector<std::string>
GetGssEnctypeNames()
{
    std::vector<std::string> names;
    names.reserve(ENCTYPES.size());
    for (const EnctypeRow& row : ENCTYPES)
    {
        names.emplace_back(row.name);
    }
    return names;
}

uint32_t
GetGssChecksumSize(GssEnctype enctype)
{
    return GetRow(enctype).checksumSize;
}

} // namespace ns3::nfsrdma
