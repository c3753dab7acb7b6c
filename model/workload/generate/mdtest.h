/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_GENERATE_MDTEST_H
#define NFSRDMA_WORKLOAD_GENERATE_MDTEST_H

#include "settings/setting.h"
#include "workload/file-io.h"
#include "workload/generate/file-setup.h"
#include "workload/generate/measured-files.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Metadata operations as mdtest makes them: Tasks tasks, each with one operation
 * outstanding, work on trees of directories, phase after phase; all tasks end a phase before one
 * begins the next.
 *
 *     mkdir    the directories of the trees, each before what it holds
 *     create   files: OPEN with create, WRITE of WriteBytes, CLOSE
 *     stat     files: LOOKUP, whose reply has the attributes
 *     read     files, unless WriteBytes is 0: OPEN, READ, CLOSE
 *     remove   files
 *     rmdir    the directories, each after what it held
 *
 * A tree has Branch directories in each directory above its lowest level, Depth levels below its
 * root, and Items files of each task in every directory. With UniqueDirectories each task has a
 * tree of its own; else all share one, which the first task makes and removes. Results: each phase,
 * by its name, with its own time.
 *
 * In a shared tree the tasks of all clients are ranks of one program, which end each phase
 * together: files, and trees with UniqueDirectories, have the index of the client in their names,
 * and the first task of each client makes and removes the directories, whoever comes first.
 *
 * Attributes: Depth, Branch, Items, Tasks (count), WriteBytes (octets), UniqueDirectories.
 */
class MdtestWorkload : public FileWorkload
{
  public:
    /// What can be set: mdtest.def has the fields.
    struct Settings
    {
#define SETTING(type, name, ...) type name{};
#include "workload/generate/mdtest.def"
#undef SETTING

        [[nodiscard]] static const std::vector<Setting<Settings>>& GetRows();
    };

    static TypeId GetTypeId();

    [[nodiscard]] tl::expected<void, std::string> Validate() const override;
    [[nodiscard]] uint64_t GetPlanned() const override;

    [[nodiscard]] uint64_t GetProgress() const override
    {
        return m_completed;
    }

    [[nodiscard]] std::vector<std::string> DescribeWaiting() const override;

    [[nodiscard]] bool CanDrain() const override
    {
        return true;
    }

  protected:
    void DoSetUp() override;
    void DoDispose() override;

    void DoDrain() override
    {
        m_draining = true;
    }

  private:
    enum class Phase
    {
        MKDIR,
        CREATE,
        STAT,
        READ,
        REMOVE,
        RMDIR,
        DONE
    };

    struct Node
    {
        std::size_t parent{0};
        std::string name;
        FileRef object;
    };

    using Nodes = std::vector<Node>; ///< A tree; each directory before what it holds.

    [[nodiscard]] static const char* GetPhaseName(Phase phase);
    /// \return directories of a tree, or 0 when there are too many.
    [[nodiscard]] uint64_t CountDirectories() const;
    [[nodiscard]] Nodes MakeNodes(uint32_t tree) const;

    [[nodiscard]] Nodes& GetTreeOf(uint32_t task)
    {
        return m_trees[m_settings.uniqueDirectories ? task : 0];
    }

    /// \return operations of a task in a phase.
    [[nodiscard]] uint64_t CountItems(uint32_t task, Phase phase) const;
    void BeginPhase(Phase phase);
    /// Goes on with the next, once all that work in the same tree are through.
    void EndPhase();
    /// Starts the next operation of a task, or ends its part of the phase.
    void Step(uint32_t task);
    void EndItem(uint32_t task, bool ok, uint64_t octets);
    void MakeDirectory(uint32_t task, std::size_t index);
    void RemoveDirectory(uint32_t task, std::size_t index);
    /// \return whether another client has taken away what was to be taken away.
    [[nodiscard]] bool IsGone(const FileReply& reply) const;
    void CreateFile(uint32_t task, const FileRef& dir, const std::string& name);
    void ReadFile(uint32_t task, const FileRef& dir, const std::string& name);
    void CloseFile(uint32_t task, const FileIo::Result& moved);

    struct Task
    {
        uint64_t next{0};
        Time started;
        std::unique_ptr<DirectFileIo> io;
    };

    Settings m_settings;
    std::unique_ptr<FileSetup> m_layout;
    std::vector<Nodes> m_trees;
    std::vector<Task> m_state;
    Phase m_phase{Phase::MKDIR};
    Time m_phaseBegin;
    bool m_draining{false}; ///< No task begins anything more.
    bool m_meeting{false};  ///< It waits for others that work in the same tree.
    uint32_t m_working{0};
    uint64_t m_completed{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_GENERATE_MDTEST_H
