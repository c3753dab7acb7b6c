/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "workload/replay/compound-trace-reader.h"
#include "workload/replay/trace-reader.h"
#include "workload/replay/tree-reader.h"

#include <set>

namespace ns3::nfsrdma
{

namespace
{

template <typename T>
void
CheckError(const Parsed<T>& parsed)
{
    const auto line = parsed.error().Describe();
    FuzzExpect(!parsed.error().expected.empty());
    FuzzExpect(line.rfind("fuzz.csv", 0) == 0 && line.find('\n') == std::string::npos);
}

void
CheckTrace(const Parsed<Trace>& trace)
{
    if (!trace)
    {
        return CheckError(trace);
    }
    Time latest;
    for (const auto& row : trace->rows)
    {
        FuzzExpect(row.time >= latest && row.client < trace->clients.size());
        latest = row.time;
        FuzzExpect(!row.GetName().empty());
    }
    FuzzExpect(trace->CountUnsupported().size() <= trace->rows.size());
}

void
CheckTree(const Parsed<Tree>& tree)
{
    if (!tree)
    {
        return CheckError(tree);
    }
    FuzzExpect(!tree->rows.empty() && tree->rows.front().type == Ftype3::DIR);
    std::set<std::string> objects;
    for (const auto& row : tree->rows)
    {
        FuzzExpect(row.parent.empty() == objects.empty());
        FuzzExpect(row.parent.empty() || objects.count(row.parent) == 1);
        objects.insert(row.object);
    }
}

} // namespace

/// The first octet chooses which file of a recording follows: a trace of NFSv3, of NFSv4, or a
/// tree.
void
FuzzOne(ByteSpan input)
{
    const FuzzText chosen(input);
    switch (chosen.choice)
    {
    case '3':
        return CheckTrace(TraceReader::Parse("fuzz.csv", chosen.text));
    case '4':
        return CheckTrace(CompoundTraceReader::Parse("fuzz.csv", chosen.text));
    case 't':
        return CheckTree(TreeReader::Parse("fuzz.csv", chosen.text));
    default:
        return;
    }
}

} // namespace ns3::nfsrdma
