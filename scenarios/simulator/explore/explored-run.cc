/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/explore/explored-run.h"

#include "scenarios/simulator/run/scenario-run.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

/// Notes the states of a run and the moves that it leaves, and ends it when nothing new can come.
class RunWatch : public ExploringSimulator::Watch
{
  public:
    RunWatch(const ClusterPlan& plan,
             const EventOrder& order,
             const Exploration::States& known,
             uint64_t longest,
             TaskOutput& output)
        : m_plan(plan),
          m_first(order.empty() ? 0 : order.back().step + 1),
          m_losses(Count(order, EventMove::Kind::LOSE)),
          m_duplicates(Count(order, EventMove::Kind::DOUBLE)),
          m_known(known),
          m_longest(longest),
          m_output(output)
    {
    }

    void Prepare(ExploringSimulator& simulator, const Cluster& cluster)
    {
        m_simulator = &simulator;
        m_cluster = &cluster;
        for (uint32_t host = 0; host < cluster.GetHostCount(); ++host)
        {
            m_hosts.insert(cluster.GetDevice(host)->GetNode()->GetId());
        }
        simulator.SetWatch(this);
    }

    void BeforeStep(const ExploringSimulator::NextEvent& next) override
    {
        const auto step = m_simulator->GetStep();
        if (m_longest != 0 && step > m_longest)
        {
            m_text << "broken the run does not end\n";
            End();
        }
        if (step < m_first)
        {
            return;
        }
        if (m_simulator->IsSettled())
        {
            const auto state = m_simulator->GetState();
            if (m_known.count(state) != 0)
            {
                m_text << "joined\n";
                End();
            }
            m_text << "state " << state << "\n";
        }
        if (IsMovable() && m_hosts.count(next.context) != 0)
        {
            NoteMoves(step, next);
        }
    }

    [[noreturn]] void End(const RunReport& report)
    {
        for (const auto& line : report.broken)
        {
            m_text << "broken " << line << "\n";
        }
        for (const auto& line : report.brokenGuarantees)
        {
            m_text << "broken a guarantee: " << line << "\n";
        }
        if (report.status == RunStatus::STALLED)
        {
            m_text << "broken the run stalls\n";
        }
        else
        {
            DescribeFailure(report);
        }
        End();
    }

  private:
    static uint64_t Count(const EventOrder& order, EventMove::Kind kind)
    {
        return static_cast<uint64_t>(
            std::count_if(order.begin(), order.end(), [kind](const EventMove& move) {
                return move.kind == kind;
            }));
    }

    [[nodiscard]] bool IsMovable() const
    {
        return !m_cluster->IsFinished() &&
               (m_plan.explore.setup || m_cluster->GetMeasurement().GetPhase() != RunPhase::SETUP);
    }

    void NoteMoves(uint64_t step, const ExploringSimulator::NextEvent& next)
    {
        if (m_plan.explore.holds && next.isArrival)
        {
            m_text << "hold " << step << "\n";
        }
        if (next.isFrame && m_losses < m_plan.explore.losses)
        {
            m_text << "lose " << step << "\n";
        }
        if (next.isFrame && m_duplicates < m_plan.explore.duplicates)
        {
            m_text << "double " << step << "\n";
        }
        if (next.isCompletion && m_plan.explore.completions)
        {
            m_text << "delay " << step << "\n";
        }
        for (const auto& event : m_simulator->ListFloating())
        {
            // Between events of other hosts it makes no difference when it happens.
            if (event.context == next.context || event.context == Simulator::NO_CONTEXT)
            {
                m_text << "advance " << event.actor << " " << event.number << " " << step << "\n";
            }
        }
    }

    void DescribeFailure(const RunReport& report)
    {
        const auto& verification = report.verification;
        if (verification.GetMismatches() != 0)
        {
            m_text << "broken an answer or a file is not as it should be\n";
        }
        for (const auto& line : report.leftovers.GetLines())
        {
            m_text << "broken left over: " << line << "\n";
        }
        if (!IsConserved(report))
        {
            m_text << "broken octets or RPCs are not conserved\n";
        }
    }

    [[noreturn]] void End()
    {
        m_text << "steps " << m_simulator->GetStep() << "\npassed " << m_simulator->GetPassed()
               << "\n";
        m_output.End(m_text.str());
    }

    const ClusterPlan& m_plan;
    uint64_t m_first;      ///< The first step that a further move may be made at.
    uint64_t m_losses;     ///< Moves of the order that lose a frame.
    uint64_t m_duplicates; ///< Moves of the order that double one.
    const Exploration::States& m_known;
    uint64_t m_longest;
    TaskOutput& m_output;
    ExploringSimulator* m_simulator{nullptr};
    const Cluster* m_cluster{nullptr};
    std::set<uint32_t> m_hosts; ///< Contexts.
    std::ostringstream m_text;
};

} // namespace

void
RunExplored(const ClusterPlan& plan,
            const EventOrder& order,
            const Exploration::States& known,
            uint64_t longest,
            const std::string& directory,
            TaskOutput& output)
{
    RunWatch watch(plan, order, known, longest, output);
    OutputDirectory files(directory, OutputDirectory::Placement::WHOLE);
    RunDetail detail;
    detail.tables = false;
    detail.progress = false;
    detail.rpcs = false;
    const auto prepare = [&watch](ExploringSimulator& simulator, const Cluster& cluster) {
        watch.Prepare(simulator, cluster);
    };
    ScenarioRun run(plan, files, detail, RunOrder{order, prepare});
    watch.End(run.Execute());
}

ExploredRun
ReadExplored(const TaskResult& result)
{
    ExploredRun run;
    if (result.signal != 0)
    {
        run.broken.push_back(std::string("the program ends by signal: ") +
                             strsignal(result.signal));
    }
    std::istringstream lines(result.text);
    for (std::string line; std::getline(lines, line);)
    {
        std::istringstream words(line);
        std::string kind;
        words >> kind;
        EventMove move;
        if (kind == "state")
        {
            uint64_t state = 0;
            words >> state;
            run.states.push_back(state);
        }
        else if (kind == "advance" && words >> move.actor >> move.number >> move.step)
        {
            move.kind = EventMove::Kind::ADVANCE;
            run.moves.push_back(move);
        }
        else if (const auto found = FindMoveKind(kind); found && words >> move.step)
        {
            move.kind = *found;
            move.number = PutsOff(*found) ? 1 : 0;
            run.moves.push_back(move);
        }
        else if (kind == "steps")
        {
            words >> run.steps;
        }
        else if (kind == "passed")
        {
            words >> run.passed;
        }
        else if (kind == "broken")
        {
            run.broken.push_back(line.substr(kind.size() + 1));
        }
        else if (kind == "joined")
        {
            run.joined = true;
        }
    }
    return run;
}

} // namespace ns3::nfsrdma
