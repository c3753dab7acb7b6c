/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/check-capture.h"

#include "helper/capture/capture-file.h"
#include "helper/capture/conversation-replay.h"
#include "scenarios/simulator/check-rpcrdma.h"
#include "scenarios/simulator/report/text-table.h"

#include <algorithm>
#include <map>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::size_t MAX_ERRORS = 20;
constexpr std::size_t MAX_BEGUN_BEFORE = 20;

constexpr std::array<const char*, MpaDirection::OPCODES> COLUMN_NAMES{"Write",
                                                                      "Read Req",
                                                                      "Read Resp",
                                                                      "Send",
                                                                      "Send Inv",
                                                                      "Send SE",
                                                                      "Send SE Inv",
                                                                      "Terminate",
                                                                      "Imm",
                                                                      "Imm SE",
                                                                      "Atomic Req",
                                                                      "Atomic Resp",
                                                                      "12",
                                                                      "13",
                                                                      "14",
                                                                      "15"};

/// One line of the table, or the sum of several.
struct Tally
{
    uint64_t directions{0};
    uint64_t frames{0};
    uint64_t fpdus{0};
    std::array<uint64_t, MpaDirection::OPCODES> messages{};
    uint64_t crcs{0};
    uint64_t octets{0};
    uint64_t reencoded{0};
    uint64_t errors{0};

    static Tally Of(const MpaConversation& conversation, std::size_t side)
    {
        const MpaDirection& direction = conversation.GetDirection(side);
        return {1,
                conversation.GetTcp().GetDirection(side).frames,
                direction.fpdus.size(),
                direction.messages,
                direction.crcsGood,
                direction.mpaOctets,
                direction.reencodedOctets,
                direction.faults.size()};
    }

    void Add(const Tally& other)
    {
        directions += other.directions;
        frames += other.frames;
        fpdus += other.fpdus;
        for (std::size_t opcode = 0; opcode < messages.size(); ++opcode)
        {
            messages[opcode] += other.messages[opcode];
        }
        crcs += other.crcs;
        octets += other.octets;
        reencoded += other.reencoded;
        errors += other.errors;
    }

    [[nodiscard]] bool IsGood() const
    {
        return directions != 0 && errors == 0 && octets == reencoded;
    }
};

std::string
DirectionName(const MpaConversation& conversation, std::size_t side)
{
    const TcpConversation& tcp = conversation.GetTcp();
    return tcp.GetDirection(side).source.ToString() + " > " +
           tcp.GetDirection(1 - side).source.ToString();
}

/// The table of one file or of all; opcodes that do not occur have no column.
class DirectionTable
{
  public:
    void AddRow(std::string name, const Tally& tally)
    {
        m_rows.emplace_back(std::move(name), tally);
        m_sum.Add(tally);
    }

    [[nodiscard]] const Tally& GetSum() const
    {
        return m_sum;
    }

    [[nodiscard]] std::string ToText(const std::string& head) const
    {
        std::vector<std::string> names{head, "frames", "FPDUs"};
        for (std::size_t opcode = 0; opcode < COLUMN_NAMES.size(); ++opcode)
        {
            if (m_sum.messages[opcode] != 0)
            {
                names.emplace_back(COLUMN_NAMES[opcode]);
            }
        }
        for (const char* name : {"CRCs", "octets", "re-encoded", "errors"})
        {
            names.emplace_back(name);
        }
        TextTable table(names);
        for (const auto& [name, tally] : m_rows)
        {
            table.AddRow(MakeCells(name, tally));
        }
        if (m_rows.size() > 1)
        {
            table.AddRule();
            table.AddRow(MakeCells("all", m_sum));
        }
        return table.ToText();
    }

  private:
    [[nodiscard]] std::vector<std::string> MakeCells(const std::string& name,
                                                     const Tally& tally) const
    {
        std::vector<std::string> cells{name,
                                       std::to_string(tally.frames),
                                       std::to_string(tally.fpdus)};
        for (std::size_t opcode = 0; opcode < tally.messages.size(); ++opcode)
        {
            if (m_sum.messages[opcode] != 0)
            {
                cells.push_back(std::to_string(tally.messages[opcode]));
            }
        }
        for (const uint64_t count : {tally.crcs, tally.octets, tally.reencoded, tally.errors})
        {
            cells.push_back(std::to_string(count));
        }
        return cells;
    }

