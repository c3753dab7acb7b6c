/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_TYPES_RPC_STUB_H
#define NFSRDMA_NFS_TYPES_RPC_STUB_H

#include "nfs/types/xdr-fields.h"
#include "rpc/client.h"
#include "rpc/server.h"

#include <functional>
#include <type_traits>

namespace ns3::nfsrdma
{

// Stubs, as rpcgen makes them: between a program's procedures as functions and RPC messages. For
// procedures without items in host memory.

/// Arguments or results that are void.
struct XdrVoid
{
};

/**
 * \brief A procedure of a program: its number and the types of its messages.
 *
 * The types have lists of fields, as xdr-fields.h says.
 */
template <auto Number, typename ArgumentsType, typename ResultsType>
struct RpcProcedure
{
    static constexpr auto PROCEDURE = Number;
    static constexpr uint32_t NUMBER = static_cast<uint32_t>(Number);
    using Arguments = ArgumentsType;
    using Results = ResultsType;
};

/// The end of a call: the results count when record.outcome is SUCCESS.
template <typename Results>
using StubCompletion = std::function<void(RpcRecord& record, const Results& results)>;

template <typename Results, typename = void>
struct HasStatus : std::false_type
{
};

template <typename Results>
struct HasStatus<Results, std::void_t<decltype(Results::status)>> : std::true_type
{
};

/**
 * \brief Client stub: encodes the arguments, calls, and decodes the results. Results that do not
 * decode make the outcome BAD_REPLY; their member status, if there is one, is
 * RpcRecord::programStatus.
 * \param client of the procedure's program and version
 * \param arguments what the procedure takes
 * \param completion may be null
 * \param estimate of the reply; TCP needs none
 * \return the XID
 */
template <typename Procedure>
uint32_t
CallStub(RpcClient& client,
         const typename Procedure::Arguments& arguments,
         StubCompletion<typename Procedure::Results> completion,
         RpcReplyEstimate&& estimate = {})
{
    using Results = typename Procedure::Results;
    XdrWriter writer;
    EncodeXdr(writer, arguments);
    RpcArguments encoded;
    encoded.octets = writer.Take();
    return client.Call(Procedure::NUMBER,
                       std::move(encoded),
                       std::move(estimate),
                       [completion = std::move(completion)](RpcRecord& record,
                                                            const RpcReceivedMessage& /* message */,
                                                            XdrReader& reader) {
                           Results results;
                           if (record.outcome == RpcOutcome::SUCCESS)
                           {
                               auto decoded = DecodeXdr<Results>(reader);
                               if (decoded)
                               {
                                   results = std::move(*decoded);
                                   if constexpr (HasStatus<Results>::value)
                                   {
                                       record.programStatus = static_cast<uint32_t>(results.status);
                                   }
                               }
                               else
                               {
                                   record.outcome = RpcOutcome::BAD_REPLY;
                               }
                           }
                           if (completion)
                           {
                               completion(record, results);
                           }
                       });
}

/// \return \p results encoded, as a reply with SUCCESS.
template <typename Results>
[[nodiscard]] RpcServerReply
EncodeStubReply(const Results& results)
{
    XdrWriter writer;
    EncodeXdr(writer, results);
    RpcServerReply reply;
    reply.results.octets = writer.Take();
    return reply;
}

/// \return a reply without results.
[[nodiscard]] inline RpcServerReply
RefuseStubCall(RpcAcceptStatus status)
{
    RpcServerReply reply;
    reply.status = status;
    return reply;
}

/// \return the arguments of \p call; BAD_VALUE when they do not decode, or an item was reduced.
template <typename Procedure>
[[nodiscard]] Decoded<typename Procedure::Arguments>
DecodeStubCall(const RpcServerCall& call)
{
    if (!call.message.items.empty())
    {
        return tl::make_unexpected(WireError::BAD_VALUE);
    }
    const ByteSpan octets(call.message.octets);
    XdrReader reader(octets.subspan(call.argumentsPosition));
    return DecodeXdr<typename Procedure::Arguments>(reader);
}

/**
 * \brief Server stub: decodes the arguments, serves, and encodes the results.
 * \param call for \p Procedure
 * \param serve takes the arguments and returns the results
 * \return the reply; GARBAGE_ARGS when the arguments do not decode
 */
template <typename Procedure, typename Serve>
[[nodiscard]] RpcServerReply
ServeStub(const RpcServerCall& call, Serve serve)
{
    const auto arguments = DecodeStubCall<Procedure>(call);
    if (!arguments)
    {
        return RefuseStubCall(RpcAcceptStatus::GARBAGE_ARGS);
    }
    const typename Procedure::Results results = serve(*arguments);
    return EncodeStubReply(results);
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_TYPES_RPC_STUB_H
