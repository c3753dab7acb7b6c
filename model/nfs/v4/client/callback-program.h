/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_CALLBACK_PROGRAM_H
#define NFSRDMA_NFS_V4_CLIENT_CALLBACK_PROGRAM_H

#include "nfs/v4/protocol/callback-compound.h"
#include "rpc/server.h"

#include <array>
#include <cstdint>
#include <functional>
#include <utility>

namespace ns3::nfsrdma
{

class Nfs4CompoundClient;

/**
 * \brief The callback program of an NFSv4 client: answers CB_COMPOUND as Linux does.
 *
 *     CB_SEQUENCE      the slots of the session; nothing is cached, so that a repeated call is
 *                      RETRY_UNCACHED_REP; DELAY while a call that it refers to is under way
 *     CB_GETATTR       size and change of a file that a write delegation is held for
 *     CB_RECALL        OK, and the delegation goes back; BADHANDLE, BAD_STATEID when there is none
 *     CB_RECALL_ANY    delegations go back until no more are left than may be kept
 *     CB_RECALL_SLOT   fewer slots are used from now on
 *     CB_LAYOUTRECALL  NOMATCHING_LAYOUT: the client takes no layouts
 *     CB_NOTIFY_LOCK   OK, and who waits for the lock asks again
 *     CB_OFFLOAD       OK, and the COPY ends
 *     others           NOTSUPP, or OP_ILLEGAL
 */
class Nfs4CallbackProgram : public RpcProgram
{
  public:
    static TypeId GetTypeId();

    /// Slots of the back channel at most, as Linux's NFS4_DEF_CB_SLOT_TABLE_SIZE.
    static constexpr uint32_t SLOTS = 16;

    /// \param client whose server calls; null: callbacks are answered with BADSESSION
    void SetClient(Nfs4CompoundClient* client);
    /// Answers in the place of all that is said above, for a client that is another's; null: nobody
    /// does.
    using Responder = std::function<CbCompound4Res(const CbCompound4Args& args)>;

    void SetResponder(Responder responder)
    {
        m_responder = std::move(responder);
    }

    /// A new session, whose back channel has so many slots; SLOTS at most.
    void ResetSlots(uint32_t slots);
    /// \return operations answered with OK, of one kind.
    [[nodiscard]] uint64_t GetAnswered(Nfs4CbOp op) const;

    [[nodiscard]] uint32_t GetProgram() const override;
    [[nodiscard]] uint32_t GetVersion() const override;
    void Dispatch(std::shared_ptr<RpcServerCall> call, Done done) override;

  private:
    [[nodiscard]] CbCompound4Res Process(const CbCompound4Args& args);
    [[nodiscard]] Nfs4CbResOp Run(const Nfs4CbArgOp& op);
    [[nodiscard]] Nfs4CbResOp RunSequence(const CbSequenceArgs4& args);
    [[nodiscard]] Nfs4CbResOp RunGetattr(const CbGetattrArgs4& args) const;

    Nfs4CompoundClient* m_client{nullptr}; ///< Owns this.
    Responder m_responder;
    uint32_t m_slots{SLOTS};
    std::array<uint32_t, SLOTS> m_sequences{};
    std::array<uint64_t, 16> m_answered{};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_CALLBACK_PROGRAM_H
