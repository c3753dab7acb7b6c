/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/sentence.h"

#include "fault/action.h"
#include "fault/sentence-reader.h"
#include "fault/word-list.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::array<std::string_view, 3> PROGRAMS{"nfs", "nfsacl", "callback"};
constexpr uint64_t MANY = SentenceReader::MANY;

template <typename Names>
std::vector<std::string>
ToStrings(const Names& names)
{
    return {names.begin(), names.end()};
}

std::vector<std::string>
GetEventWords()
{
    auto words = ToStrings(GetFaultEventNames());
    words.insert(words.end(), PROGRAMS.begin(), PROGRAMS.end());
    return words;
}

std::string
ToUpper(std::string_view word)
{
    std::string text(word);
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
        return static_cast<char>(std::toupper(c));
    });
    return text;
}

/// Reads WHEN and WHERE, up to the colon.
class WhenReader
{
  public:
    WhenReader(SentenceReader& reader, FaultSpec& spec)
        : m_reader(reader),
          m_when(spec.when),
          m_where(spec.where)
    {
    }

    void Read()
    {
        if (m_reader.Accept("at"))
        {
            m_when.mode = FaultWhen::Mode::AT;
            m_when.at = m_reader.ReadTime();
            m_when.interval = m_reader.Accept("every") ? m_reader.ReadDuration() : Time();
            m_when.times = m_when.interval.IsZero() ? 1 : 0;
        }
        else if (m_reader.Accept("every"))
        {
            m_when.mode = FaultWhen::Mode::EVERY;
            m_when.number = m_reader.ReadOrdinal().value_or(1);
            ReadEvent();
        }
        else if (const auto number = m_reader.ReadOrdinal())
        {
            m_when.mode = FaultWhen::Mode::NTH;
            m_when.number = *number;
            m_when.times = 1;
            ReadEvent();
        }
        else
        {
            m_when.mode = FaultWhen::Mode::PROBABILITY;
            ReadEvent();
        }
        while (m_reader.IsOk() && !m_reader.Accept(":"))
        {
            ReadClause();
        }
        if (m_when.mode == FaultWhen::Mode::PROBABILITY && m_when.probability == 0)
        {
            m_reader.Fail("'with probability P', or '1st' or 'every' before the event");
        }
    }

  private:
    void ReadEvent()
    {
        auto& event = m_when.event;
        const auto word = m_reader.Peek();
        if (const auto kind = FindFaultEventKind(word))
        {
            event.kind = *kind;
            m_reader.Next();
        }
        else if (std::find(PROGRAMS.begin(), PROGRAMS.end(), word) != PROGRAMS.end())
        {
            event.program = m_reader.Next();
            if (m_reader.Peek() != "call" && m_reader.Peek() != "reply")
            {
                event.procedure = ToUpper(m_reader.Next());
            }
            event.kind = FaultEventKind::RPC_CALL;
            if (m_reader.Accept("reply"))
            {
                event.kind = FaultEventKind::RPC_REPLY;
            }
            else if (!m_reader.Accept("call"))
            {
                m_reader.Fail("'call' or 'reply'", {"call", "reply"});
            }
        }
        else
        {
            m_reader.Fail(m_when.mode == FaultWhen::Mode::PROBABILITY
                              ? "at TIME, 1st EVENT, every EVENT, or EVENT with probability P"
                              : "an event: " + JoinWords(GetEventWords()),
                          GetEventWords());
        }
        if (m_reader.Accept("of"))
        {
            m_reader.Expect("xid");
            event.xid = m_reader.ReadXid();
        }
    }

    void ReadClause()
    {
        if (!ReadHostClause() && !ReadCountClause())
        {
            const std::vector<std::string> words = m_when.mode == FaultWhen::Mode::AT
                                                       ? std::vector<std::string>{"on", "every"}
                                                       : std::vector<std::string>{"from",
                                                                                  "to",
                                                                                  "between",
                                                                                  "on",
                                                                                  "connection",
                                                                                  "after",
                                                                                  "before",
                                                                                  "with"};
            m_reader.Fail("':' and what happens, or " + JoinWords(words), words);
        }
    }

    bool ReadHostClause()
    {
        using Form = FaultWhere::Form;
        const bool isTimed = m_when.mode == FaultWhen::Mode::AT;
        const bool from = !isTimed && m_reader.Peek() == "from";
        const bool to = !isTimed && m_reader.Peek() == "to";
        if (from || to)
        {
            const auto own = from ? Form::FROM : Form::TO;
            const auto other = from ? Form::TO : Form::FROM;
            if (m_where.form != Form::ANYWHERE && m_where.form != other)
            {
                m_reader.Fail("one place");
                return true;
            }
            m_where.form = m_where.form == other ? Form::FROM_TO : own;
            m_reader.Next();
            (from ? m_where.first : m_where.second) = m_reader.ReadHost();
            return true;
        }
        const bool between = !isTimed && m_reader.Peek() == "between";
        if (!between && m_reader.Peek() != "on")
        {
            return false;
        }
        if (m_where.form != Form::ANYWHERE)
        {
            m_reader.Fail("one place");
            return true;
        }
        m_reader.Next();
        m_where.form = between ? Form::BETWEEN : Form::ON;
        m_where.first = m_reader.ReadHost();
        if (between)
        {
            m_reader.Expect("and");
            m_where.second = m_reader.ReadHost();
        }
        return true;
    }

