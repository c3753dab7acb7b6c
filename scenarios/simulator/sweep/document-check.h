/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_DOCUMENT_CHECK_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_DOCUMENT_CHECK_H

#include <nlohmann/json.hpp>
#include <string>

namespace ns3::nfsrdma
{

/**
 * \brief Looks at a JSON document that this program has written before it relies on it: what was
 * cut off or changed since is the ScenarioError of one key, not an exception of the JSON library.
 */
class DocumentCheck
{
  public:
    using Json = nlohmann::ordered_json;
    /// Json::is_string, and the like.
    using Test = bool (Json::*)() const noexcept;

    /// \param file that holds the document \param expected what it has to be; both for messages
    DocumentCheck(const std::string& file, const std::string& expected);

    /// Throws the ScenarioError about \p key ("a.b"; empty: the whole document).
    [[noreturn]] void Refuse(const std::string& key, const std::string& got) const;

    /// \return the value of \p key in \p object, which itself is at \p prefix ("a."), if \p test
    /// holds for it; else throws ScenarioError.
    const Json& Require(const Json& object,
                        const std::string& prefix,
                        const std::string& key,
                        Test test) const;

    /// Requires an array or an object of whose values \p test holds for each.
    const Json& RequireEach(const Json& object,
                            const std::string& prefix,
                            const std::string& key,
                            Test container,
                            Test test) const;

  private:
    std::string m_file;
    std::string m_expected;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_DOCUMENT_CHECK_H
