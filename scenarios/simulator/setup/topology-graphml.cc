/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/setup/topology-graphml.h"

#include "scenarios/simulator/keys/scenario-error.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

/// What a key element declares.
struct DataKey
{
    std::string name;     ///< attr.name
    std::string standard; ///< The default, or empty.
    bool isOfEdges{false};
};

bool
Is(const xmlNode* node, const char* name)
{
    return node->type == XML_ELEMENT_NODE &&
           std::strcmp(reinterpret_cast<const char*>(node->name), name) == 0;
}

std::string
Trim(const std::string& text)
{
    constexpr const char* BLANKS = " \t\r\n";
    const auto first = text.find_first_not_of(BLANKS);
    return first == std::string::npos
               ? std::string()
               : text.substr(first, text.find_last_not_of(BLANKS) + 1 - first);
}

/// \return an attribute without a namespace; empty: it is not there.
std::string
GetAttribute(const xmlNode* node, const char* name)
{
    for (const auto* attribute = node->properties; attribute != nullptr;
         attribute = attribute->next)
    {
        if (std::strcmp(reinterpret_cast<const char*>(attribute->name), name) == 0 &&
            attribute->children != nullptr && attribute->children->content != nullptr)
        {
            return reinterpret_cast<const char*>(attribute->children->content);
        }
    }
    return {};
}

/// \return the text in \p node itself, without entities.
std::string
GetText(const xmlNode* node)
{
    std::string text;
    for (const auto* child = node->children; child != nullptr; child = child->next)
    {
        if ((child->type == XML_TEXT_NODE || child->type == XML_CDATA_SECTION_NODE) &&
            child->content != nullptr)
        {
            text += reinterpret_cast<const char*>(child->content);
        }
    }
    return Trim(text);
}

class GraphmlReader
{
  public:
    explicit GraphmlReader(TopologyBuilder& builder)
        : m_builder(builder)
    {
    }

    void Read(const xmlNode* root)
    {
        At(root);
        if (!Is(root, "graphml"))
        {
            m_builder.Refuse("", Quote(GetName(root)), "the element graphml");
        }
        const xmlNode* graph = nullptr;
        for (const auto* node = root->children; node != nullptr; node = node->next)
        {
            if (Is(node, "key"))
            {
                TakeKey(node);
            }
            else if (Is(node, "graph"))
            {
                At(node);
                if (graph != nullptr)
                {
                    m_builder.Refuse("graph", "another graph", "one graph");
                }
                graph = node;
            }
        }
        if (graph == nullptr)
        {
            m_builder.Refuse("", "no graph", "the element graph");
        }
        ReadGraph(graph);
    }

  private:
    static std::string GetName(const xmlNode* node)
    {
        return reinterpret_cast<const char*>(node->name);
    }

    void At(const xmlNode* node)
    {
        m_builder.SetLine(static_cast<unsigned>(std::max(0L, xmlGetLineNo(node))));
    }

    void TakeKey(const xmlNode* node)
    {
        const auto domain = GetAttribute(node, "for");
        DataKey key;
        key.name = GetAttribute(node, "attr.name");
        key.isOfEdges = domain == "edge" || domain == "all" || domain.empty();
        for (const auto* child = node->children; child != nullptr; child = child->next)
        {
            if (Is(child, "default"))
            {
                key.standard = GetText(child);
            }
        }
        m_keys[GetAttribute(node, "id")] = key;
    }

    void ReadGraph(const xmlNode* graph)
    {
        At(graph);
        m_isDirected = GetAttribute(graph, "edgedefault") == "directed";
        for (const auto* node = graph->children; node != nullptr; node = node->next)
        {
            if (Is(node, "node"))
            {
                TakeNode(node);
            }
            else if (Is(node, "hyperedge"))
            {
                At(node);
                m_builder.Refuse("graph", "a hyperedge", "edges of two ends");
            }
        }
        for (const auto* node = graph->children; node != nullptr; node = node->next)
        {
            if (Is(node, "edge"))
            {
                TakeEdge(node);
            }
        }
    }

    void TakeNode(const xmlNode* node)
    {
        At(node);
        const auto id = GetAttribute(node, "id");
        std::string name;
        for (const auto* child = node->children; child != nullptr; child = child->next)
        {
            if (Is(child, "graph"))
            {
                m_builder.Refuse("node", "a graph in " + Quote(id), "a node without one");
            }
            const auto& key = Is(child, "data") ? FindKey(child).name : std::string();
            if (key == "name" || (key == "label" && name.empty()))
            {
                name = GetText(child);
            }
            else if (name.empty() && Is(child, "data"))
            {
                name = FindDrawnLabel(child);
            }
        }
        name = name.empty() ? id : name;
        std::replace_if(
            name.begin(),
            name.end(),
            [](unsigned char c) { return std::isalnum(c) == 0 && c != '-'; },
            '_');
        if (id.empty() || !m_names.emplace(id, name).second || !m_taken.insert(name).second)
        {
            m_builder.Refuse("node",
                             Quote(id.empty() ? id : name),
                             id.empty() ? "an id" : "an id and a name that no other node has");
        }
        if (!m_builder.Has(name))
        {
            m_builder.AddSwitch(name);
        }
    }

