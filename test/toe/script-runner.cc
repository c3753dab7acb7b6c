/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "toe/script-runner.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint16_t COUNTED_FLAGS = 0xfff & ~TcpWireHeader::PSH;

std::vector<std::string>
Split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);)
    {
        if (!part.empty())
        {
            parts.push_back(part);
        }
    }
    return parts;
}

/// \return the words of a line; what lies in <> is one.
std::vector<std::string>
WordsOf(std::string line)
{
    line = line.substr(0, line.find('#'));
    std::vector<std::string> words;
    const auto angle = line.find(" <", line.find_first_not_of(" +.*0123456789<>"));
    std::string options;
    if (angle != std::string::npos && line.find('>', angle) != std::string::npos)
    {
        options = line.substr(angle + 2, line.find('>', angle) - angle - 2);
        line = line.substr(0, angle);
    }
    words = Split(line, ' ');
    if (!options.empty())
    {
        words.push_back("<" + options);
    }
    return words;
}

Time
ToTime(const std::string& seconds)
{
    return NanoSeconds(static_cast<int64_t>(std::stod(seconds) * 1e9 + 0.5));
}

uint32_t
ToNumber(const std::string& word)
{
    return static_cast<uint32_t>(std::stoul(word));
}

uint16_t
FlagsOf(const std::string& word)
{
    static const std::map<char, uint16_t> flags{{'S', TcpWireHeader::SYN},
                                                {'F', TcpWireHeader::FIN},
                                                {'R', TcpWireHeader::RST},
                                                {'P', TcpWireHeader::PSH},
                                                {'.', TcpWireHeader::ACK},
                                                {'E', TcpWireHeader::ECE},
                                                {'W', TcpWireHeader::CWR}};
    uint16_t bits = 0;
    for (const char letter : word)
    {
        bits |= flags.at(letter);
    }
    return bits;
}

const char*
NameOf(TcpEnd end)
{
    switch (end)
    {
    case TcpEnd::CLOSED:
        return "closed";
    case TcpEnd::REFUSED:
        return "refused";
    case TcpEnd::RESET:
        return "reset";
    case TcpEnd::TIMED_OUT:
        return "timeout";
    case TcpEnd::ABORTED:
        return "aborted";
    }
    return "";
}

} // namespace

ScriptRunner::ScriptRunner(std::filesystem::path file)
    : m_file(std::move(file))
{
    m_settings.timestamps = false;
    m_settings.windowScaling = false;
    m_settings.mss = 1000;
    m_settings.assumedPeerMss = 1000;
    m_settings.control = TcpEngineSettings::Control::NEW_RENO;
    m_settings.receiveBuffer = 65535;
    m_settings.ecn = TcpEngineSettings::Ecn::OFF;
}

std::string
ScriptRunner::Run()
{
    std::string place = m_file.filename().string();
    try
    {
        Read(m_file);
        while (!m_lines.empty())
        {
            const Line line = m_lines.front();
            m_lines.pop_front();
            place = line.place;
            Execute(line);
        }
        ExpectNothing();
    }
    catch (const std::exception& error)
    {
        return place + ": " + error.what();
    }
    return {};
}

void
ScriptRunner::Read(const std::filesystem::path& file)
{
    std::ifstream stream(file);
    if (!stream)
    {
        throw std::runtime_error("cannot read " + file.string());
    }
    std::deque<Line> lines;
    int number = 0;
    for (std::string text; std::getline(stream, text);)
    {
        auto words = WordsOf(text);
        if (++number; !words.empty())
        {
            lines.push_back({file.filename().string() + ":" + std::to_string(number), words});
        }
    }
    m_lines.insert(m_lines.begin(), lines.begin(), lines.end());
}

