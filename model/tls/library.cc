/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "tls/library.h"

#include "ns3/abort.h"

#include <array>
#include <limits>
#include <openssl/core.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>

namespace ns3::nfsrdma
{

namespace
{

RandomOctets* g_drawn = nullptr;

constexpr unsigned STRENGTH = 256;

// The functions of a generator of random numbers, as provider-rand(7) has them. It has no state.

void*
NewGenerator(void* provider, void* /* parent */, const OSSL_DISPATCH* /* ofParent */)
{
    return provider;
}

void
FreeGenerator(void* /* generator */)
{
}

int
Instantiate(void* /* generator */,
            unsigned /* strength */,
            int /* resistance */,
            const unsigned char* /* personalisation */,
            size_t /* size */,
            const OSSL_PARAM* /* params */)
{
    return 1;
}

int
Uninstantiate(void* /* generator */)
{
    return 1;
}

int
Generate(void* /* generator */,
         unsigned char* octets,
         size_t count,
         unsigned /* strength */,
         int /* resistance */,
         const unsigned char* /* additional */,
         size_t /* size */)
{
    if (g_drawn == nullptr)
    {
        return 0;
    }
    g_drawn->Draw(MutableByteSpan(octets, count));
    return 1;
}

int
EnableLocking(void* /* generator */)
{
    return 1;
}

int
Lock(void* /* generator */)
{
    return 1;
}

void
Unlock(void* /* generator */)
{
}

int
GetParameters(void* /* generator */, OSSL_PARAM* params)
{
    OSSL_PARAM* const state = OSSL_PARAM_locate(params, OSSL_RAND_PARAM_STATE);
    OSSL_PARAM* const strength = OSSL_PARAM_locate(params, OSSL_RAND_PARAM_STRENGTH);
    OSSL_PARAM* const request = OSSL_PARAM_locate(params, OSSL_RAND_PARAM_MAX_REQUEST);
    const bool isSet = (state == nullptr || OSSL_PARAM_set_int(state, EVP_RAND_STATE_READY) == 1) &&
                       (strength == nullptr || OSSL_PARAM_set_uint(strength, STRENGTH) == 1) &&
                       (request == nullptr ||
                        OSSL_PARAM_set_size_t(request, std::numeric_limits<int>::max()) == 1);
    return isSet ? 1 : 0;
}

template <typename F>
OSSL_DISPATCH
Entry(int number, F function)
{
    return {number, reinterpret_cast<void (*)()>(function)};
}

const OSSL_ALGORITHM*
ListAlgorithms(void* /* provider */, int operation, int* isVolatile)
{
    static const std::array<OSSL_DISPATCH, 10> functions{
        Entry(OSSL_FUNC_RAND_NEWCTX, NewGenerator),
        Entry(OSSL_FUNC_RAND_FREECTX, FreeGenerator),
        Entry(OSSL_FUNC_RAND_INSTANTIATE, Instantiate),
        Entry(OSSL_FUNC_RAND_UNINSTANTIATE, Uninstantiate),
        Entry(OSSL_FUNC_RAND_GENERATE, Generate),
        Entry(OSSL_FUNC_RAND_ENABLE_LOCKING, EnableLocking),
        Entry(OSSL_FUNC_RAND_LOCK, Lock),
        Entry(OSSL_FUNC_RAND_UNLOCK, Unlock),
        Entry(OSSL_FUNC_RAND_GET_CTX_PARAMS, GetParameters),
        OSSL_DISPATCH{0, nullptr}};
    static const std::array<OSSL_ALGORITHM, 2> algorithms{
        OSSL_ALGORITHM{"SCENARIO",
                       "provider=scenario",
                       functions.data(),
                       "octets that follow from a name"},
        OSSL_ALGORITHM{nullptr, nullptr, nullptr, nullptr}};
    *isVolatile = 0;
    return operation == OSSL_OP_RAND ? algorithms.data() : nullptr;
}

int
StartProvider(const OSSL_CORE_HANDLE* /* handle */,
              const OSSL_DISPATCH* /* core */,
              const OSSL_DISPATCH** functions,
              void** provider)
{
    static const std::array<OSSL_DISPATCH, 2> offered{
        Entry(OSSL_FUNC_PROVIDER_QUERY_OPERATION, ListAlgorithms),
        OSSL_DISPATCH{0, nullptr}};
    static int self = 0;
    *functions = offered.data();
    *provider = &self;
    return 1;
}

OSSL_LIB_CTX*
MakeContext()
{
    // What the machine's openssl.cnf says of all connections must not show in octets.
    const int isStarted = OPENSSL_init_ssl(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
    OSSL_LIB_CTX* const context = OSSL_LIB_CTX_new();
    NS_ABORT_MSG_UNLESS(isStarted == 1 && context != nullptr &&
                            OSSL_PROVIDER_add_builtin(context, "scenario", StartProvider) == 1 &&
                            OSSL_PROVIDER_load(context, "scenario") != nullptr &&
                            OSSL_PROVIDER_load(context, "default") != nullptr &&
                            RAND_set_DRBG_type(context, "SCENARIO", nullptr, nullptr, nullptr) == 1,
                        "OpenSSL takes no random numbers but its own");
    return context;
}

} // namespace

OSSL_LIB_CTX*
TlsLibrary::Get()
{
    static OSSL_LIB_CTX* const context = MakeContext();
    return context;
}

TlsLibrary::Drawing::Drawing(RandomOctets& octets)
    : m_before(g_drawn)
{
    g_drawn = &octets;
}

TlsLibrary::Drawing::~Drawing()
{
    g_drawn = m_before;
}

} // namespace ns3::nfsrdma
