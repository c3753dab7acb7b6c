/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/measured-files.h"

#include "ns3/boolean.h"

#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(FileWorkload);

TypeId
FileWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::FileWorkload")
            .SetParent<Workload>()
            .SetGroupName("NfsRdma")
            .AddAttribute(
                "SystemCalls",
                "Whether operations are system calls, which the client's caches of "
                "attributes and names answer where they can. Default: no, each is one of "
                "the protocol",
                BooleanValue(false),
                MakeBooleanAccessor(&FileWorkload::SetSystemCalls, &FileWorkload::HasSystemCalls),
                MakeBooleanChecker());
    return tid;
}

void
FileWorkload::DoStart()
{
    const auto valid = Validate();
    NS_ABORT_MSG_UNLESS(valid, GetKind() << ": expected " << valid.error());
    SetPhase(WorkloadPhase::SETUP);
    GetMount().Mount([self = Ptr<FileWorkload>(this)](const FileReply& reply) {
        if (self->GetPhase() != WorkloadPhase::SETUP)
        {
            return;
        }
        if (reply.IsOk())
        {
            self->TakeTurn(self->GetKind() + " " + self->GetDirectory(),
                           [self] { self->DoSetUp(); });
        }
        else
        {
            self->GiveUp(1);
        }
    });
}

void
FileWorkload::MakeFiles(std::unique_ptr<FileSetup>& layout,
                        FileSetup::Plan plan,
                        std::function<void()> done)
{
    plan.made = IsMade();
    layout = std::make_unique<FileSetup>(GetFiles(), GetMount().GetRootRef(), std::move(plan));
    layout->Start([this, setup = layout.get(), then = std::move(done)] {
        if (setup->GetErrors() != 0)
        {
            GiveUp(setup->GetErrors());
            return;
        }
        then();
    });
}

void
FileWorkload::GiveUp(uint64_t errors)
{
    m_setupErrors += errors;
    SetPhase(WorkloadPhase::FINISHED);
}

} // namespace ns3::nfsrdma
