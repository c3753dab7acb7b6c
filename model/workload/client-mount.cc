/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/client-mount.h"

#include <utility>

namespace ns3::nfsrdma
{

ClientMount::ClientMount(uint32_t index, const Ptr<HostMemory>& memory)
    : m_index(index),
      m_memory(memory),
      m_content(std::make_shared<ContentModel>(index)),
      m_alive(std::make_shared<ClientMount*>(this))
{
}

void
ClientMount::SetExport(const NfsFh3& root, std::shared_ptr<const Tree> tree)
{
    m_root = root;
    const ByteSpan octets = root.AsSpan();
    m_rootRef.octets.assign(octets.begin(), octets.end());
    m_tree = std::move(tree);
    if (m_tree != nullptr)
    {
        m_content->Load(*m_tree);
    }
    m_content->SetRoot(root);
}

uint32_t
ClientMount::TakeProcesses(uint32_t count)
{
    return std::exchange(m_nextProcess, m_nextProcess + count);
}

void
ClientMount::Mount(Done done)
{
    if (m_state == State::MOUNTED || m_state == State::FAILED)
    {
        done(m_reply);
        return;
    }
    m_waiting.push_back(std::move(done));
    if (m_state == State::UNMOUNTED)
    {
        m_state = State::MOUNTING;
        files->Mount([alive = std::weak_ptr<ClientMount*>(m_alive)](const FileReply& reply) {
            if (const auto mount = alive.lock())
            {
                (*mount)->Mounted(reply);
            }
        });
    }
}

void
ClientMount::Mounted(const FileReply& reply)
{
    m_state = reply.IsOk() ? State::MOUNTED : State::FAILED;
    m_reply = reply;
    for (const auto& done : std::exchange(m_waiting, {}))
    {
        done(reply);
    }
}

void
ClientMount::Unmount(std::function<void()> done)
{
    if (m_unmount)
    {
        std::exchange(m_unmount, nullptr)(std::move(done));
        return;
    }
    // A mount that has failed halfway may have made state at the server.
    if (m_state != State::MOUNTED && m_state != State::FAILED)
    {
        done();
        return;
    }
    m_state = State::UNMOUNTED;
    files->Unmount([done = std::move(done)](const FileReply&) { done(); });
}

} // namespace ns3::nfsrdma
