/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/plugin.h"

#include "helper/sha256.h"

#include <algorithm>
#include <dlfcn.h>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>

namespace ns3::nfsrdma
{

namespace
{

constexpr const char* FUNCTION = "nfsrdma_plugin";
/// Of the mark: versions of nfsrdma and of ns-3, name, version.
constexpr std::size_t FIELDS = 4;

std::vector<Plugin>&
GetLoaded()
{
    static std::vector<Plugin> loaded;
    return loaded;
}

/// \return the fields of the mark in \p content; none when there is none.
std::vector<std::string>
FindMark(const std::string& content)
{
    const std::string mark = NFSRDMA_PLUGIN_MARK;
    for (auto place = content.find(mark); place != std::string::npos;
         place = content.find(mark, place + mark.size()))
    {
        const auto begin = place + mark.size();
        const auto end = std::min(content.find('\0', begin), content.size());
        std::istringstream text(content.substr(begin, end - begin));
        std::vector<std::string> fields;
        for (std::string field; std::getline(text, field, '|');)
        {
            fields.push_back(field);
        }
        if (fields.size() == FIELDS)
        {
            return fields;
        }
    }
    return {};
}

std::string
DescribeVersions(const std::string& own, const std::string& ns3)
{
    return "nfsrdma " + own + " and ns-3 " + ns3;
}

/// Has the object at \p path add what it has. \return what was expected of it; empty: it has.
std::string
Run(const std::string& path)
{
    void* const object = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (object == nullptr)
    {
        return std::string("a shared object that can be loaded (") + dlerror() + ")";
    }
    using Function = void (*)();
    const auto add = reinterpret_cast<Function>(dlsym(object, FUNCTION));
    if (add == nullptr)
    {
        return std::string("a shared object with a function ") + FUNCTION;
    }
    try
    {
        add();
    }
    catch (const std::exception& error)
    {
        return std::string("a plugin that adds what is new: ") + error.what();
    }
    return {};
}

} // namespace

tl::expected<Plugin, std::string>
LoadPlugin(const std::string& path)
{
    std::error_code error;
    const auto whole = std::filesystem::canonical(path, error).string();
    std::ifstream stream;
    if (!error && std::filesystem::is_regular_file(whole, error))
    {
        stream.open(whole, std::ios::binary);
    }
    if (!stream.is_open())
    {
        return tl::unexpected<std::string>("a file that can be read");
    }
    auto& loaded = GetLoaded();
    const auto same = std::find_if(loaded.begin(), loaded.end(), [&whole](const Plugin& plugin) {
        return plugin.path == whole;
    });
    if (same != loaded.end())
    {
        return *same;
    }
    const std::string content{std::istreambuf_iterator<char>(stream), {}};
    const auto mark = FindMark(content);
    if (mark.empty())
    {
        return tl::unexpected<std::string>(
            "a shared object made with NFSRDMA_PLUGIN (helper/plugin.h)");
    }
    if (mark[0] != NFSRDMA_VERSION || mark[1] != NFSRDMA_NS3_VERSION)
    {
        return tl::unexpected("a plugin built with " +
                              DescribeVersions(NFSRDMA_VERSION, NFSRDMA_NS3_VERSION) +
                              ", not with " + DescribeVersions(mark[0], mark[1]));
    }
    const auto other = std::find_if(loaded.begin(), loaded.end(), [&mark](const Plugin& plugin) {
        return plugin.name == mark[2];
    });
    if (other != loaded.end())
    {
        return tl::unexpected("a plugin of another name than " + other->path);
    }
    Sha256 digest;
    digest.Update(ByteVector(content.begin(), content.end()));
    Plugin plugin{mark[2], mark[3], whole, digest.Finish()};
    if (auto expected = Run(whole); !expected.empty())
    {
        return tl::unexpected(std::move(expected));
    }
    loaded.push_back(plugin);
    return plugin;
}

} // namespace ns3::nfsrdma
