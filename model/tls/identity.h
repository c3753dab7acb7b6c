/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TLS_IDENTITY_H
#define NFSRDMA_TLS_IDENTITY_H

#include <cstdint>
#include <ctime>
#include <memory>
#include <string>

struct evp_pkey_st;
struct x509_st;

namespace ns3::nfsrdma
{

/**
 * \brief A private key (Ed25519, whose signatures need no random number) and its certificate
 * (X.509 version 3).
 *
 * Keys and serial numbers follow from a seed and the name, the dates are fixed. All hosts of a run
 * know its authority, which every host could make anew; its key is used to sign certificates when
 * hosts are made, and by nobody on the wire.
 */
class TlsIdentity
{
  public:
    /// What is wrong with the certificate of a host.
    enum class Flaw
    {
        NONE,
        EXPIRED,    ///< Its last day is before VERIFIED_AT.
        OTHER_NAME, ///< Of another host.
        UNKNOWN     ///< Signed by an authority that nobody knows.
    };

    /// 2026-01-01, 00:00 UTC: certificates are looked at as of then, whatever the date.
    static constexpr std::time_t VERIFIED_AT = 1767225600;

    /// \return the authority of the run with \p seed.
    [[nodiscard]] static TlsIdentity MakeAuthority(uint64_t seed);
    /// \param name of the host: the dNSName of the certificate, and its common name
    [[nodiscard]] static TlsIdentity MakeHost(uint64_t seed,
                                              const std::string& name,
                                              Flaw flaw = Flaw::NONE);

    [[nodiscard]] evp_pkey_st* GetKey() const
    {
        return m_key.get();
    }

    [[nodiscard]] x509_st* GetCertificate() const
    {
        return m_certificate.get();
    }

  private:
    struct Free
    {
        void operator()(evp_pkey_st* key) const;
        void operator()(x509_st* certificate) const;
    };

    struct Description;

    static TlsIdentity Make(const Description& description, const TlsIdentity* authority);

    std::unique_ptr<evp_pkey_st, Free> m_key;
    std::unique_ptr<x509_st, Free> m_certificate;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TLS_IDENTITY_H
