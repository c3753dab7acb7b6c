/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_SPECIFICATION_H
#define NFSRDMA_FAULT_SPECIFICATION_H

#include "fault/frame-event.h"
#include "fault/host-action.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::nfsrdma
{

/// When a fault happens.
struct FaultWhen
{
    enum class Mode : uint8_t
    {
        AT,         ///< At a time, perhaps again and again.
        NTH,        ///< With the occurrence of that number.
        EVERY,      ///< With each occurrence whose number is a multiple.
        PROBABILITY ///< With each occurrence that a draw chooses.
    };

    Mode mode{Mode::AT};
    Time at;                 ///< AT: the first time.
    Time interval;           ///< AT: between times; 0: once.
    uint64_t times{0};       ///< How often at most; 0: any number.
    uint64_t number{1};      ///< NTH, EVERY; from 1.
    double probability{0};   ///< PROBABILITY; above 0, up to 1.
    FaultEventPattern event; ///< All but AT.
    Time after;              ///< Occurrences before are not counted.
    std::optional<Time> before;
};

/// Which frames a fault looks at.
struct FaultWhere
{
    enum class Form : uint8_t
    {
        ANYWHERE,
        FROM,    ///< Of first.
        TO,      ///< For second.
        FROM_TO, ///< Of first, for second.
        BETWEEN, ///< Of one, for the other.
        ON       ///< Of or for first.
    };

    Form form{Form::ANYWHERE};
    std::string first;      ///< "client-2", "clients", "servers".
    std::string second;     ///< The same.
    uint64_t connection{0}; ///< Number of the connection of the pair, from 1; 0: any.
};

struct FaultAction;

/// What a fault is done to.
enum class FaultPlace : uint8_t
{
    FRAME,   ///< The frame that the trigger is about.
    LINK,    ///< The link of a host.
    NETWORK, ///< Hosts on two sides.
    HOST     ///< The inside of a host.
};

/// A part of an FPDU that can be changed, and where it stands in it without markers.
struct FpduField
{
    static constexpr uint32_t NOWHERE = 0xff;

    std::string_view name;
    uint32_t tagged;   ///< Offset in an FPDU of a tagged segment, or NOWHERE.
    uint32_t untagged; ///< Offset in an FPDU of an untagged segment, or NOWHERE.
    uint32_t size;     ///< Octets; 0: to the end of the ULPDU.
};

/// \return the fields that "corrupt ... field NAME" can name.
[[nodiscard]] const std::vector<FpduField>& GetFpduFields();
/// \return null for another word.
[[nodiscard]] const FpduField* FindFpduField(std::string_view name);

/// What happens.
struct FaultWhat
{
    const FaultAction* action{nullptr}; ///< Null: a HostFault.
    /// drop: how often the same octets are lost; corrupt: bits; duplicate: copies; reorder:
    /// segments that overtake; resegment: octets; flap: times; mtu: octets.
    uint64_t count{1};
    Time duration; ///< delay, link-down, partition, mtu.
    Time down;     ///< flap.
    Time up;       ///< flap.
    bool beforeCrc{false};
    std::optional<uint32_t> octet;       ///< corrupt: where, in the FPDU without markers.
    const FpduField* field{nullptr};     ///< corrupt: where, by name; null: anywhere.
    bool silently{false};                ///< mtu: a black hole.
    std::vector<std::string> sides[2]{}; ///< partition: hosts or groups.
    HostFault host;                      ///< Without an action.
    std::string on;                      ///< The host of a link or host action, if named here.

    [[nodiscard]] FaultPlace GetPlace() const;
    /// \return the word that it begins with: "link-down", "rnic-reset".
    [[nodiscard]] std::string_view GetWord() const;
    /// \return how long it lasts before it ends by itself: a link that is down or flaps, a
    /// partition, an MTU, a fault of a host with a duration; 0 of what is done to frames, or at
    /// once.
    [[nodiscard]] Time GetDuration() const;
};

/// One line of a fault plan.
struct FaultSpec
{
    std::string name;     ///< The user's.
    std::string sentence; ///< As written.
    FaultWhen when;
    FaultWhere where;
    FaultWhat what;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_SPECIFICATION_H
