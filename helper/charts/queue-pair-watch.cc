/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/charts/queue-pair-watch.h"

namespace ns3::nfsrdma
{

namespace
{

void
WatchQueuePair(uint32_t host,
               QueuePair& pair,
               QueuePairInterest interest,
               QueuePairObserver& observer)
{
    pair.TraceConnectWithoutContext(
        "State",
        Callback<void, QueuePairState, QueuePairState>(
            [host, &pair, &observer](QueuePairState before, QueuePairState after) {
                observer.TakeState(host, pair, before, after);
            }));
    const auto tell = [host, &pair, &observer](TerminateWay way) {
        return Callback<void, const TerminateMessage&>(
            [host, &pair, &observer, way](const TerminateMessage& message) {
                observer.TakeTerminate(host, pair, way, message);
            });
    };
    pair.TraceConnectWithoutContext("TerminateSent", tell(TerminateWay::SENT));
    pair.TraceConnectWithoutContext("TerminateReceived", tell(TerminateWay::RECEIVED));
    if (interest.posts)
    {
        pair.TraceConnectWithoutContext(
            "PostSend",
            Callback<void, const SendWorkRequest&>(
                [host, &pair, &observer](const SendWorkRequest& request) {
                    observer.TakePost(host, pair, request);
                }));
    }
    if (interest.completions)
    {
        pair.TraceConnectWithoutContext(
            "WorkDone",
            Callback<void,
                     uint64_t,
                     WorkCompletionOpcode,
                     WorkCompletionStatus,
                     const WorkTimeline&>([host, &pair, &observer](uint64_t,
                                                                   WorkCompletionOpcode kind,
                                                                   WorkCompletionStatus status,
                                                                   const WorkTimeline& timeline) {
                observer.TakeDone(host, pair, kind, status, timeline);
            }));
    }
}

} // namespace

void
QueuePairObserver::TakeState(uint32_t, const QueuePair&, QueuePairState, QueuePairState)
{
}

void
QueuePairObserver::TakeTerminate(uint32_t, const QueuePair&, TerminateWay, const TerminateMessage&)
{
}

void
QueuePairObserver::TakePost(uint32_t, const QueuePair&, const SendWorkRequest&)
{
}

void
QueuePairObserver::TakeDone(uint32_t,
                            const QueuePair&,
                            WorkCompletionOpcode,
                            WorkCompletionStatus,
                            const WorkTimeline&)
{
}

void
WatchQueuePairs(uint32_t host,
                const Ptr<RnicDevice>& device,
                QueuePairInterest interest,
                QueuePairObserver& observer)
{
    device->TraceConnectWithoutContext(
        "QueuePairCreated",
        Callback<void, Ptr<QueuePair>>([host, interest, &observer](Ptr<QueuePair> pair) {
            WatchQueuePair(host, *pair, interest, observer);
        }));
}

} // namespace ns3::nfsrdma
