/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_CHECK_CONTENT_STATE_H
#define NFSRDMA_WORKLOAD_CHECK_CONTENT_STATE_H

#include "workload/check/mismatch.h"
#include "workload/check/reference-tree.h"

#include <cstdint>
#include <string>
#include <utility>

namespace ns3::nfsrdma
{

/// How an operation that changes something ended.
enum class ChangeOutcome
{
    DONE,    ///< The server did it.
    REFUSED, ///< The server answered with an error and changed nothing.
    UNKNOWN  ///< There was no answer: it may have been done or not.
};

/// Names an operation between its begin and end.
using ContentToken = uint64_t;
/// The token of an operation that needs no end.
constexpr ContentToken NO_CONTENT_TOKEN = 0;

/// What the parts of a ContentModel share.
struct ContentState
{
    /// \param index of the client in the cluster
    explicit ContentState(uint32_t index)
        : client(index),
          tree(index)
    {
    }

    /// Counts a difference of what \p object has.
    void AddMismatch(ReferenceId object, uint64_t offset, std::string what)
    {
        reads.AddMismatch(tree.GetPath(object), offset, std::move(what));
    }

    uint32_t client;    ///< Seeds the content of files.
    bool shared{false}; ///< Several clients work in the export.
    ReferenceTree tree;
    ContentToken nextToken{NO_CONTENT_TOKEN + 1};
    ContentCheck reads; ///< What READs and the like gave, compared.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_CHECK_CONTENT_STATE_H
