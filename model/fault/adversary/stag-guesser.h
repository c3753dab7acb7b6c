/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_STAG_GUESSER_H
#define NFSRDMA_FAULT_ADVERSARY_STAG_GUESSER_H

#include "fault/adversary/connection-attack.h"

#include "ns3/random-variable-stream.h"

#include <optional>

namespace ns3::nfsrdma
{

/// An STag of the server, and where it begins.
struct SeenStag
{
    Stag stag{0};
    uint64_t offset{0};
};

/**
 * \brief Aims RDMA Writes or Reads at STags of the server that were not given to it.
 *
 * A connection first makes a Call that is in a Read chunk, and answers the server's Read: so it
 * sees an STag of the server, as good clients do. Then it guesses, each time with a Call of
 * procedure NULL behind the operation: when that is served, the STag was good.
 *
 * Notes what each guess came to: "placed" (written) or "read"; "found" (the STag is good, the range
 * or the right is not); "foreign" (it is of another protection domain); "unknown"; "unanswered".
 * After the last three, and "found", the server has ended the connection with a Terminate.
 */
class StagGuesser : public ConnectionAttackRole
{
  public:
    /// How STags are guessed.
    enum Strategy
    {
        NEAR,       ///< Indices around the first one seen, its key.
        SEQUENTIAL, ///< One after the other from the one seen on.
        RANDOM,     ///< Any.
        REPLAY      ///< The one seen, while a later Call has its region registered.
    };

    enum Operation
    {
        WRITE,
        READ
    };

    static TypeId GetTypeId();
    StagGuesser();
    ~StagGuesser() override;

    int64_t AssignStreams(int64_t stream) override;

    [[nodiscard]] Strategy GetStrategy() const
    {
        return static_cast<Strategy>(m_strategy);
    }

    [[nodiscard]] Operation GetOperation() const
    {
        return static_cast<Operation>(m_operation);
    }

    /// \return the next guess of a connection that has seen \p seen; the first one ever is where
    /// memory of others that connected at the same time is near.
    [[nodiscard]] SeenStag Guess(const SeenStag& seen);

    /// \return guesses in whose place the server's memory was written or read.
    [[nodiscard]] uint64_t GetHits() const
    {
        return m_hits;
    }

    // For attempts only.
    void NoteHit();
    [[nodiscard]] bool IsGuessing() const;

  protected:
    [[nodiscard]] std::unique_ptr<RawStream> MakeAttempt(uint64_t number) override;

  private:
    int m_strategy{NEAR};
    int m_operation{WRITE};
    uint32_t m_window{0};
    uint64_t m_offsetSpan{0};
    std::optional<SeenStag> m_first;
    uint64_t m_guesses{0};
    uint64_t m_hits{0};
    Ptr<UniformRandomVariable> m_random;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_STAG_GUESSER_H