void
ScriptRunner::Execute(const Line& line)
{
    auto words = line.words;
    if (words[0] == "include")
    {
        Read(m_file.parent_path() / words.at(1));
        return;
    }
    if (words[0] == "set")
    {
        for (std::size_t i = 1; i < words.size(); ++i)
        {
            Set(words[i]);
        }
        return;
    }
    MakeMachine();
    const std::string time = words[0];
    words.erase(words.begin());
    const bool anyTime = time == "*";
    const Time at = anyTime          ? m_now
                    : time[0] == '+' ? m_now + ToTime(time.substr(1))
                                     : ToTime(time);
    if (words.at(0) == ">")
    {
        const Pattern pattern = Parse(words, false);
        if (anyTime)
        {
            AdvanceUntilSent();
        }
        else
        {
            AdvanceTo(at);
        }
        Expect(pattern, anyTime ? std::nullopt : std::optional(at));
        return;
    }
    AdvanceTo(at);
    if (words[0] == "<")
    {
        ExpectNothing();
        const Pattern pattern = Parse(words, true);
        const auto verdict =
            m_machine->HandleSegment(pattern.header, pattern.length, pattern.marked, m_now);
        if (verdict == TcpMachine::Verdict::NEW_CONNECTION)
        {
            m_machine.reset();
            m_end.reset();
            MakeMachine();
            m_machine->Listen();
            std::ignore =
                m_machine->HandleSegment(pattern.header, pattern.length, pattern.marked, m_now);
        }
        return;
    }
    if (!Call(words) && !Assert(words))
    {
        throw std::runtime_error("no such event: " + words[0]);
    }
}

void
ScriptRunner::Set(const std::string& assignment)
{
    const auto equals = assignment.find('=');
    const std::string name = assignment.substr(0, equals);
    const std::string value = assignment.substr(equals + 1);
    const std::map<std::string, uint32_t*> numbers{
        {"mss", &m_settings.mss},
        {"assumedPeerMss", &m_settings.assumedPeerMss},
        {"sendBuffer", &m_settings.sendBuffer},
        {"receiveBuffer", &m_settings.receiveBuffer},
        {"initialWindow", &m_settings.initialWindow},
        {"baseMss", &m_settings.baseMss},
        {"mtuProbing", &m_settings.mtuProbing},
        {"probeThreshold", &m_settings.probeThreshold},
        {"ackEvery", &m_settings.ackEvery},
        {"synRetries", &m_settings.synRetries},
        {"synackRetries", &m_settings.synackRetries},
        {"retries2", &m_settings.retries2},
        {"keepaliveProbes", &m_settings.keepaliveProbes},
        {"challengeAckLimit", &m_settings.challengeAckLimit}};
    const std::map<std::string, bool*> switches{
        {"aligned", &m_settings.aligned},
        {"packing", &m_settings.packing},
        {"timestamps", &m_settings.timestamps},
        {"windowScaling", &m_settings.windowScaling},
        {"sack", &m_settings.sack},
        {"pacing", &m_settings.pacing},
        {"rack", &m_settings.rack},
        {"tailLossProbe", &m_settings.tailLossProbe},
        {"frto", &m_settings.frto},
        {"keepAlive", &m_settings.keepAlive},
        {"hystart", &m_settings.hystart},
        {"slowStartAfterIdle", &m_settings.slowStartAfterIdle}};
    const std::map<std::string, Time*> times{{"rtoMin", &m_settings.rtoMin},
                                             {"hystartRttMin", &m_settings.hystartRttMin},
                                             {"hystartRttMax", &m_settings.hystartRttMax},
                                             {"pathMtuRaise", &m_settings.pathMtuRaise},
                                             {"initialRto", &m_settings.initialRto},
                                             {"delayedAck", &m_settings.delayedAck},
                                             {"userTimeout", &m_settings.userTimeout},
                                             {"keepaliveTime", &m_settings.keepaliveTime},
                                             {"keepaliveInterval", &m_settings.keepaliveInterval},
                                             {"invalidRatelimit", &m_settings.invalidRatelimit},
                                             {"finTimeout", &m_settings.finTimeout},
                                             {"timeWait", &m_settings.timeWait}};
    const std::map<std::string, TcpEngineSettings::Control> controls{
        {"reno", TcpEngineSettings::Control::NEW_RENO},
        {"cubic", TcpEngineSettings::Control::CUBIC},
        {"dctcp", TcpEngineSettings::Control::DCTCP},
        {"bbr", TcpEngineSettings::Control::BBR}};
    if (numbers.count(name) > 0)
    {
        *numbers.at(name) = ToNumber(value);
    }
    else if (switches.count(name) > 0)
    {
        *switches.at(name) = value == "1";
    }
    else if (times.count(name) > 0)
    {
        *times.at(name) = ToTime(value);
    }
    else if (name == "ecn")
    {
        m_settings.ecn = static_cast<TcpEngineSettings::Ecn>(ToNumber(value));
    }
    else if (name == "control")
    {
        m_settings.control = controls.at(value);
    }
    else
    {
        throw std::runtime_error("no such setting: " + name);
    }
}

void
ScriptRunner::MakeMachine()
{
    if (!m_machine)
    {
        m_machine = std::make_unique<TcpMachine>(m_settings,
                                                 *this,
                                                 m_counters,
                                                 TcpMachine::Ports{1000, 2000},
                                                 OWN_INITIAL);
    }
}