    std::vector<std::pair<std::string, Tally>> m_rows;
    Tally m_sum;
};

void
PrintErrors(const std::vector<MpaConversation>& conversations, std::ostream& out)
{
    std::size_t count = 0;
    for (const MpaConversation& conversation : conversations)
    {
        for (std::size_t side = 0; side < TcpConversation::SIDES; ++side)
        {
            for (const CaptureFault& fault : conversation.GetDirection(side).faults)
            {
                if (++count > MAX_ERRORS)
                {
                    continue;
                }
                out << "error: ";
                if (fault.frame != 0)
                {
                    out << "frame " << fault.frame << ": ";
                }
                out << DirectionName(conversation, side) << ": " << fault.text << "\n";
            }
        }
    }
    if (count > MAX_ERRORS)
    {
        out << "and " << count - MAX_ERRORS << " more errors\n";
    }
}

void
PrintNotes(const std::vector<MpaConversation>& conversations, std::ostream& out)
{
    std::size_t begunBefore = 0;
    for (const MpaConversation& conversation : conversations)
    {
        const TcpConversation& tcp = conversation.GetTcp();
        if (tcp.IsBegunBefore() && !conversation.IsOperational())
        {
            if (++begunBefore <= MAX_BEGUN_BEFORE)
            {
                out << "note: " << DirectionName(conversation, 0)
                    << ": began before the capture; without both startup frames it cannot be "
                       "decoded\n";
            }
            continue;
        }
        for (std::size_t side = 0; conversation.IsMpa() && side < TcpConversation::SIDES; ++side)
        {
            const MpaDirection& direction = conversation.GetDirection(side);
            const auto note = [&](const std::string& text) {
                out << "note: " << DirectionName(conversation, side) << ": " << text << "\n";
            };
            if (direction.padsNotZero != 0)
            {
                note(std::to_string(direction.padsNotZero) +
                     " FPDUs have pad octets that are not zero");
            }
            if (direction.startupReservedFlags != 0)
            {
                note("reserved flag bits are set in the startup frame");
            }
            if (direction.partOctets != 0)
            {
                note("ends " + std::to_string(direction.partOctets) + " octets into an FPDU");
            }
            if (direction.unreadOctets != 0)
            {
                note(std::to_string(direction.unreadOctets) + " octets are not decoded");
            }
            for (const CapturedFpdu& fpdu : direction.fpdus)
            {
                if (fpdu.terminate)
                {
                    note("Terminate " + fpdu.terminate->ToString());
                }
            }
        }
    }
    if (begunBefore > MAX_BEGUN_BEFORE)
    {
        out << "note: and " << begunBefore - MAX_BEGUN_BEFORE
            << " more connections that began before the capture\n";
    }
}

/// The model in the place of each side: one line for each end that is different, with its number.
void
PrintReplay(const std::vector<MpaConversation>& conversations, std::ostream& out)
{
    std::map<std::string, uint64_t> outcomes;
    std::map<SiwDifference, uint64_t> explained;
    std::vector<std::string> unexplained;
    const NamedStags named(conversations);
    for (const MpaConversation& conversation : conversations)
    {
        if (!conversation.IsMpa() || conversation.GetTcp().IsBegunBefore())
        {
            continue;
        }
        ConversationReplay replay(conversation, named);
        replay.Run();
        for (std::size_t side = 0; side < TcpConversation::SIDES; ++side)
        {
            const ReplayVerdict& verdict = replay.GetVerdict(side);
            const char* role = side == replay.GetInitiator() ? "initiator " : "responder ";
            ++outcomes[role + verdict.Describe()];
            for (const SiwDifference difference : verdict.explained)
            {
                ++explained[difference];
            }
            for (const std::string& text : verdict.unexplained)
            {
                unexplained.push_back(DirectionName(conversation, side) + ": " + text);
            }
        }
    }
    if (outcomes.empty())
    {
        return;
    }
    TextTable table({"model in its place", "sides"});
    for (const auto& [outcome, count] : outcomes)
    {
        table.AddRow({outcome, std::to_string(count)});
    }
    out << "\n" << table.ToText();
    for (const auto& [difference, count] : explained)
    {
        out << "known difference: " << GetName(difference) << " (" << count
            << "): " << GetReason(difference) << "\n";
    }
    for (const std::string& text : unexplained)
    {
        out << "difference: " << text << "\n";
    }
}

