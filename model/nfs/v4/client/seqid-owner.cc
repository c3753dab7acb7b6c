/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/seqid-owner.h"

#include "rpc/xdr-writer.h"

#include "ns3/assert.h"

#include <string_view>

namespace ns3::nfsrdma
{

namespace
{

void
WriteText(XdrWriter& writer, std::string_view text)
{
    const ByteVector octets(text.begin(), text.end());
    writer.WriteFixedOpaque(octets);
}

} // namespace

void
Nfs4Seqid::Answered(Nfs4Status status)
{
    if (status != Nfs4Status::BAD_SEQID)
    {
        m_doubts = 0;
    }
    if (CountsSeqidUp(status))
    {
        ++m_value;
    }
}

void
Nfs4Seqid::Unanswered()
{
    ++m_value;
    ++m_doubts;
}

bool
Nfs4Seqid::StepBack()
{
    if (m_doubts == 0)
    {
        return false;
    }
    --m_doubts;
    --m_value;
    return true;
}

void
Nfs4Seqid::Restart()
{
    m_value = 0;
    m_doubts = 0;
}

ByteVector
Nfs4SeqidOwner::MakeOpenOwner(uint32_t device, uint32_t number, uint64_t created)
{
    XdrWriter writer;
    WriteText(writer, "open id:");
    writer.WriteU32(device);
    writer.WriteU32(number);
    writer.WriteU64(created);
    return writer.Take();
}

ByteVector
Nfs4SeqidOwner::MakeLockOwner(uint32_t device, uint64_t number)
{
    XdrWriter writer;
    WriteText(writer, "lock id:");
    writer.WriteU32(device);
    writer.WriteU64(number);
    return writer.Take();
}

void
Nfs4SeqidOwner::Enqueue(std::function<void()> start)
{
    m_queue.push_back(std::move(start));
    if (m_queue.size() == 1)
    {
        m_queue.front()();
    }
}

void
Nfs4SeqidOwner::EnqueueNext(std::function<void()> start)
{
    if (m_queue.empty())
    {
        Enqueue(std::move(start));
        return;
    }
    m_queue.insert(std::next(m_queue.begin()), std::move(start));
}

void
Nfs4SeqidOwner::Finish()
{
    NS_ASSERT_MSG(!m_queue.empty(), "no call of the owner is under way");
    m_queue.pop_front();
    if (!m_queue.empty())
    {
        m_queue.front()();
    }
}

std::size_t
Nfs4SeqidOwner::GetPending() const
{
    return m_queue.size();
}

} // namespace ns3::nfsrdma
