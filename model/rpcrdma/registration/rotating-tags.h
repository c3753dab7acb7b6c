/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_REGISTRATION_ROTATING_TAGS_H
#define NFSRDMA_RPCRDMA_REGISTRATION_ROTATING_TAGS_H

#include "rnic/hardware/device.h"
#include "rpcrdma/registration/strategy.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief The invalid regions or windows of a connection, which work requests make valid again and
 * again.
 *
 * The key changes each time (RnicDevice::ChooseStagKey()); after 256 times the object is replaced
 * by a new one, so that an STag value whose keys are counted never names two pieces of memory.
 * Objects with a fixed key stay.
 */
class RotatingTags
{
  public:
    struct Verbs
    {
        std::function<Ptr<TaggedBuffer>()> allocate; ///< Returns null when there is none.
        std::function<tl::expected<void, VerbsError>(const Ptr<TaggedBuffer>&)> destroy;
    };

    /// An object taken, and its next STag.
    struct Tag
    {
        uint32_t number{0};
        Ptr<TaggedBuffer> buffer;
        uint8_t key{0};

        [[nodiscard]] Stag GetStag() const
        {
            return buffer->MakeStag(key);
        }
    };

    RotatingTags(Ptr<RnicDevice> device, std::unique_ptr<RegistrationPolicy> choice, Verbs verbs);
    ~RotatingTags();
    RotatingTags(const RotatingTags&) = delete;
    RotatingTags& operator=(const RotatingTags&) = delete;

    /// Allocates up to \p count. \return how many there are more.
    uint32_t Grow(uint32_t count);

    /// \return whether what other slots kept is now free for all.
    bool Reclaim()
    {
        return m_choice->Reclaim();
    }

    /// \return nothing when none is free for \p slot.
    std::optional<Tag> Take(uint32_t slot);
    /// Gives one that is not taken back to the device. \return whether there was any.
    bool GiveBack();
    /// It is invalid again, or never became valid.
    void Return(uint32_t slot, uint32_t number);

  private:
    struct Entry
    {
        Ptr<TaggedBuffer> buffer; ///< Null: vacant.
        uint32_t uses{0};
    };

    void Destroy(const Ptr<TaggedBuffer>& buffer);

    Ptr<RnicDevice> m_device;
    std::unique_ptr<RegistrationPolicy> m_choice;
    Verbs m_verbs;
    std::vector<Entry> m_entries;
    std::vector<uint32_t> m_vacant; ///< Numbers that have no object.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_REGISTRATION_ROTATING_TAGS_H