    void TakeEdge(const xmlNode* edge)
    {
        At(edge);
        LinkTraits traits;
        std::set<std::string> said;
        for (const auto* child = edge->children; child != nullptr; child = child->next)
        {
            if (Is(child, "data"))
            {
                At(child);
                const auto& name = FindKey(child).name;
                const auto value = GetText(child);
                TakeData(name, value, traits);
                said.insert(name);
            }
        }
        At(edge);
        for (const auto& [id, key] : m_keys)
        {
            if (key.isOfEdges && !key.standard.empty() && said.insert(key.name).second)
            {
                TakeData(key.name, key.standard, traits);
            }
        }
        const auto& source = FindEnd(edge, "source");
        const auto& target = FindEnd(edge, "target");
        if (!IsDirected(edge) || !TakeReverse(source, target, traits))
        {
            m_builder.AddEdge(source, target, traits);
        }
    }

    [[nodiscard]] bool IsDirected(const xmlNode* edge) const
    {
        const auto said = GetAttribute(edge, "directed");
        return said.empty() ? m_isDirected : said == "true";
    }

    /// \return whether the edge is the other direction of a link that is there.
    bool TakeReverse(const std::string& source, const std::string& target, const LinkTraits& traits)
    {
        auto& reverse = m_oneWay[{target, source}];
        if (reverse.empty())
        {
            m_oneWay[{source, target}].push_back(traits);
            return false;
        }
        const auto same = std::find(reverse.begin(), reverse.end(), traits);
        if (same == reverse.end())
        {
            m_builder.Refuse("edge",
                             "other data than from " + Quote(target) + " to " + Quote(source),
                             "the same in both directions of a link");
        }
        reverse.erase(same);
        return true;
    }

    /// \return the text of a NodeLabel below \p node, in which yEd keeps what it draws; or none.
    static std::string FindDrawnLabel(const xmlNode* node)
    {
        for (const auto* child = node->children; child != nullptr; child = child->next)
        {
            if (child->type == XML_ELEMENT_NODE)
            {
                auto label = Is(child, "NodeLabel") ? GetText(child) : FindDrawnLabel(child);
                if (!label.empty())
                {
                    return label;
                }
            }
        }
        return {};
    }

    /// What is not about links does not count.
    void TakeData(const std::string& name, const std::string& value, LinkTraits& traits) const
    {
        std::string word = name;
        word.append("=").append(value);
        m_builder.TakeTrait(name, value, word, traits);
    }

    [[nodiscard]] const std::string& FindEnd(const xmlNode* edge, const char* which) const
    {
        const auto id = GetAttribute(edge, which);
        const auto found = m_names.find(id);
        if (found == m_names.end())
        {
            m_builder.Refuse("edge", Quote(id), std::string("the id of a node as ") + which);
        }
        return found->second;
    }

    [[nodiscard]] const DataKey& FindKey(const xmlNode* data) const
    {
        const auto id = GetAttribute(data, "key");
        const auto found = m_keys.find(id);
        if (found == m_keys.end())
        {
            m_builder.Refuse("data", Quote(id), "the id of a key that is declared");
        }
        return found->second;
    }

    TopologyBuilder& m_builder;
    std::map<std::string, DataKey> m_keys;      ///< By id.
    std::map<std::string, std::string> m_names; ///< By id.
    std::set<std::string> m_taken;
    bool m_isDirected{false};
    /// Directed edges whose other direction has not come, by source and target.
    std::map<std::pair<std::string, std::string>, std::vector<LinkTraits>> m_oneWay;
};

/// What makes a text no XML: what the parser says first, as later errors follow from it.
struct FirstError
{
    unsigned line{1};
    std::string reason;
};

struct FreeDocument
{
    void operator()(xmlDoc* document) const
    {
        xmlFreeDoc(document);
    }
};

struct FreeContext
{
    void operator()(xmlParserCtxt* context) const
    {
        xmlFreeParserCtxt(context);
    }
};

} // namespace

void
ReadGraphml(const std::string& text, TopologyBuilder& builder)
{
    FirstError first;
    const std::unique_ptr<xmlParserCtxt, FreeContext> context(xmlNewParserCtxt());
    context->_private = &first;
    context->sax->serror = [](void* parser, auto* error) {
        auto* kept = static_cast<FirstError*>(static_cast<const xmlParserCtxt*>(parser)->_private);
        if (error->level == XML_ERR_FATAL && kept->reason.empty() && error->message != nullptr)
        {
            kept->line = static_cast<unsigned>(std::max(0, error->line));
            kept->reason = Trim(error->message);
        }
    };
    const std::unique_ptr<xmlDoc, FreeDocument> document(xmlCtxtReadMemory(
        context.get(),
        text.data(),
        static_cast<int>(text.size()),
        nullptr,
        nullptr,
        XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_BIG_LINES));
    const auto* root = document ? xmlDocGetRootElement(document.get()) : nullptr;
    if (root == nullptr)
    {
        builder.SetLine(first.line);
        std::replace_if(
            first.reason.begin(),
            first.reason.end(),
            [](unsigned char c) { return std::iscntrl(c) != 0; },
            ' ');
        builder.Refuse("", first.reason.empty() ? "no XML" : first.reason, "well-formed GraphML");
    }
    GraphmlReader(builder).Read(root);
}

} // namespace ns3::nfsrdma
