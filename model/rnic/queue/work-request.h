/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_QUEUE_WORK_REQUEST_H
#define NFSRDMA_RNIC_QUEUE_WORK_REQUEST_H

#include "ddp/segment-header.h"
#include "rnic/memory/region.h"
#include "rnic/memory/window.h"

#include "ns3/nstime.h"

#include <boost/container/small_vector.hpp>
#include <cstdint>

namespace ns3::nfsrdma
{

/// A piece of local memory. lkey LOCAL_DMA_LKEY names all memory of the host, for local use only.
struct ScatterGatherElement
{
    static constexpr Stag LOCAL_DMA_LKEY = 0;

    /// Host address; with a memory region's lkey, a tagged offset in its range [iova, iova +
    /// length).
    uint64_t address{0};
    uint32_t length{0};
    Stag lkey{LOCAL_DMA_LKEY};
};

/// The elements of a work request; nearly all have one, which has its place in the request.
using ScatterGatherList = boost::container::small_vector<ScatterGatherElement, 1>;

enum class WorkRequestOpcode
{
    SEND,
    SEND_WITH_INVALIDATE,
    RDMA_WRITE,
    RDMA_READ,   ///< Exactly one sink element, registered for remote write (iWARP).
    REGISTER_MR, ///< Fast registration: makes an invalid MemoryRegion valid.
    LOCAL_INVALIDATE,
    BIND_WINDOW, ///< Makes an invalid MemoryWindow valid over a part of a region.
    // RFC 7306, on devices with RdmapExtensions.
    RDMA_WRITE_WITH_IMM,  ///< An RDMA Write, then Immediate Data.
    ATOMIC_FETCH_AND_ADD, ///< Exactly one element, of 8 octets, for the value before.
    ATOMIC_CMP_AND_SWP,   ///< As ATOMIC_FETCH_AND_ADD.
};

const char* ToString(WorkRequestOpcode opcode);

/// Arguments of an atomic operation on 8 octets of remote memory. Numbers in host memory have their
/// least significant octet first.
struct AtomicOperands
{
    uint64_t data{0};                   ///< What to add, or to swap in.
    uint64_t compare{0};                ///< ATOMIC_CMP_AND_SWP.
    uint64_t fieldBoundaries{0};        ///< ATOMIC_FETCH_AND_ADD: see AtomicRequest::mask.
    uint64_t swapMask{~uint64_t{0}};    ///< ATOMIC_CMP_AND_SWP: bits to swap.
    uint64_t compareMask{~uint64_t{0}}; ///< ATOMIC_CMP_AND_SWP: bits to compare.
};

/// One entry of a send queue. Fields not used by the opcode are ignored.
struct SendWorkRequest
{
    uint64_t id{0};
    WorkRequestOpcode opcode{WorkRequestOpcode::SEND};
    bool signaled{true};   ///< A completion is made on success; on failure always.
    bool solicited{false}; ///< Send with Solicited Event.
    bool fence{false};     ///< Waits until all earlier RDMA Reads have completed.
    /// Sends and Writes: the octets are taken when it is posted, and travel in the work request.
    /// The lkeys are not looked at, and the memory is the consumer's again at once.
    bool inlineData{false};
    ScatterGatherList elements;
    Stag remoteStag{0};       ///< Writes, Reads, atomics.
    uint64_t remoteOffset{0}; ///< Writes, Reads, atomics; of atomics a multiple of 8.
    Stag invalidateStag{0};   ///< SEND_WITH_INVALIDATE, LOCAL_INVALIDATE.
    /// RDMA_READ: with its completion the sink's STag is invalid (RDMA Read with Invalidate Local
    /// STag of the RDMA verbs). It is one that LOCAL_INVALIDATE could have, of no other Read that
    /// is outstanding behind it.
    bool invalidatesSink{false};
    Ptr<MemoryRegion> region;        ///< REGISTER_MR.
    MemoryRegistration registration; ///< REGISTER_MR.
    Ptr<MemoryWindow> window;        ///< BIND_WINDOW.
    WindowBinding binding;           ///< BIND_WINDOW.
    uint64_t immediate{0};           ///< RDMA_WRITE_WITH_IMM.
    AtomicOperands atomic;           ///< The two atomics.
};

/// One entry of a receive queue.
struct ReceiveWorkRequest
{
    uint64_t id{0};
    ScatterGatherList elements;
};

/// Completion statuses, numbered as ibv_wc_status.
enum class WorkCompletionStatus
{
    SUCCESS = 0,
    LOC_LEN_ERR = 1,
    LOC_QP_OP_ERR = 2,
    LOC_PROT_ERR = 4,
    WR_FLUSH_ERR = 5,
    MW_BIND_ERR = 6,
    LOC_ACCESS_ERR = 8,
    REM_INV_REQ_ERR = 9,
    REM_ACCESS_ERR = 10,
    FATAL_ERR = 19,
    GENERAL_ERR = 21,
};

const char* ToString(WorkCompletionStatus status);

/// What a completion is of.
enum class WorkCompletionOpcode
{
    SEND,
    RDMA_WRITE,
    RDMA_READ,
    REGISTER_MR,
    LOCAL_INVALIDATE,
    BIND_WINDOW,
    RECEIVE,
    FETCH_AND_ADD,
    COMPARE_AND_SWAP,
};

struct WorkCompletion
{
    uint64_t id{0};
    WorkCompletionStatus status{WorkCompletionStatus::SUCCESS};
    WorkCompletionOpcode opcode{WorkCompletionOpcode::SEND};
    uint32_t queuePairNumber{0};
    uint32_t length{0};         ///< Octets received or read.
    bool withInvalidate{false}; ///< RECEIVE: the peer invalidated invalidatedStag.
    Stag invalidatedStag{0};
    bool solicited{false};     ///< RECEIVE: of a message with Solicited Event.
    bool withImmediate{false}; ///< RECEIVE: Immediate Data came, and nothing was placed.
    uint64_t immediate{0};
    Time arrived; ///< RECEIVE: when the first segment of the message came.
};

/// Why a verb was refused at once (as errno of the C verbs).
enum class VerbsError
{
    INVALID_ARGUMENT, ///< EINVAL
    NO_MEMORY,        ///< ENOMEM: the queue, or the device limit, is full.
    NOT_CONNECTED,    ///< ENOTCONN: the queue pair's state does not allow it.
    BUSY,             ///< EBUSY: the object is still in use.
    TRY_AGAIN,        ///< EAGAIN: refused for the moment.
    NO_DEVICE,        ///< ENODEV: the device is gone.
};

const char* ToString(VerbsError error);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_QUEUE_WORK_REQUEST_H
