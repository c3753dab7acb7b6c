/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/mount-walk.h"

#include "nfs/v4/client/masks.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

/// ACCESS of a directory: all but EXECUTE.
constexpr uint32_t DIRECTORY_ACCESS =
    ACCESS4_READ | ACCESS4_LOOKUP | ACCESS4_MODIFY | ACCESS4_EXTEND | ACCESS4_DELETE;

} // namespace

Nfs4MountWalk::Nfs4MountWalk(Nfs4OperationRunner& runner)
    : m_runner(runner)
{
}

void
Nfs4MountWalk::SetExport(const std::string& path)
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
Nfs4MountWalk::Start(Done done)
{
    const auto takeHandle = [this](const Nfs4TaskReply& result) {
        if (const auto* got = result.Find<GetfhRes4>())
        {
            m_current = got->object;
        }
    };
    m_steps.clear();
    if (m_runner.GetClient()->HasSessions())
    {
        m_steps.push_back(
            {[] { return MakeNfs4Task(false, PutrootfhArgs4(), SecinfoNoNameArgs4()); }, nullptr});
    }
    m_steps.push_back({[] {
                           return MakeNfs4Task(false,
                                               PutrootfhArgs4(),
                                               GetfhArgs4(),
                                               GetattrArgs4{MakeObjectMask()});
                       },
                       takeHandle});
    // Linux asks once for the server, and once more for the mount of its root.
    AddCapabilities();
    AddFsInfo();
    AddProbes();
    for (const std::string& name : m_export)
    {
        AddName(name, takeHandle);
    }
    Next(done);
}

void
Nfs4MountWalk::AddGetattr(std::function<Nfs4Bitmap()> mask,
                          std::function<void(const Nfs4Attributes& attributes)> take)
{
    m_steps.push_back({[this, mask = std::move(mask)] {
                           return MakeNfs4Task(false, PutfhArgs4{m_current}, GetattrArgs4{mask()});
                       },
                       [take = std::move(take)](const Nfs4TaskReply& result) {
                           const auto* got = result.Find<GetattrRes4>();
                           if (take && got != nullptr)
                           {
                               take(got->attributes);
                           }
                       }});
}

void
Nfs4MountWalk::AddCapabilities()
{
    AddGetattr([this] { return MakeCapabilitiesMask(m_runner.GetClient()->GetMinorVersion()); },
               [this](const Nfs4Attributes& attributes) {
                   m_supported = attributes.supportedAttrs.value_or(Nfs4Bitmap());
               });
}

void
Nfs4MountWalk::AddFsInfo()
{
    AddGetattr([this] { return MakeFsInfoMask(m_supported); },
               [this](const Nfs4Attributes& attributes) {
                   if (attributes.leaseTime)
                   {
                       m_runner.GetClient()->GetRenewal().SetPeriod(Seconds(*attributes.leaseTime));
                   }
                   const uint64_t largest = std::min(attributes.maxRead.value_or(UINT32_MAX),
                                                     attributes.maxWrite.value_or(UINT32_MAX));
                   m_maxTransfer = static_cast<uint32_t>(std::min<uint64_t>(largest, UINT32_MAX));
               });
}

void
Nfs4MountWalk::AddProbes()
{
    AddCapabilities();
    AddFsInfo();
    AddGetattr(MakePathConfMask, nullptr);
    AddCapabilities();
    AddGetattr(MakeObjectMask, nullptr);
}

void
Nfs4MountWalk::AddName(const std::string& name, const TakeReply& takeHandle)
{
    m_steps.push_back({[this] {
                           return MakeNfs4Task(false,
                                               PutfhArgs4{m_current},
                                               AccessArgs4{DIRECTORY_ACCESS},
                                               GetattrArgs4{MakeConsistencyMask()});
                       },
                       nullptr});
    const auto lookup = [this, name] {
        return MakeNfs4Task(false,
                            PutfhArgs4{m_current},
                            LookupArgs4{name},
                            GetfhArgs4(),
                            GetattrArgs4{MakeObjectMask()});
    };
    // Another file system: Linux looks the name up once more to mount it.
    m_steps.push_back({lookup, nullptr});
    m_steps.push_back({lookup, takeHandle});
    AddProbes();
}

void
Nfs4MountWalk::Next(const Done& done)
{
    if (m_steps.empty())
    {
        m_root = MakeRef(m_current);
        done(FileReply());
        return;
    }
    const auto step = std::move(m_steps.front());
    m_steps.pop_front();
    m_runner.Submit<FileReply>(
        step.make(),
        [take = step.take](const Nfs4TaskReply& result, FileReply& /* reply */) {
            if (take)
            {
                take(result);
            }
        },
        [this, done](const FileReply& reply) {
            if (!reply.IsOk())
            {
                done(reply);
                return;
            }
            Next(done);
        });
}

} // namespace ns3::nfsrdma
