/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CAPTURE_CONVERSATION_REPLAY_H
#define NFSRDMA_HELPER_CAPTURE_CONVERSATION_REPLAY_H

#include "helper/capture/named-stags.h"
#include "helper/capture/replay-side.h"
#include "helper/capture/siw-difference.h"

#include <set>

namespace ns3::nfsrdma
{

/// The model in the place of one side of a captured connection, held against that side.
struct ReplayVerdict
{
    const char* obstacle{nullptr};             ///< Why it was not played; null when it was.
    ReplayOutcome outcome;                     ///< Of the model.
    ReplayEnding captured{ReplayEnding::OPEN}; ///< What the capture shows of the side.
    std::set<SiwDifference> explained;         ///< Differences that have a name.
    std::vector<std::string> unexplained;

    /// \return "operational, terminated: 1/1/00 invalid STag" and the like.
    [[nodiscard]] std::string Describe() const;
};

/**
 * \brief Feeds each side's octets of a captured connection to a fresh connection object in the
 * place of the other, at the times of the capture, and compares what becomes of it.
 *
 * Compared are: the startup frame sent; whether full operation is reached and what was negotiated;
 * how the connection ended; the Terminate sent, octet for octet; the number of Sends delivered.
 *
 * Runs the simulator; nothing else may be scheduled.
 */
class ConversationReplay
{
  public:
    /// \param conversation outlives this object. Where it has no Request, the side that opened
    /// the connection is the initiator.
    /// \param named of the capture: what hosts say of their memory on other connections counts.
    /// It outlives this object.
    ConversationReplay(const MpaConversation& conversation, const NamedStags& named);

    void Run();

    [[nodiscard]] const ReplayVerdict& GetVerdict(std::size_t side) const
    {
        return m_verdicts[side];
    }

    [[nodiscard]] std::size_t GetInitiator() const
    {
        return m_initiator;
    }

  private:
    void HandleEvent(std::size_t index);
    void Judge(std::size_t side);
    [[nodiscard]] ReplayEnding FindCapturedEnding(std::size_t side) const;
    void CompareStartup(std::size_t side);
    void CompareEnding(std::size_t side);
    void CompareTerminate(std::size_t side);
    void CompareDelivery(std::size_t side);
    void CompareAgreements();

    const MpaConversation& m_conversation;
    std::size_t m_initiator;
    std::array<std::unique_ptr<ReplaySide>, TcpConversation::SIDES> m_sides;
    std::array<std::size_t, TcpConversation::SIDES> m_nextFpdu{};
    std::array<ReplayVerdict, TcpConversation::SIDES> m_verdicts;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CAPTURE_CONVERSATION_REPLAY_H
