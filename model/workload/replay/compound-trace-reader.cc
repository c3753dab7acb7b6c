/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/replay/compound-trace-reader.h"

#include "nfs/v3/status3.h"
#include "rpc/payload.h"
#include "workload/replay/csv-fields.h"
#include "workload/replay/recorded-compound.h"
#include "workload/replay/trace-header.h"

#include <utility>

namespace ns3::nfsrdma
{

namespace
{

enum CompoundColumn : std::size_t
{
    PROGRAM = 3, ///< After what ReadTraceRowHead() reads.
    MINOR,
    OPERATION,
    OPERATIONS,
    OBJECT,
    NAME,
    OBJECT2,
    NAME2,
    OFFSET,
    COUNT,
    STATUS,
    RESULT_OBJECT,
    COMPOUND,
    ITEMS,
    RESULTS,
    RESULT_COMPOUND,
    RESULT_ITEMS,
    ACL_OCTETS,
    CALL_OCTETS,
    REPLY_OCTETS
};

constexpr uint32_t MAX_MINOR = 2;
constexpr uint32_t MAX_ACL_OCTETS = 1U << 24;
constexpr uint32_t MAX_ITEM = 1U << 30;
constexpr const char* FORE_PROGRAM = "NFS4";
constexpr const char* BACK_PROGRAM = "NFSCB1";

int
ToDigit(char c)
{
    if (c >= '0' && c <= '9')
    {
        return c - '0';
    }
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/// \return the octets that \p text shows; nothing when it is no hexadecimal.
std::optional<ByteVector>
ParseHexadecimal(std::string_view text)
{
    constexpr uint32_t DIGIT_BITS = 4;
    ByteVector octets;
    octets.reserve(text.size() / 2);
    for (std::size_t i = 0; i + 1 < text.size(); i += 2)
    {
        const int high = ToDigit(text[i]);
        const int low = ToDigit(text[i + 1]);
        if (high < 0 || low < 0)
        {
            return std::nullopt;
        }
        octets.push_back(static_cast<uint8_t>((static_cast<uint32_t>(high) << DIGIT_BITS) |
                                              static_cast<uint32_t>(low)));
    }
    return text.size() % 2 == 0 ? std::optional<ByteVector>(std::move(octets)) : std::nullopt;
}

/// The octets of operations and the items that are missing from them, behind a head of \p head.
struct Message
{
    Message(const XdrWriter& head, ByteSpan operations)
        : start(static_cast<uint32_t>(head.GetOctets().size()))
    {
        received.octets = head.GetOctets();
        received.octets.insert(received.octets.end(), operations.begin(), operations.end());
    }

    uint32_t start;
    RpcReceivedMessage received;
};

/// Reads one row.
class RowReader
{
  public:
    RowReader(const Trace& trace, const CsvRecord& record)
        : m_fields(trace.file, CompoundTraceReader::GetColumns(), record)
    {
        ReadTraceRowHead(m_fields, record, trace, m_row);
    }

    Parsed<TraceRow> Read()
    {
        m_row.program = m_fields.Required(PROGRAM, "the name of a program, as NFS4");
        m_row.operation = m_fields.Required(OPERATION, "the name of an operation, as OPEN");
        m_row.object = m_fields.Text(OBJECT);
        m_row.name = m_fields.Text(NAME);
        m_row.resultObject = m_fields.Text(RESULT_OBJECT);
        m_row.callOctets = m_fields.Number(CALL_OCTETS).value_or(0);
        m_row.replyOctets = m_fields.Number(REPLY_OCTETS).value_or(0);
        ReadCompound();
        if (!m_fields.Ok())
        {
            return tl::unexpected(m_fields.GetError());
        }
        return std::move(m_row);
    }

  private:
    void ReadCompound()
    {
        const bool isNull = m_row.program == FORE_PROGRAM && m_row.operation == "NULL";
        const bool isBack = m_row.program == BACK_PROGRAM;
        if (!isNull && ((m_row.program != FORE_PROGRAM && !isBack) || m_fields.IsEmpty(COMPOUND)))
        {
            return;
        }
        auto compound = std::make_shared<RecordedCompound>();
        compound->name = "line " + std::to_string(m_row.line) + " " + m_row.operation;
        if (isNull)
        {
            compound->procedure = 0;
        }
        else
        {
            m_minor = static_cast<uint32_t>(m_fields.RequiredNumber(MINOR, MAX_MINOR));
            m_operations = static_cast<uint32_t>(Split(m_fields.Text(OPERATIONS), ' ').size());
            isBack ? ReadCallback(*compound) : ReadCall(*compound);
            compound->findsRoot = m_row.operation == "LOOKUP" &&
                                  m_row.resultObject == ROOT_OBJECT && m_row.object != ROOT_OBJECT;
        }
        if (!isBack && !isNull && !m_fields.IsEmpty(RESULT_COMPOUND))
        {
            ReadReply(*compound);
            compound->isJudged = !m_fields.IsEmpty(STATUS);
        }
        compound->aclOctets =
            static_cast<uint32_t>(m_fields.Number(ACL_OCTETS, MAX_ACL_OCTETS).value_or(0));
        m_row.compound = std::move(compound);
    }

    ByteVector ReadOctets(CompoundColumn column)
    {
        auto octets = ParseHexadecimal(m_fields.Text(column));
        if (!octets)
        {
            m_fields.Fail(column, "octets, two digits of 0 to 9 and a to f each");
            return {};
        }
        return *std::move(octets);
    }

    std::vector<RpcReceivedItem> ReadItems(CompoundColumn column, uint32_t start)
    {
        std::vector<RpcReceivedItem> items;
        uint32_t before = 0;
        for (const auto word : Split(m_fields.Text(column), ' '))
        {
            const auto parts = Split(word, ':');
            const auto length =
                parts.size() == 2 ? ParseUnsigned(parts[0], MAX_ITEM) : std::nullopt;
            const auto position =
                parts.size() == 2 ? ParseUnsigned(parts[1], MAX_ITEM) : std::nullopt;
            if (!length || !position)
            {
                m_fields.Fail(column, "nothing or items as 100:60");
                return {};
            }
            RpcReceivedItem& item = items.emplace_back();
            item.length = static_cast<uint32_t>(*length);
            item.position = start + before + static_cast<uint32_t>(*position);
            before += RoundUp4(item.length);
        }
        return items;
    }

    void ReadCall(RecordedCompound& compound)
    {
        XdrWriter head;
        head.WriteU32(0);
        head.WriteU32(m_minor);
        head.WriteU32(m_operations);
        Message message(head, ReadOctets(COMPOUND));
        message.received.items = ReadItems(ITEMS, message.start);
        XdrReader reader(message.received.octets);
        auto items = Nfs4DataItems::OfCall(message.received, 0);
        auto call = Compound4Args::Decode(reader, &items);
        if (!call || call->error || call->ops.size() != m_operations || reader.Remaining() != 0)
        {
            m_fields.Fail(COMPOUND, DescribeExpected(m_operations));
            return;
        }
        compound.call = *std::move(call);
        compound.callOctets = std::move(message.received.octets);
    }

    void ReadReply(RecordedCompound& compound)
    {
        const auto results =
            static_cast<uint32_t>(m_fields.RequiredNumber(RESULTS, NFS4_MAX_DECODED_OPS));
        XdrWriter head;
        head.WriteU32(0);
        head.WriteU32(0);
        head.WriteU32(results);
        Message message(head, ReadOctets(RESULT_COMPOUND));
        message.received.items = ReadItems(RESULT_ITEMS, message.start);
        XdrReader reader(message.received.octets);
        auto items = Nfs4DataItems::OfReply(message.received);
        auto reply = Compound4Res::Decode(reader, &items);
        if (!reply || reply->ops.size() != results || reader.Remaining() != 0)
        {
            m_fields.Fail(RESULT_COMPOUND, DescribeExpected(results));
            return;
        }
        if (!reply->ops.empty())
        {
            reply->status = GetStatus(reply->ops.back());
        }
        compound.reply = *std::move(reply);
        compound.replyOctets = std::move(message.received.octets);
    }

    void ReadCallback(RecordedCompound& compound)
    {
        XdrWriter head;
        head.WriteU32(0);
        head.WriteU32(m_minor);
        head.WriteU32(0);
        head.WriteU32(m_operations);
        const Message message(head, ReadOctets(COMPOUND));
        XdrReader reader(message.received.octets);
        auto callback = CbCompound4Args::Decode(reader);
        if (!callback || callback->error || callback->ops.size() != m_operations ||
            reader.Remaining() != 0)
        {
            m_fields.Fail(COMPOUND, DescribeExpected(m_operations));
            return;
        }
        compound.callback = *std::move(callback);
    }

    static std::string DescribeExpected(uint32_t operations)
    {
        return "the octets of " + std::to_string(operations) + " operations";
    }

    CsvFields m_fields;
    TraceRow m_row;
    uint32_t m_minor{0};
    uint32_t m_operations{0};
};

} // namespace

bool
CompoundTraceReader::Recognizes(std::string_view content)
{
    const std::string begin = "# " + std::string(MAGIC);
    return content.substr(0, begin.size()) == begin;
}

const std::vector<std::string>&
CompoundTraceReader::GetColumns()
{
    static const std::vector<std::string> columns{
        "time",       "reply_time",  "client",          "program",
        "minor",      "operation",   "operations",      "object",
        "name",       "object2",     "name2",           "offset",
        "count",      "status",      "result_object",   "compound",
        "items",      "results",     "result_compound", "result_items",
        "acl_octets", "call_octets", "reply_octets"};
    return columns;
}

Parsed<Trace>
CompoundTraceReader::Parse(const std::string& file, std::string_view content)
{
    const auto table = CsvTable::Parse(file, content, GetColumns());
    if (!table)
    {
        return tl::unexpected(table.error());
    }
    Trace trace;
    trace.file = file;
    trace.version = TraceVersion::V4;
    if (const auto header = ParseTraceHeader(*table, trace, MAGIC); !header)
    {
        return tl::unexpected(header.error());
    }
    return ReadTraceRows(*table, std::move(trace), [](const Trace& read, const CsvRecord& record) {
        return RowReader(read, record).Read();
    });
}

} // namespace ns3::nfsrdma
