/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_POLICY_INLINE_THRESHOLD_REVIEW_H
#define NFSRDMA_RPCRDMA_POLICY_INLINE_THRESHOLD_REVIEW_H

#include "rpc/client-transport.h"
#include "rpcrdma/client/inline-limits.h"
#include "rpcrdma/policy/inline-threshold.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief How long messages of one direction have been, in steps of 1024 octets.
 *
 * Longer ones than a Send can be are not counted: nothing would carry them. When WINDOW messages
 * have been counted each count is halved, so that what was long ago fades.
 */
class MessageLengths
{
  public:
    static constexpr uint32_t WINDOW = 8192;

    /// \param octets that a Send would need
    void Count(uint64_t octets);
    /// \param maximum messages beyond it do not matter, octets
    /// \return the least multiple of 1024 that carries \p share of the messages up to \p maximum,
    /// or nothing when there was none
    [[nodiscard]] std::optional<uint32_t> GetQuantile(double share, uint32_t maximum) const;

    /// \return messages that count, those of long ago less.
    [[nodiscard]] uint32_t GetTotal() const
    {
        return m_total;
    }

  private:
    static constexpr uint32_t UNIT = RpcRdmaPrivateData::MINIMUM_INLINE;

    std::array<uint32_t, RpcRdmaPrivateData::MAXIMUM_INLINE / UNIT> m_counts{};
    uint32_t m_total{0};
};

/**
 * \brief A requester's inline thresholds from one connection to the next: it looks at messages,
 * asks an InlineThresholdPolicy, and tells when a new connection would have others.
 *
 * A message needs what its form was decided by, the largest transport header set aside: a call its
 * own length; a reply the largest that was possible, for it is that which chunks are offered for.
 * Where none was offered though the largest reply would not have fitted, what came decides.
 *
 * Besides the share, all messages are carried that Linux's thresholds (FIRST) carry, so that
 * no chunk is needed for one that needs none there. Without reviews, which mend a wrong guess, and
 * before SURE messages of a direction have been counted, the threshold is not below FIRST.
 */
class InlineThresholdReview
{
  public:
    /// Linux's thresholds, which are taken to be needed before the first message.
    static constexpr uint32_t FIRST = 4096;
    /// Messages from which a smaller threshold is concluded.
    static constexpr uint32_t SURE = 64;

    struct Settings
    {
        std::shared_ptr<const InlineThresholdPolicy> policy;
        InlineThresholds maximum;
        double share{0};    ///< Of the messages that are to be carried inline, 0 to 1.
        uint32_t period{0}; ///< Replies between reviews; 0: only when a connection is made.
    };

    void Configure(const Settings& settings)
    {
        m_settings = settings;
    }

    /// \return what to advertise on a connection that is being made, and is reviewed from now on.
    InlineThresholds Start();
    /// \p call has ended well. \param limits of its connection
    void Count(const RpcTransportCall& call, const InlineLimits& limits);
    /// \return whether a review is due and the policy would have twice or half of what was
    /// advertised last, or more; the period starts anew.
    [[nodiscard]] bool WantsOthers();

  private:
    [[nodiscard]] InlineThresholds Choose() const;
    [[nodiscard]] uint32_t GetNeeded(const MessageLengths& lengths, uint32_t maximum) const;

    Settings m_settings;
    InlineThresholds m_advertised;
    MessageLengths m_calls;
    MessageLengths m_replies;
    uint32_t m_counted{0}; ///< Since the last review.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_POLICY_INLINE_THRESHOLD_REVIEW_H
