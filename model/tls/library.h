/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TLS_LIBRARY_H
#define NFSRDMA_TLS_LIBRARY_H

#include "tls/random-octets.h"

struct ossl_lib_ctx_st;

namespace ns3::nfsrdma
{

/**
 * \brief OpenSSL as TLS uses it here: a library context of its own, whose random numbers are those
 * of a RandomOctets.
 *
 * OpenSSL asks a provider for its random numbers; the one of this context has none of its own, and
 * hands out the octets of the innermost Drawing. Without a Drawing it fails, so nothing that is
 * random for OpenSSL can reach a run by another way. Other users of OpenSSL in the process keep
 * what they have.
 */
class TlsLibrary
{
  public:
    /// \return the context; made when first asked for, never freed. For one thread.
    [[nodiscard]] static ossl_lib_ctx_st* Get();

    /// As long as it lives, OpenSSL draws from these octets.
    class Drawing
    {
      public:
        explicit Drawing(RandomOctets& octets);
        ~Drawing();
        Drawing(const Drawing&) = delete;
        Drawing& operator=(const Drawing&) = delete;

      private:
        RandomOctets* m_before;
    };
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TLS_LIBRARY_H
