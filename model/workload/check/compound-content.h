/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_CHECK_COMPOUND_CONTENT_H
#define NFSRDMA_WORKLOAD_CHECK_COMPOUND_CONTENT_H

#include "host/memory.h"
#include "nfs/v4/protocol/compound.h"
#include "rpc/payload.h"
#include "rpc/record.h"
#include "workload/check/content-model.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Follows what one COMPOUND does to an export, and checks what it gives: the octets of READ
 * and the path of READLINK. Made before the call, ended with its results.
 *
 * The current and the saved object are followed through the operations; where no handle of one is
 * known, as behind a LOOKUP without GETFH, what happens to it is not. WRITE_SAME and an
 * asynchronous COPY leave octets that are not compared any more.
 */
class CompoundContent
{
  public:
    /// \param args with the handles of this client's server
    CompoundContent(std::shared_ptr<ContentModel> content, const Compound4Args& args);
    ~CompoundContent();
    CompoundContent(const CompoundContent&) = delete;
    CompoundContent& operator=(const CompoundContent&) = delete;

    /// Fills \p buffer with the octets that the WRITE with number \p op of the operations is to
    /// write; no more than its length.
    void FillWrite(std::size_t op, HostBuffer& buffer) const;

    /// \param results null: there was no answer
    /// \param places memory of the bulk items of READ and READLINK, in order
    void End(RpcOutcome outcome,
             const Compound4Res* results,
             const std::vector<RpcReplyItem>& places);

  private:
    struct Step;

    void Begin(std::size_t op, const Nfs4ArgOp& args);
    void BeginData(Step& step, const Nfs4ArgOp& args);
    void BeginName(Step& step, const Nfs4ArgOp& args);
    void BeginSetattr(Step& step, const SetattrArgs4& args);
    void EndStep(std::size_t op,
                 ChangeOutcome outcome,
                 const Compound4Res* results,
                 const HostBuffer* place);
    void EndRead(const Step& step, const ReadRes4& result, const HostBuffer* place);
    void EndReadPlus(const Step& step, const ReadPlusRes4& result);
    /// \return whether the operation is one of NFSv4.2's on ranges.
    bool BeginRange(Step& step, const Nfs4ArgOp& args);
    /// The same for its end. \param result null: there is none
    void EndRange(const Step& step, ChangeOutcome outcome, const Nfs4ResOp* result);
    /// What an operation with an object in a directory did.
    void EndName(std::size_t op,
                 const Step& step,
                 ChangeOutcome outcome,
                 const Compound4Res* results);
    void BindEntries(const Step& step, const ReaddirRes4& listing);

    std::shared_ptr<ContentModel> m_content;
    std::optional<ByteVector> m_current; ///< Handle of the current object, when known.
    std::optional<ByteVector> m_saved;
    std::vector<Step> m_steps; ///< One for each operation.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_CHECK_COMPOUND_CONTENT_H
