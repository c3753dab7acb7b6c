/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/replay/compound-comparison.h"

#include "nfs/v3/status3.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

std::string
Describe(const std::vector<Nfs4ResOp>& ops, std::size_t index)
{
    return index < ops.size()
               ? std::string(ToString(GetOp(ops[index]))) + " " + ToString(GetStatus(ops[index]))
               : std::string("nothing");
}

/// The differences between two successful results of the same operation.
class ResultComparison
{
  public:
    explicit ResultComparison(std::vector<std::string>& lines)
        : m_lines(lines)
    {
    }

    void Compare(const Nfs4ResOp& recorded, const Nfs4ResOp& own)
    {
        if (const auto* read = std::get_if<ReadRes4>(&recorded))
        {
            const auto& mine = std::get<ReadRes4>(own);
            Number("READ count", read->data.length, mine.data.length);
            Number("READ eof", read->eof ? 1 : 0, mine.eof ? 1 : 0);
        }
        else if (const auto* write = std::get_if<WriteRes4>(&recorded))
        {
            Number("WRITE count", write->count, std::get<WriteRes4>(own).count);
        }
        else if (const auto* readdir = std::get_if<ReaddirRes4>(&recorded))
        {
            const auto& mine = std::get<ReaddirRes4>(own);
            Number("READDIR entries", readdir->entries.size(), mine.entries.size());
            Number("READDIR eof", readdir->eof ? 1 : 0, mine.eof ? 1 : 0);
        }
        else if (const auto* getattr = std::get_if<GetattrRes4>(&recorded))
        {
            const auto& mine = std::get<GetattrRes4>(own);
            if (getattr->attributes.acl)
            {
                Number("ACL entries",
                       getattr->attributes.acl->size(),
                       mine.attributes.acl ? mine.attributes.acl->size() : 0);
            }
        }
    }

  private:
    void Number(const char* what, uint64_t recorded, uint64_t own)
    {
        if (recorded != own)
        {
            m_lines.push_back(std::string(what) + " " + std::to_string(own) + ", recorded " +
                              std::to_string(recorded));
        }
    }

    std::vector<std::string>& m_lines;
};

} // namespace

std::vector<std::string>
CompareCompounds(const Compound4Res& recorded, const Compound4Res& own)
{
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < std::max(recorded.ops.size(), own.ops.size()); ++i)
    {
        const std::string real = Describe(recorded.ops, i);
        const std::string mine = Describe(own.ops, i);
        if (real != mine)
        {
            lines.push_back(std::string(mine).append(", recorded ").append(real));
        }
        else if (GetStatus(own.ops[i]) == Nfs4Status::OK)
        {
            ResultComparison(lines).Compare(recorded.ops[i], own.ops[i]);
        }
    }
    return lines;
}

} // namespace ns3::nfsrdma