    bool ReadCountClause()
    {
        const bool isTimed = m_when.mode == FaultWhen::Mode::AT;
        const bool once = m_when.mode == FaultWhen::Mode::NTH ||
                          (isTimed && m_when.interval.IsZero()) || m_timesSaid;
        if (!once && m_reader.IsNumber())
        {
            m_timesSaid = true;
            m_when.times = m_reader.ReadNumber(1, MANY, "a number of times");
            m_reader.ExpectEither("times", "time");
            return true;
        }
        if (isTimed)
        {
            return false;
        }
        if (m_where.connection == 0 && m_reader.Accept("connection"))
        {
            m_where.connection = m_reader.ReadNumber(1, MANY, "a number of a connection");
            return true;
        }
        if (m_when.after.IsZero() && m_reader.Accept("after"))
        {
            m_when.after = m_reader.ReadTime();
            return true;
        }
        if (!m_when.before && m_reader.Accept("before"))
        {
            m_when.before = m_reader.ReadTime();
            return true;
        }
        if (m_when.mode == FaultWhen::Mode::PROBABILITY && m_when.probability == 0 &&
            m_reader.Accept("with"))
        {
            m_reader.Expect("probability");
            m_when.probability = m_reader.ReadProbability();
            return true;
        }
        return false;
    }

    SentenceReader& m_reader;
    FaultWhen& m_when;
    FaultWhere& m_where;
    bool m_timesSaid{false};
};

/// Reads WHAT, to the end.
class WhatReader
{
  public:
    WhatReader(SentenceReader& reader, FaultWhat& what)
        : m_reader(reader),
          m_what(what)
    {
    }

    void Read()
    {
        const auto word = m_reader.Peek();
        if (const auto* action = GetFaultActions().Find(std::string(word)))
        {
            m_reader.Next();
            m_what.action = action;
            action->read(m_reader, m_what);
        }
        else if (const auto host = FindHostFaultKind(word))
        {
            m_reader.Next();
            m_what.host.kind = *host;
            ReadHostFault();
        }
        else
        {
            const auto words = GetFaultActionNames();
            std::string text;
            for (const auto& one : words)
            {
                text += (text.empty() ? "" : ", ") + one;
            }
            m_reader.Fail("what happens: " + text, words);
        }
        if (m_what.GetPlace() != FaultPlace::FRAME && m_what.on.empty() && m_reader.Accept("on"))
        {
            m_what.on = m_reader.ReadHost();
        }
        if (!m_reader.IsAtEnd())
        {
            m_reader.Fail("the end of the sentence");
        }
    }

  private:
    void ReadHostFault()
    {
        if (m_what.host.kind == HostFaultKind::ANSWER && !m_reader.IsAtEnd())
        {
            m_what.host.status = m_reader.Next();
        }
        if (m_reader.IsNumber())
        {
            m_what.host.amount =
                m_reader.ReadNumber(1, std::numeric_limits<uint64_t>::max(), "an amount");
        }
        while (m_reader.IsOk() && !m_reader.IsAtEnd())
        {
            if (m_what.host.duration.IsZero() && m_reader.Accept("for"))
            {
                m_what.host.duration = m_reader.ReadDuration();
            }
            else if (m_what.host.delay.IsZero() && m_reader.Accept("by"))
            {
                m_what.host.delay = m_reader.ReadDuration();
            }
            else if (m_what.host.peer.empty() && m_reader.Accept("peer"))
            {
                m_what.host.peer = m_reader.ReadHost();
            }
            else if (m_what.host.connection == 0 && m_reader.Accept("connection"))
            {
                m_what.host.connection = m_reader.ReadNumber(1, MANY, "a number of a connection");
            }
            else if (m_what.on.empty() && m_reader.Accept("on"))
            {
                m_what.on = m_reader.ReadHost();
            }
            else
            {
                m_reader.Fail("for TIME, by TIME, peer HOST, connection N, on HOST, or the end of "
                              "the sentence",
                              {"for", "by", "peer", "connection", "on"});
            }
        }
    }

    SentenceReader& m_reader;
    FaultWhat& m_what;
};

/// A fault of connections that names none is about the one whose event it waits for.
void
TakeConnection(FaultSpec& spec)
{
    const auto& where = spec.where;
    auto& fault = spec.what.host;
    const bool names = fault.connection != 0 || !fault.peer.empty();
    if (spec.what.GetPlace() != FaultPlace::HOST || where.connection == 0 || names ||
        !IsOfConnections(fault.kind))
    {
        return;
    }
    if (spec.what.on == where.first || spec.what.on == where.second)
    {
        const auto& other = spec.what.on == where.first ? where.second : where.first;
        fault.connection = where.connection;
        fault.peer = other == "clients" || other == "servers" ? "" : other;
    }
}

} // namespace

tl::expected<FaultSpec, FaultError>
ParseFault(std::string_view name, std::string_view sentence)
{
    FaultSpec spec;
    spec.name = name;
    spec.sentence = sentence;
    SentenceReader reader(sentence);
    WhenReader(reader, spec).Read();
    WhatReader(reader, spec.what).Read();
    if (!reader.IsOk())
    {
        return tl::make_unexpected(reader.GetError());
    }
    TakeConnection(spec);
    return spec;
}

} // namespace ns3::nfsrdma
