/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_RPCRDMA_PROPERTY_MIX_PROGRAM_H
#define NFSRDMA_TEST_RPCRDMA_PROPERTY_MIX_PROGRAM_H

#include "rpc/server.h"

#include <map>

namespace ns3::nfsrdma
{

/// \return octet \p index of item \p item of operation \p operation.
uint8_t GetPatternOctet(uint32_t operation, uint32_t item, uint32_t index);
/// \return \p length octets of that pattern.
ByteVector MakeMixPattern(uint32_t operation, uint32_t item, uint32_t length);

/**
 * \brief A program whose calls and replies have any number of items.
 *
 *     call:  operation, number of items, each as opaque; number of results, length and eligibility
 *            of each; word
 *     reply: operation, number of results, each as opaque; word
 *
 * Arguments that are not the operation's pattern get GARBAGE_ARGS. How often each operation was
 * carried out is counted.
 */
class MixProgram : public RpcProgram
{
  public:
    static constexpr uint32_t PROGRAM = 400001;
    static constexpr uint32_t VERSION = 1;
    static constexpr uint32_t ONCE = 1;  ///< Not idempotent.
    static constexpr uint32_t AGAIN = 2; ///< Idempotent.
    static constexpr uint32_t WORD = 0x600dbeef;

    explicit MixProgram(Ptr<HostMemory> memory);

    [[nodiscard]] uint32_t GetProgram() const override;
    [[nodiscard]] uint32_t GetVersion() const override;
    [[nodiscard]] bool IsIdempotent(uint32_t procedure) const override;
    void Dispatch(std::shared_ptr<RpcServerCall> call, Done done) override;

    std::map<uint32_t, uint32_t> executions; ///< Of each operation.
    uint64_t garbage{0};
    Time serviceTime;

  private:
    RpcServerReply Carry(const RpcServerCall& call);
    bool CheckArguments(const RpcServerCall& call, XdrReader& reader, uint32_t operation);

    Ptr<HostMemory> m_memory;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_RPCRDMA_PROPERTY_MIX_PROGRAM_H
