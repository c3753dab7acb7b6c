/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/masks.h"
#include "nfs/v4/client/mounted-files-run.h"

#include <algorithm>
#include <deque>

namespace ns3::nfsrdma
{

namespace
{

/// ACCESS of a directory: all but EXECUTE.
constexpr uint32_t DIRECTORY_ACCESS =
    ACCESS4_READ | ACCESS4_LOOKUP | ACCESS4_MODIFY | ACCESS4_EXTEND | ACCESS4_DELETE;

} // namespace

/// A mount under way: COMPOUNDs that are still to be sent, in order.
struct Nfs4FileClient::MountState
{
    struct Step
    {
        Builder build;
        std::function<void(const Nfs4TaskReply& result)> take; ///< May be null.
    };

    std::deque<Step> steps;
    Nfs4Fh current; ///< Of the last name looked up.
    Done<FileReply> done;
};

void
Nfs4FileClient::SetExport(const std::string& path)
{
    m_export.clear();
    std::string name;
    for (const char letter : path + "/")
    {
        if (letter != '/')
        {
            name += letter;
        }
        else if (!name.empty())
        {
            m_export.push_back(name);
            name.clear();
        }
    }
}

void
Nfs4FileClient::Mount(Done<FileReply> done)
{
    const auto mount = std::make_shared<MountState>();
    mount->done = Track(std::move(done));
    const auto takeHandle = [state = mount.get()](const Nfs4TaskReply& result) {
        if (const auto* got = result.Find<GetfhRes4>())
        {
            state->current = got->object;
        }
    };
    if (m_client->HasSessions())
    {
        mount->steps.push_back({[](Compound4Args& compound) {
                                    compound.ops.emplace_back(PutrootfhArgs4());
                                    compound.ops.emplace_back(SecinfoNoNameArgs4());
                                },
                                nullptr});
    }
    mount->steps.push_back({[](Compound4Args& compound) {
                                compound.ops.emplace_back(PutrootfhArgs4());
                                compound.ops.emplace_back(GetfhArgs4());
                                compound.ops.emplace_back(GetattrArgs4{MakeObjectMask()});
                            },
                            takeHandle});
    // Linux asks once for the server, and once more for the mount of its root.
    AddCapabilities(*mount);
    AddFsInfo(*mount);
    AddProbes(*mount);
    for (const std::string& name : m_export)
    {
        mount->steps.push_back({[state = mount.get()](Compound4Args& compound) {
                                    compound.ops.emplace_back(PutfhArgs4{state->current});
                                    compound.ops.emplace_back(AccessArgs4{DIRECTORY_ACCESS});
                                    compound.ops.emplace_back(GetattrArgs4{MakeConsistencyMask()});
                                },
                                nullptr});
        const auto lookup = [state = mount.get(), name](Compound4Args& compound) {
            compound.ops.emplace_back(PutfhArgs4{state->current});
            compound.ops.emplace_back(LookupArgs4{name});
            compound.ops.emplace_back(GetfhArgs4());
            compound.ops.emplace_back(GetattrArgs4{MakeObjectMask()});
        };
        // Another file system: Linux looks the name up once more to mount it.
        mount->steps.push_back({lookup, nullptr});
        mount->steps.push_back({lookup, takeHandle});
        AddProbes(*mount);
    }
    m_client->SetLargestTransfer(FileClient::GetTransferSize());
    m_client->Start(
        [self = Ptr<Nfs4FileClient>(this), mount](RpcOutcome outcome, Nfs4Status status) {
            if (outcome != RpcOutcome::SUCCESS || status != Nfs4Status::OK)
            {
                FileReply reply;
                reply.outcome = outcome;
                reply.status = static_cast<uint32_t>(status);
                self->EndMount(mount, reply);
                return;
            }
            self->MountNext(mount);
        });
}

void
Nfs4FileClient::AddCapabilities(MountState& mount)
{
    mount.steps.push_back(
        {[state = &mount, minor = m_client->GetMinorVersion()](Compound4Args& compound) {
             compound.ops.emplace_back(PutfhArgs4{state->current});
             compound.ops.emplace_back(GetattrArgs4{MakeCapabilitiesMask(minor)});
         },
         [this](const Nfs4TaskReply& result) {
             if (const auto* got = result.Find<GetattrRes4>())
             {
                 m_supported = got->attributes.supportedAttrs.value_or(Nfs4Bitmap());
                 m_exclusive = got->attributes.suppattrExclcreat.value_or(Nfs4Bitmap());
             }
         }});
}

void
Nfs4FileClient::AddFsInfo(MountState& mount)
{
    mount.steps.push_back({[this, state = &mount](Compound4Args& compound) {
                               compound.ops.emplace_back(PutfhArgs4{state->current});
                               compound.ops.emplace_back(GetattrArgs4{MakeFsInfoMask(m_supported)});
                           },
                           [this](const Nfs4TaskReply& result) {
                               const auto* got = result.Find<GetattrRes4>();
                               if (got == nullptr)
                               {
                                   return;
                               }
                               if (got->attributes.leaseTime)
                               {
                                   m_client->SetLeasePeriod(Seconds(*got->attributes.leaseTime));
                               }
                               const uint64_t largest =
                                   std::min(got->attributes.maxRead.value_or(UINT32_MAX),
                                            got->attributes.maxWrite.value_or(UINT32_MAX));
                               m_maxTransfer =
                                   static_cast<uint32_t>(std::min<uint64_t>(largest, UINT32_MAX));
                           }});
}

void
Nfs4FileClient::AddProbes(MountState& mount)
{
    const auto ask = [&mount](const Nfs4Bitmap& mask) {
        mount.steps.push_back({[state = &mount, mask](Compound4Args& compound) {
                                   compound.ops.emplace_back(PutfhArgs4{state->current});
                                   compound.ops.emplace_back(GetattrArgs4{mask});
                               },
                               nullptr});
    };
    AddCapabilities(mount);
    AddFsInfo(mount);
    ask(MakePathConfMask());
    AddCapabilities(mount);
    ask(MakeObjectMask());
}

void
Nfs4FileClient::MountNext(const std::shared_ptr<MountState>& mount)
{
    if (mount->steps.empty())
    {
        m_root = MakeRef(mount->current);
        EndMount(mount, FileReply());
        return;
    }
    const auto step = std::move(mount->steps.front());
    mount->steps.pop_front();
    Run<FileReply>(
        MakeTask(step.build, false),
        [take = step.take](const Nfs4TaskReply& result, FileReply& /* reply */) {
            if (take)
            {
                take(result);
            }
        },
        [this, mount](const FileReply& reply) {
            if (!reply.IsOk())
            {
                EndMount(mount, reply);
                return;
            }
            MountNext(mount);
        });
}

void
Nfs4FileClient::EndMount(const std::shared_ptr<MountState>& mount, const FileReply& reply)
{
    const auto done = std::move(mount->done);
    mount->steps.clear();
    done(reply);
}

void
Nfs4FileClient::Unmount(Done<FileReply> done)
{
    m_client->Stop([tracked = Track(std::move(done))](RpcOutcome outcome, Nfs4Status status) {
        FileReply reply;
        reply.outcome = outcome;
        reply.status = static_cast<uint32_t>(status);
        tracked(reply);
    });
}

uint32_t
Nfs4FileClient::GetTransferSize() const
{
    const uint32_t wanted = FileClient::GetTransferSize();
    return m_maxTransfer == 0 ? wanted : std::min(wanted, m_maxTransfer);
}

} // namespace ns3::nfsrdma
