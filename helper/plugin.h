/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_PLUGIN_H
#define NFSRDMA_HELPER_PLUGIN_H

#include "helper/version.h"

#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace ns3::nfsrdma
{

/// What every plugin has in its file; fields follow: versions of nfsrdma and of ns-3, its name and
/// its version, each with a bar behind it.
#define NFSRDMA_PLUGIN_MARK "@(#)nfsrdma plugin|"

/**
 * \brief Begins the function that a plugin has: a shared object, built against the installed
 * package, that adds policies, workloads, roles of adversaries or models of storage.
 *
 *     NFSRDMA_PLUGIN("headroom", "1.0")
 *     {
 *         CreditGrantPolicy::Add<HeadroomCreditGrant>("headroom");
 *     }
 *
 * It is called once, when the plugin is loaded, within namespace ns3::nfsrdma or without. What it
 * may call: Add() of every policy of RPC-over-RDMA (Named), Workload::AddKind(), AddAdversaryRole()
 * and StorageModel::AddKind(). What is added stays until the program ends.
 *
 * A plugin belongs to one version of this project and one of ns-3, since neither promises binary
 * compatibility: LoadPlugin() reads both from the file, and runs nothing of a plugin of others.
 * Plugins that a program loads have names of their own, and so have their classes: ns-3 ends the
 * program when two register a TypeId of the same name.
 * \param name by which results name it, a literal without bars
 * \param version a literal without bars
 */
#define NFSRDMA_PLUGIN(name, version)                                                              \
    extern "C"                                                                                     \
    {                                                                                              \
        __attribute__((visibility("default"))) extern const char nfsrdma_plugin_mark[];            \
        __attribute__((used)) const char nfsrdma_plugin_mark[] =                                   \
            NFSRDMA_PLUGIN_MARK NFSRDMA_VERSION "|" NFSRDMA_NS3_VERSION "|" name "|" version "|";  \
        __attribute__((visibility("default"))) void nfsrdma_plugin();                              \
    }                                                                                              \
    void nfsrdma_plugin()

/// A plugin that has been loaded.
struct Plugin
{
    std::string name;
    std::string version;
    std::string path;   ///< Absolute.
    std::string digest; ///< SHA-256 of its file.
};

/// Loads the plugin in file \p path, a regular one, and has it add what it has; nothing when it is
/// loaded already. Another file with a plugin of the same name is not loaded.
/// \return the plugin, or what was expected of the file, in one line
[[nodiscard]] tl::expected<Plugin, std::string> LoadPlugin(const std::string& path);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_PLUGIN_H
