/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_RPCRDMA_ECHO_PROGRAM_H
#define NFSRDMA_TEST_RPCRDMA_ECHO_PROGRAM_H

#include "rpc/rpc-server.h"

namespace ns3::nfsrdma
{

/// \return \p length octets that depend on \p seed.
ByteVector MakePattern(uint32_t length, uint32_t seed);

/**
 * \brief A program with bulk items.
 *
 * - TAKE: opaque item, word -> word length, word checksum, the word
 * - GIVE: length, eligible, tail words -> opaque item (pattern of the length), tail words
 */
class EchoProgram : public RpcProgram
{
  public:
    static constexpr uint32_t PROGRAM = 400000;
    static constexpr uint32_t VERSION = 1;
    static constexpr uint32_t TAKE = 1;
    static constexpr uint32_t GIVE = 2;

    explicit EchoProgram(Ptr<HostMemory> memory);

    [[nodiscard]] uint32_t GetProgram() const override;
    [[nodiscard]] uint32_t GetVersion() const override;
    [[nodiscard]] RpcMessageLimits GetMessageLimits() const override;
    void Dispatch(std::shared_ptr<RpcServerCall> call, Done done) override;

    uint32_t running{0};
    uint32_t mostRunning{0};
    uint32_t reducedItems{0};
    Time serviceTime;
    RpcMessageLimits limits;

  private:
    RpcServerReply Take(const RpcServerCall& call);
    RpcServerReply Give(const RpcServerCall& call);

    Ptr<HostMemory> m_memory;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_RPCRDMA_ECHO_PROGRAM_H