void
ScriptRunner::AdvanceTo(Time time)
{
    for (auto next = m_machine->GetDeadline(); next && *next <= time;
         next = m_machine->GetDeadline())
    {
        m_now = std::max(m_now, *next);
        m_machine->HandleTimers(m_now);
    }
    if (time < m_now)
    {
        throw std::runtime_error("time goes back");
    }
    m_now = time;
}

void
ScriptRunner::AdvanceUntilSent()
{
    while (m_sent.empty() && m_machine->GetDeadline())
    {
        AdvanceTo(*m_machine->GetDeadline());
    }
}

void
ScriptRunner::Check(bool holds, const std::string& expected, const std::string& got) const
{
    if (!holds)
    {
        throw std::runtime_error("expected " + expected + ", got " + got);
    }
}

void
ScriptRunner::ExpectNothing()
{
    Check(m_sent.empty(), "no segment", m_sent.empty() ? "" : Print(m_sent.front()));
}

void
ScriptRunner::Expect(const Pattern& pattern, std::optional<Time> at)
{
    Check(!m_sent.empty(), "a segment", "none");
    const Sent sent = m_sent.front();
    m_sent.pop_front();
    const TcpWireHeader& header = sent.segment.header;
    const std::string got = Print(sent);
    Check(!at || *at == sent.at, "it at " + std::to_string((at ? *at : m_now).GetSeconds()), got);
    Check((header.flags & COUNTED_FLAGS) == (pattern.header.flags & COUNTED_FLAGS),
          "other flags",
          got);
    Check(header.sequence == pattern.header.sequence, "another sequence number", got);
    Check(sent.segment.length == pattern.length, "another length", got);
    Check(!pattern.hasAcknowledgment || header.acknowledgment == pattern.header.acknowledgment,
          "another ack",
          got);
    Check(!pattern.hasWindow || header.window == pattern.header.window, "another win", got);
    Check(sent.segment.capable == pattern.capable, "another ECN codepoint", got);
    const TcpOptions& options = header.options;
    const TcpOptions& expected = pattern.header.options;
    bool sameRanges = options.sack.GetSize() == expected.sack.GetSize();
    for (uint32_t i = 0; sameRanges && i < options.sack.GetSize(); ++i)
    {
        sameRanges = options.sack.begin()[i].begin == expected.sack.begin()[i].begin &&
                     options.sack.begin()[i].end == expected.sack.begin()[i].end;
    }
    Check(sameRanges, "other SACK ranges", got);
    if (pattern.hasOptions)
    {
        Check(options.maximumSegmentSize == expected.maximumSegmentSize, "another mss", got);
        Check(options.windowScale == expected.windowScale, "another wscale", got);
        Check(options.sackPermitted == expected.sackPermitted, "sackOK or not", got);
        Check(options.timestamps.has_value() == expected.timestamps.has_value(), "ts or not", got);
        Check(!options.timestamps || (options.timestamps->value == expected.timestamps->value &&
                                      options.timestamps->echo == expected.timestamps->echo),
              "other timestamps",
              got);
    }
    ByteVector octets(header.GetSize());
    Check(header.Encode(octets), "a header that can be encoded", got);
}

bool
ScriptRunner::Call(const std::vector<std::string>& words)
{
    const auto& what = words[0];
    const auto number = [&words] { return ToNumber(words.at(1)); };
    const std::map<std::string, std::function<void()>> calls{
        {"connect", [this] { m_machine->Connect(m_now); }},
        {"listen", [this] { m_machine->Listen(); }},
        {"send",
         [&] {
             Check(m_machine->Send(number(), m_now), "room to send", std::to_string(number()));
         }},
        {"fullfor",
         [&] { Check(!m_machine->Send(number(), m_now), "no room", std::to_string(number())); }},
        {"consume", [&] { m_machine->Consume(number(), m_now); }},
        {"shutdown", [this] { m_machine->Shutdown(m_now); }},
        {"close", [this] { m_machine->Close(m_now); }},
        {"abort", [this] { m_machine->Abort(m_now); }},
        {"pathmss", [&] { m_machine->SetPathMss(number(), m_now); }},
        {"refuse", [this] { m_refuses = true; }},
        {"take", [this] { m_refuses = false; }}};
    const auto call = calls.find(what);
    if (call == calls.end())
    {
        return false;
    }
    ExpectNothing();
    call->second();
    return true;
}

