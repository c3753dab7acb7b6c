/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "keys-fixture.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace ns3::nfsrdma
{

namespace
{

/// Behind a value that contradicts its situation.
const std::string REFUSED = " ; refused";

/// \return the choices of \p key but its default, or \p value itself unless it is "*".
std::vector<std::string>
ExpandValue(const ScenarioSchema& schema, const std::string& key, const std::string& value)
{
    if (value != "*")
    {
        return {value};
    }
    const auto& described = schema.GetKey(schema.Find(key).value());
    auto values = described.constraint.type == ScenarioType::BOOLEAN
                      ? std::vector<std::string>{"false", "true"}
                      : described.constraint.choices;
    values.erase(std::remove(values.begin(), values.end(), described.defaultText), values.end());
    return values;
}

} // namespace

bool
Situation::IsElsewhere() const
{
    return name == "elsewhere";
}

std::vector<Situation>
ReadSituations(const ScenarioSchema& schema)
{
    const std::string equals = " = ";
    std::ifstream file(std::string(NFSRDMA_SOURCE_DIR) + "/test/data/keys/situations.txt");
    std::vector<Situation> situations;
    bool isText = false;
    for (std::string line; std::getline(file, line);)
    {
        if (line.rfind("=== ", 0) == 0)
        {
            situations.push_back({line.substr(4), "", {}});
            isText = true;
        }
        else if (line == "---")
        {
            isText = false;
        }
        else if (isText)
        {
            situations.back().text += line + "\n";
        }
        else if (const auto place = line.find(equals);
                 place != std::string::npos && !situations.empty())
        {
            const auto key = line.substr(0, place);
            for (const auto& value : ExpandValue(schema, key, line.substr(place + equals.size())))
            {
                const auto mark = value.find(REFUSED);
                situations.back().trials.push_back(
                    {key, value.substr(0, mark), mark != std::string::npos});
            }
        }
    }
    return situations;
}

/// \return the key as the tables have it: "rnic.mpa_crc" of "rnic servers.mpa_crc".
std::string
GetPlainKey(const ScenarioSchema& schema, const std::string& key)
{
    return schema.GetFullName(schema.Find(key).value());
}

std::string
KeysTest::RunAndRead(const std::string& text, const std::vector<std::string>& options) const
{
    const auto done = RunText(text, options);
    if (done.status == 2)
    {
        m_refusal = done.errors;
        return "";
    }
    std::string all = std::to_string(done.status) + "\n";
    for (const auto& [name, content] : m_directory.ReadAll("out"))
    {
        all.append(name).append("\n");
        if (name != "manifest.json")
        {
            all.append(content);
            continue;
        }
        auto manifest = nlohmann::json::parse(content);
        manifest.erase("config");
        all.append(manifest.dump());
    }
    std::filesystem::remove_all(m_directory.GetPath() + "/out");
    return all;
}

std::string
KeysTest::GetRefusal(const std::string& text, const std::vector<ScenarioEntry>& more) const
{
    m_directory.WriteFile("scenario.ini", text);
    CommandLineRequest request;
    request.file = m_directory.GetPath() + "/scenario.ini";
    request.overrides = more;
    try
    {
        const LoadedScenario scenario(request);
    }
    catch (const ScenarioError& error)
    {
        return error.what();
    }
    return "";
}

void
KeysTest::CopyInputs() const
{
    for (const auto& file :
         std::filesystem::directory_iterator(std::string(NFSRDMA_SOURCE_DIR) + "/test/data/keys"))
    {
        std::filesystem::copy_file(file.path(),
                                   std::filesystem::path(m_directory.GetPath()) /
                                       file.path().filename());
    }
}

} // namespace ns3::nfsrdma
