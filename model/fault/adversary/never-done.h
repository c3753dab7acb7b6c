/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_NEVER_DONE_H
#define NFSRDMA_FAULT_ADVERSARY_NEVER_DONE_H

#include "fault/adversary/rogue-requester.h"

#include <map>

namespace ns3::nfsrdma
{

/**
 * \brief Offers to pull replies, asks for large ones without a chunk, and never tells that it has
 * pulled them (section 4.1.3 of the draft): the server keeps each registered.
 *
 * It heeds credits. Whole replies are not read at all; see ReplyDrain for one that does, slowly.
 */
class NeverDone : public RogueRequester
{
  public:
    static TypeId GetTypeId();
    NeverDone();
    ~NeverDone() override;

    /// \return replies refused with RDMA_ERROR.
    [[nodiscard]] uint64_t GetErrors() const;

  protected:
    void DoDispose() override;
    void Act(RogueConnection& connection) override;
    void HandleReply(RogueConnection& connection, const RpcRdmaHeader& header) override;
    void Forget(uint32_t connection) override;
    [[nodiscard]] bool Pulls() const override;

    /// A reply has come as a Read chunk.
    virtual void HandleExposed(RogueConnection& connection, const RpcRdmaHeader& header);

  private:
    struct Window
    {
        uint32_t granted{1};
        uint32_t outstanding{0};
    };

    uint32_t m_octets{0};
    uint64_t m_errors{0};
    std::map<uint32_t, Window> m_windows; ///< By connection.
};

/**
 * \brief Offers to pull replies, and pulls each a few octets at a time, so that it stays exposed.
 * When it has them all it says so.
 */
class ReplyDrain : public NeverDone
{
  public:
    static TypeId GetTypeId();
    ReplyDrain();
    ~ReplyDrain() override;

  protected:
    void DoDispose() override;
    void DoStop() override;
    void HandleExposed(RogueConnection& connection, const RpcRdmaHeader& header) override;
    void HandleRead(RogueConnection& connection) override;
    void Forget(uint32_t connection) override;

  private:
    /// A reply that is being pulled.
    struct Pull
    {
        uint32_t xid{0};
        std::vector<RpcRdmaReadSegment> segments;
        std::size_t segment{0};
        uint32_t offset{0};
    };

    /// The pulls of a connection, one after the other.
    struct Line
    {
        Ptr<RogueConnection> connection;
        std::vector<Pull> pulls;
        bool reading{false};
        EventId next;
    };

    void ReadSome(uint32_t connection);

    uint32_t m_readSize{0};
    Time m_readPause;
    std::map<uint32_t, Line> m_lines;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_NEVER_DONE_H
