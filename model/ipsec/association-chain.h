/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_IPSEC_ASSOCIATION_CHAIN_H
#define NFSRDMA_IPSEC_ASSOCIATION_CHAIN_H

#include "ipsec/key-material.h"
#include "ipsec/security-association.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief The associations by which a host sends to another, one after the other.
 *
 *     soft lifetime over -> rekey delay: keys are made, the old one goes on -> the next one
 *
 * An association whose hard lifetime ends before that protects nothing more: packets are lost until
 * the next is there. Time passes for it when packets are sent.
 */
class OutboundChain
{
  public:
    /// \param rekeyDelay from the end of the soft lifetime until the next association is used
    OutboundChain(const AssociationName& first, const AssociationTraits& traits, Time rekeyDelay);

    /// \return the association that protects what leaves at \p now, not before what was asked for
    /// earlier
    [[nodiscard]] SecurityAssociation& GetCurrent(Time now);

    /// \return how often another association has taken over.
    [[nodiscard]] uint32_t GetRekeys() const
    {
        return m_name.generation;
    }

    /// \return the name of the association in use.
    [[nodiscard]] const AssociationName& GetName() const
    {
        return m_name;
    }

  private:
    void Make(Time now);

    AssociationName m_name;
    AssociationTraits m_traits;
    Time m_rekeyDelay;
    std::optional<Time> m_switches;
    std::unique_ptr<SecurityAssociation> m_current; ///< Null before the first use.
};

/**
 * \brief The associations by which a host receives from another: the one in use, the one that
 * follows it, which is in place before its sender may use it, and for a time the one before it.
 *
 * The first authentic packet of the next association makes it the one in use, and puts a further
 * one in place: so none is lost while keys change, however the network delays it. Where nothing
 * of an association has arrived before its sender went on, those that were missed are skipped.
 */
class InboundChain
{
  public:
    /// \param overlap how long an association that has been followed by another still receives
    InboundChain(const AssociationName& first, const AssociationTraits& traits, Time overlap);

    /// \return the association of \p spi that receives at \p now, until the next call; null: none.
    [[nodiscard]] SecurityAssociation* Find(uint32_t spi, Time now);
    /// \p association, which Find() gave, has received an authentic packet at \p now.
    void Used(const SecurityAssociation& association, Time now);

    /// \return how often the sender has gone on to another association, by what has arrived.
    [[nodiscard]] uint32_t GetRekeys() const
    {
        return m_name.generation;
    }

  private:
    [[nodiscard]] std::unique_ptr<SecurityAssociation> Make(uint32_t generation, Time now) const;

    AssociationName m_name; ///< Of the one in use.
    AssociationTraits m_traits;
    Time m_overlap;
    Time m_previousEnds;
    std::unique_ptr<SecurityAssociation> m_previous;
    std::unique_ptr<SecurityAssociation> m_current; ///< Null before the first use.
    std::unique_ptr<SecurityAssociation> m_next;    ///< It has received nothing authentic.
    uint32_t m_nextGeneration{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_IPSEC_ASSOCIATION_CHAIN_H