bool
ScriptRunner::Assert(const std::vector<std::string>& words)
{
    const auto& what = words[0];
    const auto same = [&](uint64_t got, std::size_t word) {
        Check(got == ToNumber(words.at(word)),
              words[0] + " " + words.at(word),
              std::to_string(got));
    };
    if (what == "state")
    {
        Check(words.at(1) == ToString(m_machine->GetState()),
              words[1],
              ToString(m_machine->GetState()));
    }
    else if (what == "delivered")
    {
        same(m_delivered, 1);
    }
    else if (what == "released")
    {
        same(m_released, 1);
    }
    else if (what == "kept")
    {
        same(m_kept, 1);
    }
    else if (what == "established")
    {
        Check(m_established == 1, "one Establish()", std::to_string(m_established));
    }
    else if (what == "eos")
    {
        Check(m_ends == 1, "one EndOfStream()", std::to_string(m_ends));
    }
    else if (what == "ended")
    {
        Check(m_end && words.at(1) == NameOf(*m_end),
              "ended " + words.at(1),
              m_end ? NameOf(*m_end) : "nothing");
    }
    else if (what == "cwnd")
    {
        same(m_machine->GetSendSide().GetCongestionWindow().window / m_settings.mss, 1);
    }
    else if (what == "counter")
    {
        Check(GetCounter(words.at(1)) == ToNumber(words.at(2)),
              words[1] + " " + words[2],
              std::to_string(GetCounter(words[1])));
    }
    else if (what == "nothing")
    {
        ExpectNothing();
    }
    else
    {
        return false;
    }
    return true;
}

uint64_t
ScriptRunner::GetCounter(const std::string& name) const
{
    const std::map<std::string, uint64_t> counters{
        {"retransmits", m_counters.retransmits},
        {"timeouts", m_counters.timeouts},
        {"recoveries", m_counters.recoveries},
        {"mtuProbings", m_counters.mtuProbings},
        {"mtuProbesPassed", m_counters.mtuProbesPassed},
        {"mtuProbesFailed", m_counters.mtuProbesFailed},
        {"lossProbes", m_counters.lossProbes},
        {"lossProbeRecoveries", m_counters.lossProbeRecoveries},
        {"spuriousTimeouts", m_counters.spuriousTimeouts},
        {"undone", m_counters.undone},
        {"dsacksReceived", m_counters.dsacksReceived},
        {"dsacksSent", m_counters.dsacksSent},
        {"sackRenegings", m_counters.sackRenegings},
        {"windowProbes", m_counters.windowProbes},
        {"keepAlives", m_counters.keepAlives},
        {"delayedAcks", m_counters.delayedAcks},
        {"challengeAcks", m_counters.challengeAcks},
        {"challengesSkipped", m_counters.challengesSkipped},
        {"pawsDropped", m_counters.pawsDropped},
        {"ecnMarked", m_counters.ecnMarked},
        {"ecnReductions", m_counters.ecnReductions},
        {"outResets", m_counters.outResets},
        {"aborted", m_counters.aborted}};
    return counters.at(name);
}

ScriptRunner::Pattern
ScriptRunner::Parse(const std::vector<std::string>& words, bool incoming) const
{
    Pattern pattern;
    TcpWireHeader& header = pattern.header;
    std::size_t i = 1;
    if (words.at(i)[0] == '[')
    {
        pattern.marked = words[i] == "[ce]";
        pattern.capable = words[i] == "[ect0]";
        ++i;
    }
    header.flags = FlagsOf(words.at(i++));
    const std::string& range = words.at(i++);
    if (range != "zero")
    {
        const auto open = range.find('(');
        const uint32_t begin = ToNumber(range);
        pattern.length = ToNumber(range.substr(open + 1));
        if (ToNumber(range.substr(range.find(':') + 1)) != begin + pattern.length)
        {
            throw std::runtime_error("the length is not end less begin");
        }
        header.sequence = (incoming ? PEER_INITIAL : OWN_INITIAL) + begin;
    }
    header.sourcePort = incoming ? 2000 : 1000;
    header.destinationPort = incoming ? 1000 : 2000;
    for (; i < words.size(); ++i)
    {
        if (words[i] == "ack")
        {
            pattern.hasAcknowledgment = true;
            header.acknowledgment =
                (incoming ? OWN_INITIAL : PEER_INITIAL) + ToNumber(words.at(++i));
        }
        else if (words[i] == "win")
        {
            pattern.hasWindow = true;
            header.window = static_cast<uint16_t>(ToNumber(words.at(++i)));
        }
        else if (words[i][0] == '<')
        {
            pattern.hasOptions = true;
            ParseOptions(words[i].substr(1), incoming, header.options);
        }
        else
        {
            throw std::runtime_error("no such field: " + words[i]);
        }
    }
    return pattern;
}

