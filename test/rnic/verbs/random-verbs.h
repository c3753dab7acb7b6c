/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_RNIC_VERBS_RANDOM_VERBS_H
#define NFSRDMA_TEST_RNIC_VERBS_RANDOM_VERBS_H

#include "rnic/connect/cm-id.h"
#include "rnic/hardware/device.h"
#include "rnic/memory/window.h"
#include "rnic/verbs/reference-connections.h"
#include "rnic/verbs/reference-model.h"
#include "wire/ip-address.h"

#include "ns3/error-model.h"

#include <deque>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace ns3::nfsrdma::reference
{

/// A link that is cut loses what comes.
class CutLink : public ErrorModel
{
  public:
    static TypeId GetTypeId();
    bool cut{false};

  private:
    bool DoCorrupt(Ptr<Packet> packet) override;
    void DoReset() override;
};

/// The objects of one host: those alive, and some that were destroyed.
struct VerbsHost
{
    Ptr<Node> node;
    IpAddress address;
    Ptr<CutLink> link;
    Ptr<RnicDevice> device;
    std::vector<Ptr<ProtectionDomain>> domains;
    std::vector<Ptr<CompletionQueue>> completionQueues;
    std::vector<Ptr<QueuePair>> pairs;
    std::vector<Ptr<SharedReceiveQueue>> sharedQueues;
    std::vector<Ptr<MemoryRegion>> regions;
    std::vector<Ptr<MemoryWindow>> windows;
    std::vector<Range> buffers;
    std::map<IdNumber, Ptr<CmId>> ids;
    uint8_t nextKey{1};
};

/**
 * \brief Consumers of verbs on some hosts who do anything in any order, and compare all that
 * happens with the reference model.
 *
 * Every choice comes from one generator, so a seed gives the same run.
 */
class RandomVerbs
{
  public:
    explicit RandomVerbs(uint64_t seed);
    ~RandomVerbs();
    RandomVerbs(const RandomVerbs&) = delete;
    RandomVerbs& operator=(const RandomVerbs&) = delete;

    /// Does \p steps random steps, then destroys everything. Throws Mismatch.
    void Run(uint64_t steps);
    /// \return the latest steps, a line each.
    [[nodiscard]] std::string GetLog() const;
    /// \return how often each thing has happened, a line each.
    [[nodiscard]] std::string GetStatistics() const;

  private:
    using Step = void (RandomVerbs::*)();

    /// How often work is wrong on purpose.
    static constexpr uint32_t FAULT_PERCENT = 1;

    // random-verbs.cc: the network, time, and what the devices report.
    void BuildHosts(uint32_t count);
    /// \return the time as the model takes it, in nanoseconds.
    [[nodiscard]] static int64_t Now();
    void DoStep();
    void RunLittle();
    void RunToEnd();
    void CutLinkOfHost();
    void MendLinks();
    void Scribble();
    void CompareCensus(uint32_t host);
    void CompareMemory();
    void Watch(uint32_t host, const Ptr<CompletionQueue>& queue);
    void Watch(uint32_t host, const Ptr<QueuePair>& pair);
    void Watch(uint32_t host, const Ptr<MemoryRegion>& region);
    void Watch(uint32_t host, const Ptr<MemoryWindow>& window);
    void WatchInvalidation(uint32_t host, const Ptr<TaggedBuffer>& buffer);
    void Watch(IdNumber number, const Ptr<CmId>& id);
    void StateChanged(const PairName& name, QueuePairState before, QueuePairState after);
    /// Something has happened to a pair, also while it is being connected.
    void Disturb(const PairName& name);
    /// Does a step from inside a callback, sometimes.
    void Reenter();
    void Guarded(const std::function<void()>& function);
    void TearDown();

    // random-objects.cc: verbs that make and destroy.
    [[nodiscard]] Ptr<ProtectionDomain> ChooseDomain(uint32_t host);
    void AllocateDomain();
    void DestroyDomain();
    void CreateCompletionQueue();
    void DestroyCompletionQueue();
    void CreatePair();
    void DestroyPair();
    void AllocateRegion();
    void RegisterMemory();
    void AllocateWindow();
    void DestroyRegion();
    void DestroyWindow();
    template <typename T>
    void DestroyTagged(std::vector<Ptr<T>> VerbsHost::*objects, bool window);
    void AllocateBuffer();
    void FreeBuffer();
    void PollOne();
    void PollAll();
    void Arm();
    void Poll(uint32_t host, uint32_t queue, uint64_t most);

    // random-connections.cc
    void Listen();
    void Connect();
    void Answer();
    void Answer(uint32_t host, IdNumber id);
    void Disconnect();
    void StopListening();
    static void CheckRefused(bool wrong, const std::string& what);
    void MoveToError();
    void HandleEvent(IdNumber number, const CmEvent& event);
    [[nodiscard]] Ptr<QueuePair> ChooseIdlePair(uint32_t host);
    [[nodiscard]] CmConnectionParameters ChooseParameters();

    // random-work.cc
    void PostOne();
    void PostChain();
    void PostRegistration();
    void PostInvalidation();
    void PostBinding();
    void PostReceive();
    void PostReceive(uint32_t host, uint32_t pair, uint64_t atLeast);
    void PostSends(const PairName& name, std::vector<SendWork> chain);
    [[nodiscard]] std::optional<PairName> ChooseConnectedPair();
    [[nodiscard]] SendWork ChooseTransfer(const PairName& name);
    [[nodiscard]] SendWork ChooseRegistration(const PairName& name);
    [[nodiscard]] SendWork ChooseInvalidation(const PairName& name);
    [[nodiscard]] SendWork ChooseBinding(const PairName& name);
    [[nodiscard]] uint32_t ChooseAccess();
    [[nodiscard]] std::vector<Element> ChooseElements(uint32_t host,
                                                      uint32_t domain,
                                                      uint64_t length,
                                                      uint32_t access);
    /// \param local the STag is for an element, so it should be no window's
    [[nodiscard]] std::optional<Element> ChooseTagged(uint32_t host,
                                                      uint32_t domain,
                                                      uint64_t length,
                                                      uint32_t access,
                                                      bool local);
    void Spoil(std::vector<Element>& elements);
    [[nodiscard]] SendWorkRequest ToRequest(uint32_t host, const SendWork& work);

    // random-shared-receive.cc
    void CreateSharedQueue();
    void DestroySharedQueue();
    void PostShared();
    void PostShared(uint32_t host, const Ptr<SharedReceiveQueue>& queue);
    void ArmShared();
    void Watch(uint32_t host, const Ptr<SharedReceiveQueue>& queue);
    /// Tells the model what queue pairs of \p host have taken.
    void NoteTaken(uint32_t host);
    /// \return receives that no queue pair has taken.
    [[nodiscard]] uint32_t CompareShared(uint32_t host);
    /// Makes it likely that \p work finds a buffer in the shared receive queue of \p peer.
    void PrepareShared(const PairName& peer, SendWork& work);

    // Choices.
    [[nodiscard]] uint64_t Below(uint64_t limit);
    [[nodiscard]] bool Chance(uint32_t percent);
    [[nodiscard]] uint32_t ChooseHost();
    template <typename T>
    T Choose(const std::vector<T>& items);
    /// \return one of the host's objects, sometimes another host's or none.
    template <typename T>
    Ptr<T> ChooseObject(std::vector<Ptr<T>> VerbsHost::*objects, uint32_t host);
    /// \return one that \p usable holds for when there is one, and mostly that.
    template <typename T, typename Usable>
    Ptr<T> ChooseUsable(std::vector<Ptr<T>> VerbsHost::*objects, uint32_t host, Usable usable);
    /// Keeps the list short: forgets a destroyed object.
    template <typename T, typename Alive>
    static void Forget(std::vector<Ptr<T>>& objects, Alive alive);
    [[nodiscard]] uint32_t ToAlive(uint32_t host, const Ptr<ProtectionDomain>& domain);
    [[nodiscard]] uint32_t ToAlive(uint32_t host, const Ptr<CompletionQueue>& queue);
    [[nodiscard]] uint32_t ToAlive(uint32_t host, const Ptr<QueuePair>& pair);
    [[nodiscard]] uint32_t ToAlive(uint32_t host, const Ptr<SharedReceiveQueue>& queue);
    [[nodiscard]] uint32_t ToAlive(uint32_t host, const Ptr<MemoryRegion>& region);
    [[nodiscard]] uint32_t ToAlive(uint32_t host, const Ptr<MemoryWindow>& window);
    void Check(const std::string& verb, const Refusals& allowed, std::optional<VerbsError> result);
    void Log(const std::string& line);
    void Count(const std::string& what);

    std::mt19937_64 m_random;
    std::vector<VerbsHost> m_hosts;
    std::unique_ptr<ReferenceModel> m_model;
    ReferenceConnections m_connections;
    std::deque<std::string> m_log;
    std::map<std::string, uint64_t> m_statistics;
    std::optional<std::string> m_mismatch; ///< Found inside a callback.
    uint64_t m_step{0};
    uint64_t m_nextWork{1};
    uint32_t m_depth{0}; ///< Of steps inside callbacks.
    bool m_destroying{false};
};

template <typename T>
T
RandomVerbs::Choose(const std::vector<T>& items)
{
    return items.at(Below(items.size()));
}

template <typename T>
Ptr<T>
RandomVerbs::ChooseObject(std::vector<Ptr<T>> VerbsHost::*objects, uint32_t host)
{
    if (Chance(3))
    {
        host = ChooseHost();
    }
    const auto& items = m_hosts[host].*objects;
    return items.empty() || Chance(1) ? nullptr : Choose(items);
}

template <typename T, typename Usable>
Ptr<T>
RandomVerbs::ChooseUsable(std::vector<Ptr<T>> VerbsHost::*objects, uint32_t host, Usable usable)
{
    std::vector<Ptr<T>> fit;
    for (const auto& object : m_hosts[host].*objects)
    {
        if (usable(object))
        {
            fit.push_back(object);
        }
    }
    return fit.empty() || Chance(4) ? ChooseObject(objects, host) : Choose(fit);
}

template <typename T, typename Alive>
void
RandomVerbs::Forget(std::vector<Ptr<T>>& objects, Alive alive)
{
    constexpr std::size_t KEPT = 1;
    std::size_t dead = 0;
    for (auto object = objects.end(); object != objects.begin();)
    {
        --object;
        if (!alive(*object) && ++dead > KEPT)
        {
            object = objects.erase(object);
        }
    }
}

} // namespace ns3::nfsrdma::reference

#endif // NFSRDMA_TEST_RNIC_VERBS_RANDOM_VERBS_H
