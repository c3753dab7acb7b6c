/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_SCENARIO_CATALOGUE_H
#define NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_SCENARIO_CATALOGUE_H

#include "scenarios/simulator/config/scenarios-directory.h"

#include <map>
#include <string>

namespace ns3::nfsrdma
{

/**
 * \brief The scenarios that come with the simulator, scenarios/FOLDER/NAME.ini, by their bare
 * names.
 *
 * Profiles are no scenarios. Names are unique.
 */
class ScenarioCatalogue
{
  public:
    /// \param directory scenarios/; of one that cannot be read the catalogue is empty
    explicit ScenarioCatalogue(const std::string& directory = GetScenariosDirectory());

    /// \return the paths of the files, by name.
    const std::map<std::string, std::string>& GetFiles() const;
    /**
     * \param given what the user calls a scenario: a path, or the bare name of a scenario of the
     * catalogue, with or without .ini and scenarios/ in front of it. A file of that path comes
     * first; a directory, as of results, does not. \return the path of its file. Throws
     * ScenarioError, with the nearest name, for a bare name that is neither.
     */
    std::string Find(const std::string& given) const;

  private:
    std::map<std::string, std::string> m_files;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_SCENARIO_CATALOGUE_H
