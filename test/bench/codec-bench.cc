/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/fpdu.h"
#include "rpcrdma/message/transport-header.h"
#include "wire/crc32c.h"

#include <benchmark/benchmark.h>
#include <numeric>

using namespace ns3::nfsrdma;

namespace
{

ByteVector
Pattern(std::size_t length)
{
    ByteVector octets(length);
    std::iota(octets.begin(), octets.end(), uint8_t{1});
    return octets;
}

void
BenchCrc32c(benchmark::State& state)
{
    const ByteVector octets = Pattern(state.range(0));
    for (auto _ : state)
    {
        benchmark::DoNotOptimize(Crc32c(octets));
    }
    state.SetBytesProcessed(state.iterations() * state.range(0));
}

BENCHMARK(BenchCrc32c)->Arg(64)->Arg(1442)->Arg(8938)->Arg(65536);

void
BenchFpduSeal(benchmark::State& state)
{
    const uint32_t length = state.range(0);
    ByteVector fpdu(Fpdu::WireSize(length), 0x5a);
    for (auto _ : state)
    {
        Fpdu::Seal(fpdu, length, state.range(1) != 0);
        benchmark::ClobberMemory();
    }
    state.SetBytesProcessed(state.iterations() * length);
}

BENCHMARK(BenchFpduSeal)->ArgsProduct({{1442, 8938}, {0, 1}})->ArgNames({"ulpdu", "crc"});

void
BenchFpduDecode(benchmark::State& state)
{
    const bool crc = state.range(1) != 0;
    const ByteVector fpdu = Fpdu::Encode(Pattern(state.range(0)), crc);
    for (auto _ : state)
    {
        benchmark::DoNotOptimize(Fpdu::Decode(fpdu, crc));
    }
    state.SetBytesProcessed(state.iterations() * state.range(0));
}

BENCHMARK(BenchFpduDecode)->ArgsProduct({{1442, 8938}, {0, 1}})->ArgNames({"ulpdu", "crc"});

/// An NFSv3 READ call with one Write chunk, as the Linux client sends it.
RpcRdmaHeader
ReadCallHeader()
{
    RpcRdmaHeader header;
    header.xid = 0x11223344;
    header.credit = 128;
    header.chunks.writeList.push_back({RpcRdmaSegment{0x00abcd01, 65536, 0x1122334400010000}});
    return header;
}

void
BenchRpcRdmaHeaderEncode(benchmark::State& state)
{
    const RpcRdmaHeader header = ReadCallHeader();
    ByteVector octets(header.GetEncodedSize());
    for (auto _ : state)
    {
        ByteWriter writer(octets);
        header.Encode(writer);
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations());
}

BENCHMARK(BenchRpcRdmaHeaderEncode);

void
BenchRpcRdmaHeaderDecode(benchmark::State& state)
{
    const RpcRdmaHeader header = ReadCallHeader();
    ByteVector octets(header.GetEncodedSize());
    ByteWriter writer(octets);
    header.Encode(writer);
    for (auto _ : state)
    {
        ByteReader reader(octets);
        benchmark::DoNotOptimize(RpcRdmaHeader::Decode(reader));
    }
    state.SetItemsProcessed(state.iterations());
}

BENCHMARK(BenchRpcRdmaHeaderDecode);

} // namespace
