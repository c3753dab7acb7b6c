/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_NFS_V4_GENERATOR_H
#define NFSRDMA_TEST_NFS_V4_GENERATOR_H

#include "nfs/message-filler.h"
#include "nfs/v4/protocol/callback-compound.h"

#include <array>
#include <optional>
#include <utility>
#include <variant>

namespace ns3::nfsrdma::test
{

/// NFSv4 messages with random fields, the same for a seed on every machine.
class Nfs4Generator : public MessageFiller<Nfs4Generator>
{
  public:
    using MessageFiller::Item;
    using MessageFiller::MessageFiller;

    /// Results get this status; absent: a random one, NFS4_OK more often than not.
    void SetStatus(std::optional<Nfs4Status> status)
    {
        m_status = status;
    }

    /// \return arguments of a random operation of \p minorVersion; \p ops as numbered there.
    Nfs4ArgOp ArgOp(uint32_t minorVersion)
    {
        constexpr uint32_t COUNT = std::variant_size_v<Nfs4ArgOp::Variant> - 1;
        Nfs4ArgOp op;
        do
        {
            FillAlternative(op, Below(COUNT));
        } while (!IsLegal(static_cast<uint32_t>(GetOp(op)), minorVersion));
        return op;
    }

    template <typename Union>
    void FillAlternative(Union& value, std::size_t index)
    {
        Emplace(value,
                index,
                std::make_index_sequence<std::variant_size_v<typename Union::Variant>>());
        std::visit([this](auto& operation) { this->Fill(operation); }, value);
    }

    Nfs4Attributes Attributes(const Nfs4Bitmap& mask)
    {
        Nfs4Attributes attributes;
        Nfs4Attributes::ForEach(attributes, [this, &mask](Nfs4Attr attribute, auto& value) {
            if (mask.Has(static_cast<uint32_t>(attribute)))
            {
                Item(value.emplace());
            }
        });
        return attributes;
    }

    Nfs4Bitmap AttrMask(uint32_t last = NFS4_LAST_ATTR)
    {
        Nfs4Bitmap mask;
        const uint32_t odds = 1 + Below(20);
        for (uint32_t i = 0; i <= last; ++i)
        {
            if (Below(odds) == 0)
            {
                mask.Set(i);
            }
        }
        return mask;
    }

    void Item(Nfs4Status& status)
    {
        constexpr std::array<Nfs4Status, 10> STATUSES{Nfs4Status::OK,
                                                      Nfs4Status::OK,
                                                      Nfs4Status::OK,
                                                      Nfs4Status::OK,
                                                      Nfs4Status::OK,
                                                      Nfs4Status::NOENT,
                                                      Nfs4Status::DENIED,
                                                      Nfs4Status::TOOSMALL,
                                                      Nfs4Status::CLID_INUSE,
                                                      Nfs4Status::LAYOUTTRYLATER};
        status = m_status.value_or(STATUSES.at(Below(STATUSES.size())));
    }

    void Item(Nfs4Bitmap& mask)
    {
        mask = AttrMask();
    }

    void Item(Nfs4Fh& handle)
    {
        handle = Nfs4Fh(Octets(Below(NFS4_FHSIZE + 1)));
    }

    void Item(Nfs4Attributes& attributes)
    {
        attributes = Attributes(AttrMask());
    }

  private:
    template <typename Union, std::size_t... I>
    static void Emplace(Union& value, std::size_t index, std::index_sequence<I...>)
    {
        static_cast<void>(((index == I ? (value.template emplace<I>(), true) : false) || ...));
    }

    std::optional<Nfs4Status> m_status;
};

} // namespace ns3::nfsrdma::test

#endif // NFSRDMA_TEST_NFS_V4_GENERATOR_H
