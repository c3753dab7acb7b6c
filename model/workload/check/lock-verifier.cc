/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/lock-verifier.h"

#include "workload/check/lock-record.h"

namespace ns3::nfsrdma
{

void
LockVerifier::Add(const LockWorkload& workload)
{
    for (const auto& [place, increments] : workload.GetIncrements())
    {
        Sum& sum = m_sums[place];
        sum.increments.done += increments.done;
        sum.increments.uncertain += increments.uncertain;
        sum.octets = workload.GetRecordSize();
    }
    m_violations += workload.GetViolations();
}

ContentCheck
LockVerifier::Verify(const FileStore& store, InodeNumber shared) const
{
    ContentCheck check;
    for (uint64_t i = 0; i < m_violations; ++i)
    {
        check.AddMismatch("", 0, "a record changed while it was locked");
    }
    const Directory& directory = *store.Get(shared).directory;
    for (const auto& [place, sum] : m_sums)
    {
        const auto& [name, offset] = place;
        const auto number = directory.Find(name);
        if (!number)
        {
            check.AddMismatch(name, 0, "is missing");
            continue;
        }
        ++check.files;
        ByteVector octets(sum.octets);
        octets.resize(store.Get(*number).content->Read(offset, octets));
        check.octets += octets.size();
        const auto count = ReadLockRecord(octets);
        const uint64_t most = sum.increments.done + sum.increments.uncertain;
        if (!count || *count < sum.increments.done || *count > most)
        {
            check.AddMismatch(name,
                              offset,
                              "has a count of " + (count ? std::to_string(*count) : "no one") +
                                  ", not the " + std::to_string(sum.increments.done) +
                                  " increments of all clients");
        }
    }
    return check;
}

} // namespace ns3::nfsrdma
