/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_RPCRDMA_ECHO_PROGRAM_H
#define NFSRDMA_TEST_RPCRDMA_ECHO_PROGRAM_H

#include "rpc/server.h"

namespace ns3::nfsrdma
{

/// \return \p length octets that depend on \p seed.
ByteVector MakePattern(uint32_t length, uint32_t seed);
/// \return the octets of result item \p number of MIX.
ByteVector MakeGivenPattern(uint32_t length, std::size_t number);

/**
 * \brief A program with bulk items.
 *
 * - TAKE: opaque item, word -> word length, word checksum, the word
 * - GIVE: length, eligible, tail words -> opaque item (pattern of the length), tail words
 * - MIX: any number of items both ways, a marker word after each:
 *   count, (opaque, marker)..., count, (length, eligible)... ->
 *   count, (length, checksum)..., count, (opaque, marker)...
 * - TEXT: length -> opaque that is no item
 */
class EchoProgram : public RpcProgram
{
  public:
    static constexpr uint32_t PROGRAM = 400000;
    static constexpr uint32_t VERSION = 1;
    static constexpr uint32_t TAKE = 1;
    static constexpr uint32_t GIVE = 2;
    static constexpr uint32_t MIX = 3;
    static constexpr uint32_t TEXT = 4;
    static constexpr uint32_t MARKER = 0xcc000000;

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
    RpcServerReply Mix(const RpcServerCall& call);
    bool TakeItems(const RpcServerCall& call, XdrReader& reader, XdrWriter& results);
    static RpcServerReply Text(const RpcServerCall& call);

    Ptr<HostMemory> m_memory;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_RPCRDMA_ECHO_PROGRAM_H
