/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_WORKLOAD_TRACE_BUILDER_H
#define NFSRDMA_TEST_WORKLOAD_TRACE_BUILDER_H

#include "workload/replay/trace.h"

#include <memory>
#include <string>
#include <utility>

namespace ns3::nfsrdma::test
{

/// Makes traces row by row; each row is called when the one before has been answered, unless At()
/// says otherwise.
class TraceBuilder
{
  public:
    TraceBuilder()
    {
        m_trace.clients.resize(1);
    }

    /// The next row's call and reply, in microseconds.
    TraceBuilder& At(int64_t call, int64_t reply)
    {
        m_call = call;
        m_reply = reply;
        return *this;
    }

    TraceRow& Add(NfsOperation operation,
                  const std::string& object = "",
                  const std::string& name = "")
    {
        TraceRow row;
        row.line = static_cast<uint32_t>(m_trace.rows.size() + 1);
        row.time = MicroSeconds(m_call);
        row.replyTime = MicroSeconds(m_reply);
        At(m_reply + 1, m_reply + 2);
        const std::string name3 = operation.GetName();
        row.program = operation.GetNfs3() ? "NFS3" : "NFSACL3";
        row.operation = operation.GetNfs3() ? name3 : name3.substr(row.program.size() + 1);
        row.procedure = operation;
        row.object = object;
        row.name = name;
        row.status = 0;
        m_trace.rows.push_back(std::move(row));
        return m_trace.rows.back();
    }

    void AddUnsupported(const std::string& program, const std::string& operation)
    {
        TraceRow& row = Add(Nfs3Procedure::NULLPROC);
        row.program = program;
        row.operation = operation;
        row.procedure.reset();
    }

    TraceRow& AddCreate(const std::string& dir, const std::string& name, const std::string& object)
    {
        TraceRow& row = Add(Nfs3Procedure::CREATE, dir, name);
        row.attributes.mode = 0644;
        row.resultObject = object;
        return row;
    }

    TraceRow& AddLookup(const std::string& dir, const std::string& name, const std::string& object)
    {
        TraceRow& row = Add(Nfs3Procedure::LOOKUP, dir, name);
        row.resultObject = object;
        return row;
    }

    TraceRow& AddRange(Nfs3Procedure procedure,
                       const std::string& object,
                       uint64_t offset,
                       uint32_t count)
    {
        TraceRow& row = Add(procedure, object);
        row.offset = offset;
        row.count = count;
        return row;
    }

    [[nodiscard]] std::shared_ptr<const Trace> Get() const
    {
        return std::make_shared<const Trace>(m_trace);
    }

  private:
    Trace m_trace;
    int64_t m_call{0};
    int64_t m_reply{1};
};

} // namespace ns3::nfsrdma::test

#endif // NFSRDMA_TEST_WORKLOAD_TRACE_BUILDER_H
