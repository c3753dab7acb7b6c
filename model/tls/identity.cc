/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "tls/identity.h"

#include "tls/library.h"
#include "tls/random-octets.h"

#include "ns3/abort.h"

#include <openssl/evp.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

namespace ns3::nfsrdma
{

struct TlsIdentity::Description
{
    uint64_t seed;
    std::string keyName; ///< That the key follows from.
    std::string name;    ///< In the certificate.
    const char* last;    ///< Its last day, as ASN1_TIME_set_string() reads it.
};

void
TlsIdentity::Free::operator()(evp_pkey_st* key) const
{
    EVP_PKEY_free(key);
}

void
TlsIdentity::Free::operator()(x509_st* certificate) const
{
    X509_free(certificate);
}

namespace
{

constexpr const char* LAST_DAY = "20491231235959Z";
constexpr const char* LAST_YEAR = "20251231235959Z";

bool
SetName(X509_NAME* entry, const std::string& name)
{
    const auto* const octets = reinterpret_cast<const unsigned char*>(name.c_str());
    return X509_NAME_add_entry_by_txt(entry, "CN", MBSTRING_UTF8, octets, -1, -1, 0) == 1;
}

bool
AddExtension(X509* certificate, X509* issuer, int kind, const std::string& value)
{
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
    X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
    const bool isAdded = extension != nullptr && X509_add_ext(certificate, extension, -1) == 1;
    X509_EXTENSION_free(extension);
    return isAdded;
}

} // namespace

TlsIdentity
TlsIdentity::Make(const Description& description, const TlsIdentity* authority)
{
    constexpr std::size_t KEY_SIZE = 32;
    RandomOctets octets("certificate " + std::to_string(description.seed) + " " +
                        description.keyName);
    const TlsLibrary::Drawing drawing(octets);
    const ByteVector secret = octets.Draw(KEY_SIZE);
    TlsIdentity made;
    made.m_key.reset(EVP_PKEY_new_raw_private_key_ex(TlsLibrary::Get(),
                                                     "ED25519",
                                                     nullptr,
                                                     secret.data(),
                                                     secret.size()));
    made.m_certificate.reset(X509_new_ex(TlsLibrary::Get(), nullptr));
    X509* const certificate = made.m_certificate.get();
    NS_ABORT_MSG_UNLESS(made.m_key && certificate != nullptr, "OpenSSL has no Ed25519");
    X509* const issuer = authority != nullptr ? authority->GetCertificate() : certificate;
    EVP_PKEY* const signer = authority != nullptr ? authority->GetKey() : made.GetKey();
    constexpr uint64_t SERIAL_MASK = 0x7fffffffffffffff;
    uint64_t serial = 1;
    for (const uint8_t octet : octets.Draw(sizeof(serial)))
    {
        serial = (serial << 8U | octet) & SERIAL_MASK;
    }
    const bool isMade =
        X509_set_version(certificate, 2) == 1 &&
        ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial) == 1 &&
        SetName(X509_get_subject_name(certificate), description.name) &&
        X509_set_issuer_name(certificate, X509_get_subject_name(issuer)) == 1 &&
        ASN1_TIME_set_string_X509(X509_getm_notBefore(certificate), "20200101000000Z") == 1 &&
        ASN1_TIME_set_string_X509(X509_getm_notAfter(certificate), description.last) == 1 &&
        X509_set_pubkey(certificate, made.GetKey()) == 1 &&
        (authority != nullptr
             ? AddExtension(certificate, issuer, NID_subject_alt_name, "DNS:" + description.name)
             : AddExtension(certificate, issuer, NID_basic_constraints, "critical,CA:TRUE")) &&
        X509_sign(certificate, signer, nullptr) > 0;
    NS_ABORT_MSG_UNLESS(isMade, "OpenSSL makes no certificate of " << description.name);
    return made;
}

TlsIdentity
TlsIdentity::MakeAuthority(uint64_t seed)
{
    return Make({seed, "authority", "authority", LAST_DAY}, nullptr);
}

TlsIdentity
TlsIdentity::MakeHost(uint64_t seed, const std::string& name, Flaw flaw)
{
    const TlsIdentity authority =
        flaw == Flaw::UNKNOWN
            ? Make({seed, "another authority", "another authority", LAST_DAY}, nullptr)
            : MakeAuthority(seed);
    return Make({seed,
                 "host " + name,
                 flaw == Flaw::OTHER_NAME ? "not-" + name : name,
                 flaw == Flaw::EXPIRED ? LAST_YEAR : LAST_DAY},
                &authority);
}

} // namespace ns3::nfsrdma
