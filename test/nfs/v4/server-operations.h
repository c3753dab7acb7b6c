/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_NFS_V4_SERVER_OPERATIONS_H
#define NFSRDMA_TEST_NFS_V4_SERVER_OPERATIONS_H

#include "nfs/v4/server-fixture.h"

#include <deque>
#include <string>
#include <vector>

namespace ns3::nfsrdma::test
{

/// A server whose operations are called one COMPOUND at a time, in the session of a mounted client.
class Nfs4ServerOperations : public Nfs4ServerFixture
{
  protected:
    /// \return the statuses of all results.
    static std::vector<Nfs4Status> GetStatuses(const Answer& answer)
    {
        std::vector<Nfs4Status> statuses;
        for (const Nfs4ResOp& result : answer.results.ops)
        {
            statuses.push_back(GetStatus(result));
        }
        return statuses;
    }

    Answer OpenIt(const std::string& name, uint32_t access, const std::string& owner = "owner")
    {
        return InSession({Put(m_root), MakeOpen(name, access, owner), GetfhArgs4()});
    }

    Nfs4StateId GetOpenState(const Answer& opened)
    {
        EXPECT_EQ(opened.results.status, Nfs4Status::OK);
        return Get<OpenRes4>(opened, 2).stateid;
    }

    static ReadArgs4 MakeRead(uint64_t offset, uint32_t count)
    {
        ReadArgs4 read;
        read.offset = offset;
        read.count = count;
        return read;
    }

    WriteArgs4 MakeWrite(const Nfs4StateId& state, const ByteVector& octets)
    {
        WriteArgs4 write;
        write.stateid = state;
        write.data = Nfs3Data(m_written.emplace_back(octets));
        return write;
    }

    /// Another client takes the place of the mounted one.
    struct Mounted
    {
        Nfs4ClientId client;
        Nfs4SessionId session;
        uint32_t sequence;
    };

    Mounted Swap(const Mounted& other)
    {
        const Mounted now{m_client, m_session, m_sequence};
        m_client = other.client;
        m_session = other.session;
        m_sequence = other.sequence;
        return now;
    }

    Mounted MountOther()
    {
        const Mounted first{m_client, m_session, m_sequence};
        Mount("other");
        return Swap(first);
    }

    std::deque<ByteVector> m_written; ///< What MakeWrite()s point to.
};

} // namespace ns3::nfsrdma::test

#endif // NFSRDMA_TEST_NFS_V4_SERVER_OPERATIONS_H
