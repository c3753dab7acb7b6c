/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/setup/client-list.h"

#include "workload/replay/csv-fields.h"

#include <optional>

namespace ns3::nfsrdma
{

namespace
{

constexpr const char* FORMS =
    "all, numbers and ranges such as 0-3,7, or of those that no section above has: a share such "
    "as 25%, next 4, rest";
constexpr uint64_t WHOLE = 100;
constexpr std::string_view NEXT = "next ";

/// Which clients each section has, from the first section on.
class ClientPicker
{
  public:
    explicit ClientPicker(const ScenarioConfig& config)
        : m_config(config),
          m_total(static_cast<uint32_t>(config.Get("cluster.clients").AsInteger()))
    {
    }

    std::set<uint32_t> Pick(const std::string& key)
    {
        const auto text = m_config.Get(key).AsText();
        std::set<uint32_t> clients;
        if (text == "all")
        {
            clients = TakeAll();
        }
        else if (text == "rest")
        {
            clients = TakeFree(key, std::nullopt);
        }
        else if (text.compare(0, NEXT.size(), NEXT) == 0)
        {
            clients = TakeFree(key, ParseNumber(key, text.substr(NEXT.size()), UINT32_MAX));
        }
        else if (!text.empty() && text.back() == '%')
        {
            clients = TakeFree(key, TakeShare(key, text.substr(0, text.size() - 1)));
        }
        else
        {
            clients = ParseList(key, text);
        }
        m_taken.insert(clients.begin(), clients.end());
        return clients;
    }

  private:
    [[nodiscard]] uint64_t ParseNumber(const std::string& key,
                                       const std::string& text,
                                       uint64_t most) const
    {
        const auto number = ParseUnsigned(text, most);
        if (!number || *number == 0)
        {
            m_config.Refuse(key, FORMS);
        }
        return *number;
    }

    /// \return how many clients a share is: so many that shares of 100% in all are all clients.
    uint64_t TakeShare(const std::string& key, const std::string& text)
    {
        const uint64_t before = m_shares;
        m_shares += ParseNumber(key, text, WHOLE);
        if (m_shares > WHOLE)
        {
            m_config.Refuse(key, "shares of 100% in all at most, with those of sections above");
        }
        const auto round = [this](uint64_t share) { return (m_total * share + WHOLE / 2) / WHOLE; };
        const uint64_t count = round(m_shares) - round(before);
        if (count == 0)
        {
            m_config.Refuse(key,
                            "a share that is at least one of " + std::to_string(m_total) +
                                " clients");
        }
        return count;
    }

    /// \param count absent: as many as there are
    std::set<uint32_t> TakeFree(const std::string& key, std::optional<uint64_t> count) const
    {
        std::set<uint32_t> clients;
        for (uint32_t client = 0; client < m_total && (!count || clients.size() < *count); ++client)
        {
            if (m_taken.count(client) == 0)
            {
                clients.insert(client);
            }
        }
        if (clients.empty() || (count && clients.size() < *count))
        {
            m_config.Refuse(key,
                            "no more than the " + std::to_string(m_total - m_taken.size()) +
                                " clients that no section above has");
        }
        return clients;
    }

    [[nodiscard]] std::set<uint32_t> TakeAll() const
    {
        std::set<uint32_t> clients;
        for (uint32_t client = 0; client < m_total; ++client)
        {
            clients.insert(client);
        }
        return clients;
    }

    [[nodiscard]] std::set<uint32_t> ParseList(const std::string& key,
                                               const std::string& text) const
    {
        std::set<uint32_t> clients;
        for (const auto& item : SplitList(text))
        {
            const auto dash = item.find('-');
            const auto first = ParseUnsigned(item.substr(0, dash), UINT32_MAX);
            const auto last = dash == std::string::npos
                                  ? first
                                  : ParseUnsigned(item.substr(dash + 1), UINT32_MAX);
            if (!first || !last || *first > *last)
            {
                m_config.Refuse(key, FORMS);
            }
            if (*last >= m_total)
            {
                m_config.Refuse(key,
                                "clients from 0 to " + std::to_string(m_total - 1) +
                                    ", since cluster.clients is " + std::to_string(m_total));
            }
            for (uint64_t client = *first; client <= *last; ++client)
            {
                if (!clients.insert(static_cast<uint32_t>(client)).second)
                {
                    m_config.Refuse(key,
                                    "each client once (" + std::to_string(client) + " is twice)");
                }
            }
        }
        if (clients.empty())
        {
            m_config.Refuse(key, FORMS);
        }
        return clients;
    }

    const ScenarioConfig& m_config;
    uint32_t m_total;
    std::set<uint32_t> m_taken; ///< By sections above.
    uint64_t m_shares{0};       ///< Of sections above, percent.
};

} // namespace

std::set<uint32_t>
ResolveTcpClients(const ScenarioConfig& config)
{
    const std::string key = "cluster.tcp_clients";
    if (config.Get(key).AsText() == "none")
    {
        return {};
    }
    if (config.Get("cluster.transport").AsText() == "tcp")
    {
        config.Refuse(key, "none with cluster.transport = tcp, over which all clients mount");
    }
    constexpr uint64_t TCP_PORT = 2049;
    if (config.Get("nfs.port").AsInteger() == TCP_PORT)
    {
        config.Refuse("nfs.port", "a port other than 2049, which is that of cluster.tcp_clients");
    }
    auto clients = ClientPicker(config).Pick(key);
    if (clients.size() == config.Get("cluster.clients").AsInteger())
    {
        config.Refuse(key, "not all clients (cluster.transport = tcp has all mount over TCP)");
    }
    return clients;
}

std::set<uint32_t>
ResolveClients(const ScenarioConfig& config, const std::string& section)
{
    ClientPicker picker(config);
    for (const auto& above : config.GetWorkloadSections())
    {
        auto clients = picker.Pick(above + ".clients");
        if (above == section)
        {
            return clients;
        }
    }
    return picker.Pick(section + ".clients");
}

} // namespace ns3::nfsrdma
