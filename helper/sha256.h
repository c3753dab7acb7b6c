/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_SHA256_H
#define NFSRDMA_HELPER_SHA256_H

#include "wire/bytes.h"

#include <cstdint>
#include <memory>
#include <string>

struct evp_md_ctx_st;

namespace ns3::nfsrdma
{

/// SHA-256 (FIPS 180-4) over octets that come piece by piece.
class Sha256
{
  public:
    Sha256();

    void Update(ByteSpan octets);
    /// Adds a number as eight octets, most significant first.
    void Update(uint64_t value);
    /// \return 64 hexadecimal digits; nothing may be added afterwards.
    std::string Finish();

  private:
    struct ContextDeleter
    {
        void operator()(evp_md_ctx_st* context) const;
    };

    std::unique_ptr<evp_md_ctx_st, ContextDeleter> m_context;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_SHA256_H