void
ScriptRunner::ParseOptions(const std::string& text, bool incoming, TcpOptions& options) const
{
    const uint32_t acknowledged = incoming ? OWN_INITIAL : PEER_INITIAL;
    for (const auto& option : Split(text, ','))
    {
        const auto words = Split(option, ' ');
        const auto pair = [](const std::string& word) {
            const auto colon = word.find(':');
            return std::pair(ToNumber(word.substr(0, colon)), ToNumber(word.substr(colon + 1)));
        };
        if (words.at(0) == "mss")
        {
            options.maximumSegmentSize = static_cast<uint16_t>(ToNumber(words.at(1)));
        }
        else if (words[0] == "wscale")
        {
            options.windowScale = static_cast<uint8_t>(ToNumber(words.at(1)));
        }
        else if (words[0] == "sackOK")
        {
            options.sackPermitted = true;
        }
        else if (words[0] == "ts")
        {
            const auto [value, echo] = pair(words.at(1));
            options.timestamps = TcpTimestamps{value, echo};
        }
        else if (words[0] == "sack")
        {
            for (std::size_t i = 1; i < words.size(); ++i)
            {
                const auto [begin, end] = pair(words[i]);
                options.sack.Add({acknowledged + begin, acknowledged + end});
            }
        }
        else
        {
            throw std::runtime_error("no such option: " + words[0]);
        }
    }
}

std::string
ScriptRunner::Print(const Sent& sent) const
{
    const TcpWireHeader& header = sent.segment.header;
    std::ostringstream text;
    text << sent.at.GetSeconds() << " > " << (sent.segment.capable ? "[ect0] " : "");
    const std::vector<std::pair<uint16_t, char>> letters{{TcpWireHeader::SYN, 'S'},
                                                         {TcpWireHeader::FIN, 'F'},
                                                         {TcpWireHeader::RST, 'R'},
                                                         {TcpWireHeader::PSH, 'P'},
                                                         {TcpWireHeader::ACK, '.'},
                                                         {TcpWireHeader::ECE, 'E'},
                                                         {TcpWireHeader::CWR, 'W'}};
    for (const auto& [flag, letter] : letters)
    {
        if (header.Has(flag))
        {
            text << letter;
        }
    }
    const uint32_t begin = header.sequence - OWN_INITIAL;
    text << ' ' << begin << ':' << begin + sent.segment.length << '(' << sent.segment.length << ')';
    if (header.Has(TcpWireHeader::ACK))
    {
        text << " ack " << header.acknowledgment - PEER_INITIAL;
    }
    text << " win " << header.window << " <";
    const TcpOptions& options = header.options;
    text << (options.maximumSegmentSize ? "mss " + std::to_string(*options.maximumSegmentSize)
                                        : "");
    text << (options.sackPermitted ? ",sackOK" : "");
    if (options.timestamps)
    {
        text << ",ts " << options.timestamps->value << ':' << options.timestamps->echo;
    }
    text << (options.windowScale ? ",wscale " + std::to_string(*options.windowScale) : "");
    for (const SackRange& range : options.sack)
    {
        text << ",sack " << range.begin - PEER_INITIAL << ':' << range.end - PEER_INITIAL;
    }
    text << '>';
    return text.str();
}

// What the machine does

void
ScriptRunner::Transmit(const OutgoingTcpSegment& segment)
{
    m_sent.push_back({segment, m_now});
}

bool
ScriptRunner::Offer(uint64_t /* offset */, uint32_t /* from */, uint32_t /* length */)
{
    return !m_refuses;
}

void
ScriptRunner::Keep(uint64_t /* offset */, uint32_t /* from */, uint32_t length)
{
    m_kept += length;
}

void
ScriptRunner::Deliver(uint64_t end)
{
    m_delivered = end;
}

void
ScriptRunner::Release(uint64_t end)
{
    m_released = end;
}

void
ScriptRunner::Establish()
{
    ++m_established;
}

void
ScriptRunner::EndOfStream()
{
    ++m_ends;
}

void
ScriptRunner::End(TcpEnd end)
{
    m_end = end;
}

} // namespace ns3::nfsrdma
