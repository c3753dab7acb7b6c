/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_SHARED_TREE_H
#define NFSRDMA_WORKLOAD_SHARED_TREE_H

#include "workload/check/content-model.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief What the clients have in common that work in one export: what it should hold, and what
 * their applications agree on without a word over the network (as ranks of an MPI program do).
 *
 * Workloads of one name on different clients are its members: the first that asks makes their
 * files, the others wait for it and then take what is there; and they can wait for each other.
 */
class SharedTree
{
  public:
    /// \param seed of the content: an index of one of its clients
    explicit SharedTree(uint32_t seed);
    SharedTree(const SharedTree&) = delete;
    SharedTree& operator=(const SharedTree&) = delete;

    [[nodiscard]] const std::shared_ptr<ContentModel>& GetContent() const
    {
        return m_content;
    }

    /// A further client has a workload of that name; before any of them starts.
    void Enroll(const std::string& name);

    /// \param made false: what workloads of the name need is to be made by the caller
    using Turn = std::function<void(bool made)>;
    /// Calls \p turn when it is known whether the caller is the one to make what workloads of
    /// \p name need: at once for the first; later, in the caller's context, for others.
    void AskToMake(const std::string& name, Turn turn);
    /// Who was asked to make has \p done so, or could not: the next that waits makes it then.
    void EndMaking(const std::string& name, bool done);

    /// Calls \p go, in the caller's context, once all members of \p name have come.
    void Meet(const std::string& name, std::function<void()> go);
    /// A member of \p name comes to no further meeting.
    void Leave(const std::string& name);

    /// \return members of \p name that wait to take what another one makes.
    [[nodiscard]] bool IsBeingMade(const std::string& name) const;

    /// Names in a directory that any member may take away, oldest first.
    [[nodiscard]] std::deque<std::string>& GetSpares(const std::string& name)
    {
        return m_groups[name].spares;
    }

  private:
    enum class State
    {
        ABSENT,
        MAKING,
        MADE
    };

    /// A call that is to be made in the context of the node that asked for it.
    template <typename... Args>
    struct Waiting
    {
        uint32_t context{0};
        std::function<void(Args...)> call;
    };

    /// The workloads of one name.
    struct Group
    {
        State state{State::ABSENT};
        std::deque<Waiting<bool>> turns;
        uint32_t members{0};
        std::vector<Waiting<>> met;
        std::deque<std::string> spares;
    };

    /// Lets the members go that have met, when nobody is missing.
    static void LetGo(Group& group);

    std::shared_ptr<ContentModel> m_content;
    std::map<std::string, Group> m_groups;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_SHARED_TREE_H
