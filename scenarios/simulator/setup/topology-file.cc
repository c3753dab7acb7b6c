/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/setup/topology-file.h"

#include "link/least-mtu.h"
#include "scenarios/simulator/config/host-range.h"
#include "scenarios/simulator/config/user-file.h"
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/key-units.h"
#include "scenarios/simulator/keys/scenario-error.h"

#include <map>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::size_t MOST_SWITCHES = 4096;

/// Builds a topology line by line.
class TopologyReader
{
  public:
    TopologyReader(std::string name,
                   const std::vector<std::string>& hosts,
                   std::vector<uint32_t> ports)
        : m_name(std::move(name)),
          m_topology(hosts),
          m_ports(std::move(ports))
    {
        m_ports.resize(hosts.size(), 1);
        for (uint32_t host = 0; host < hosts.size(); ++host)
        {
            m_nodes.emplace(hosts[host], host);
        }
    }

    void TakeLine(unsigned number, const std::string& line)
    {
        m_line = number;
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
            Refuse("", Quote(words[0]), "'switch NAME' or 'link NODE SWITCH rate=... delay=...'");
        }
    }

    Topology Finish()
    {
        const auto wrong = FindFlaw();
        if (!wrong.empty())
        {
            throw ScenarioError(m_name,
                                "",
                                wrong,
                                "every host of the cluster with one link, or one for each of its "
                                "ports, connected");
        }
        return m_topology;
    }

  private:
    [[nodiscard]] std::string FindFlaw() const
    {
        auto wrong = m_topology.Check();
        for (uint32_t host = 0; wrong.empty() && host < m_ports.size(); ++host)
        {
            if (m_topology.GetLinksOf(host).size() < m_ports[host])
            {
                wrong = m_topology.GetName(host) + " has " + std::to_string(m_ports[host]) +
                        " ports and " + std::to_string(m_topology.GetLinksOf(host).size()) +
                        " links";
            }
        }
        return wrong;
    }

    [[noreturn]] void Refuse(const std::string& what,
                             const std::string& got,
                             const std::string& expected) const
    {
        throw ScenarioError(ScenarioOrigin{m_name, m_line}.ToText(), what, got, expected);
    }

    void TakeSwitch(const std::vector<std::string>& words)
    {
        if (words.size() != 2)
        {
            Refuse("switch", std::to_string(words.size() - 1) + " words", "one name");
        }
        const auto names = ExpandHostRange(words[1]);
        if (names.empty())
        {
            Refuse("switch", Quote(words[1]), "a name of letters, digits, '-' and '_'");
        }
        for (const auto& name : names)
        {
            if (m_topology.GetSwitchCount() == MOST_SWITCHES)
            {
                Refuse("switch", Quote(name), std::to_string(MOST_SWITCHES) + " switches at most");
            }
            if (!m_nodes.emplace(name, m_topology.GetNodeCount()).second)
            {
                Refuse("switch", Quote(name), "a name that no host and no other switch has");
            }
            m_topology.AddSwitch(name);
        }
    }

    void TakeLink(const std::vector<std::string>& words)
    {
        if (words.size() < 3)
        {
            Refuse("link", std::to_string(words.size() - 1) + " words", "a node and a switch");
        }
        const uint32_t to = FindNode(words[2]);
        if (!m_topology.IsSwitch(to))
        {
            Refuse("link", Quote(words[2]), "a switch as second end");
        }
        LinkTraits traits;
        for (std::size_t i = 3; i < words.size(); ++i)
        {
            TakeTrait(words[i], traits);
        }
        const auto names = ExpandHostRange(words[1]);
        if (names.empty())
        {
            Refuse("link", Quote(words[1]), "a node, or several such as client-0..7");
        }
        for (const auto& name : names)
        {
            const uint32_t node = FindNode(name);
            if (node == to)
            {
                Refuse("link", Quote(name), "two different ends");
            }
            if (!m_topology.IsSwitch(node) && m_topology.GetLinksOf(node).size() >= m_ports[node])
            {
                Refuse("link",
                       Quote(name),
                       m_ports[node] == 1 ? "a host that has no link yet"
                                          : "a host that has a port left");
            }
            m_topology.AddLink(node, to, traits);
        }
    }

    void TakeTrait(const std::string& word, LinkTraits& traits) const
    {
        const auto equals = word.find('=');
        const auto key = word.substr(0, equals);
        const auto text = equals == std::string::npos ? std::string() : word.substr(equals + 1);
        const auto parse = [&](const ScenarioConstraint& constraint, bool isSet) {
            const auto value = ScenarioValue::Parse(constraint, text);
            if (!value || isSet)
            {
                Refuse("link", Quote(word), isSet ? "each key once" : value.error());
            }
            return *value;
        };
        if (key == "rate")
        {
            traits.rate =
                parse(Rate(MBPS, 10 * TBPS), traits.rate.has_value()).AsRate().GetBitRate();
        }
        else if (key == "delay")
        {
            traits.delay = parse(Duration(), traits.delay.has_value()).AsTime().GetNanoSeconds();
        }
        else if (key == "queue")
        {
            traits.queue =
                static_cast<uint32_t>(parse(Size(KIB, GIB), traits.queue.has_value()).AsInteger());
        }
        else if (key == "mtu")
        {
            traits.mtu = static_cast<uint16_t>(
                parse(Size(LEAST_MTU, 65535), traits.mtu.has_value()).AsInteger());
        }
        else
        {
            Refuse("link", Quote(word), "rate=, delay=, queue= or mtu=");
        }
    }

    [[nodiscard]] uint32_t FindNode(const std::string& name) const
    {
        const auto found = m_nodes.find(name);
        if (found == m_nodes.end())
        {
            Refuse("link", Quote(name), "a host of the cluster or a switch of a line before");
        }
        return found->second;
    }

    std::string m_name;
    Topology m_topology;
    std::vector<uint32_t> m_ports; ///< Of each host.
    std::map<std::string, uint32_t> m_nodes;
    unsigned m_line{0};
};

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
    TopologyReader reader(name, hosts, ports);
    std::istringstream stream(text);
    std::string line;
    for (unsigned number = 1; std::getline(stream, line); ++number)
    {
        reader.TakeLine(number, line);
    }
    return reader.Finish();
}

} // namespace ns3::nfsrdma