/// Octets of memory that what is decoded of a capture may take, besides its connections.
constexpr std::size_t MAX_DECODED = std::size_t{400} << 20;

/// \return all connections that may be MPA; or why they cannot be decoded, on one line.
tl::expected<std::vector<MpaConversation>, std::string>
DecodeConversations(const TcpCapture& capture)
{
    std::vector<MpaConversation> conversations;
    conversations.reserve(capture.conversations.size());
    std::size_t left = MAX_DECODED;
    for (const TcpConversation& tcp : capture.conversations)
    {
        const MpaConversation& conversation = conversations.emplace_back(tcp, left);
        if (conversation.IsCurtailed())
        {
            return tl::make_unexpected("what is decoded of it takes more than " +
                                       std::to_string(MAX_DECODED >> 20) +
                                       " MiB of memory: cut it in parts with editcap -c");
        }
        left -= conversation.GetMemory();
    }
    return conversations;
}

void
PrintMisses(const FrameMisses& misses, bool all, std::ostream& out)
{
    std::vector<std::string> lines = misses.DescribeLost();
    if (all)
    {
        for (std::string& line : misses.DescribeOthers())
        {
            lines.push_back(std::move(line));
        }
    }
    for (const std::string& line : lines)
    {
        out << "note: " << line << "\n";
    }
}

/// \return the sum over the file's directions.
Tally
Report(const std::string& file,
       const TcpCapture& capture,
       const std::vector<MpaConversation>& conversations,
       std::ostream& out)
{
    DirectionTable table;
    for (const MpaConversation& conversation : conversations)
    {
        for (std::size_t side = 0; conversation.IsMpa() && side < TcpConversation::SIDES; ++side)
        {
            table.AddRow(DirectionName(conversation, side), Tally::Of(conversation, side));
        }
    }
    Tally sum = table.GetSum();
    out << file << ": " << capture.frames << " frames, " << capture.conversations.size()
        << " TCP connections, " << sum.directions / 2 << " of MPA\n";
    if (sum.directions == 0)
    {
        out << "error: there is no MPA connection that can be decoded\n";
    }
    else
    {
        out << table.ToText("direction");
    }
    PrintErrors(conversations, out);
    PrintMisses(capture.misses, sum.directions == 0, out);
    PrintNotes(conversations, out);
    PrintReplay(conversations, out);
    sum.errors += ReportRpcRdma(conversations, out);
    return sum;
}

/// \return the sum over the file's directions; or why the file cannot be read, on one line.
tl::expected<Tally, std::string>
CheckFile(const std::string& file, std::ostream& out)
{
    auto source = CaptureFile::Open(file);
    if (!source)
    {
        return tl::make_unexpected(source.error());
    }
    const auto capture = TcpCapture::Read(*std::move(source));
    if (!capture)
    {
        return tl::make_unexpected(capture.error().ToString());
    }
    if (capture->frames == 0)
    {
        return tl::make_unexpected(std::string("the capture holds no frame"));
    }
    const auto conversations = DecodeConversations(*capture);
    if (!conversations)
    {
        return tl::make_unexpected(conversations.error());
    }
    return Report(file, *capture, *conversations, out);
}

} // namespace

RunStatus
CheckCaptures(const std::vector<std::string>& files, std::ostream& out, std::ostream& errors)
{
    auto status = RunStatus::OK;
    DirectionTable totals;
    for (const std::string& file : files)
    {
        const auto sum = CheckFile(file, out);
        if (!sum)
        {
            errors << file << ": " << sum.error() << "\n";
            status = RunStatus::USER;
            continue;
        }
        out << "\n";
        totals.AddRow(file, *sum);
        if (!sum->IsGood() && status == RunStatus::OK)
        {
            status = RunStatus::FAILED;
        }
    }
    if (files.size() > 1)
    {
        out << totals.ToText("file");
    }
    return status;
}

} // namespace ns3::nfsrdma
