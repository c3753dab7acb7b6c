/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/setup/topology-file.h"

#include "scenarios/simulator/config/host-range.h"
#include "scenarios/simulator/config/user-file.h"
#include "scenarios/simulator/keys/scenario-error.h"
#include "scenarios/simulator/setup/topology-builder.h"
#include "scenarios/simulator/setup/topology-graphml.h"
#include "scenarios/simulator/setup/topology-table.h"

#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

/// Reads a list line by line.
class ListReader
{
  public:
    explicit ListReader(TopologyBuilder& builder)
        : m_builder(builder)
    {
    }

    void TakeLine(unsigned number, const std::string& line)
    {
        m_builder.SetLine(number);
        std::istringstream stream(line.substr(0, line.find('#')));
        std::vector<std::string> words;
        for (std::string word; stream >> word;)
        {
            words.push_back(word);
        }
        if (words.empty())
        {
            return;
        }
        if (words[0] == "switch")
        {
            TakeSwitch(words);
        }
        else if (words[0] == "link")
        {
            TakeLink(words);
        }
        else
        {
            m_builder.Refuse("",
                             Quote(words[0]),
                             "'switch NAME' or 'link NODE SWITCH rate=... delay=...'");
        }
    }

  private:
    void TakeSwitch(const std::vector<std::string>& words)
    {
        if (words.size() != 2)
        {
            m_builder.Refuse("switch", std::to_string(words.size() - 1) + " words", "one name");
        }
        const auto names = ExpandHostRange(words[1]);
        if (names.empty())
        {
            m_builder.Refuse("switch", Quote(words[1]), "a name of letters, digits, '-' and '_'");
        }
        for (const auto& name : names)
        {
            m_builder.AddSwitch(name);
        }
    }

    void TakeLink(const std::vector<std::string>& words)
    {
        if (words.size() < 3)
        {
            m_builder.Refuse("link",
                             std::to_string(words.size() - 1) + " words",
                             "a node and a switch");
        }
        LinkTraits traits;
        for (std::size_t i = 3; i < words.size(); ++i)
        {
            const auto equals = words[i].find('=');
            const auto value =
                equals == std::string::npos ? std::string() : words[i].substr(equals + 1);
            if (!m_builder.TakeTrait(words[i].substr(0, equals), value, words[i], traits))
            {
                m_builder.Refuse("link", Quote(words[i]), "rate=, delay=, queue= or mtu=");
            }
        }
        const auto names = ExpandHostRange(words[1]);
        if (names.empty())
        {
            m_builder.Refuse("link", Quote(words[1]), "a node, or several such as client-0..7");
        }
        for (const auto& name : names)
        {
            m_builder.AddLink(name, words[2], traits);
        }
    }

    TopologyBuilder& m_builder;
};

bool
EndsWith(const std::string& name, const std::string& end)
{
    return name.size() >= end.size() &&
           name.compare(name.size() - end.size(), end.size(), end) == 0;
}

} // namespace

Topology
TopologyFile::Load(const std::string& path,
                   const std::vector<std::string>& hosts,
                   const std::vector<uint32_t>& ports)
{
    return Parse(path, ReadUserFile(path, "a readable file of switches and links"), hosts, ports);
}

Topology
TopologyFile::Parse(const std::string& name,
                    const std::string& text,
                    const std::vector<std::string>& hosts,
                    const std::vector<uint32_t>& ports)
{
    TopologyBuilder builder(name, hosts, ports);
    if (EndsWith(name, ".graphml"))
    {
        ReadGraphml(text, builder);
        builder.SpreadHosts();
    }
    else if (EndsWith(name, ".csv"))
    {
        ReadTopologyTable(text, builder);
        builder.SpreadHosts();
    }
    else
    {
        ListReader reader(builder);
        std::istringstream stream(text);
        std::string line;
        for (unsigned number = 1; std::getline(stream, line); ++number)
        {
            reader.TakeLine(number, line);
        }
    }
    return builder.Finish();
}

} // namespace ns3::nfsrdma
