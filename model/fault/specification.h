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

/// What can be done to frames and links. What can be done inside hosts is a HostFault.
enum class FaultActionKind : uint8_t
{
    DROP,
    CORRUPT,
    DUPLICATE,
    DELAY,
    REORDER,
    RESEGMENT,
    LINK_DOWN,
    FLAP,
    PARTITION,
    MTU,
    HOST
};

/// \return the word that fault plans use: "link-down"; "host" for HOST.
[[nodiscard]] std::string_view ToString(FaultActionKind kind);
/// \return the kind that \p name stands for, but HOST; none for another word.
[[nodiscard]] std::optional<FaultActionKind> FindFaultActionKind(std::string_view name);
/// \return every word a WHAT can begin with, those of HostFaultKind included.
[[nodiscard]] std::vector<std::string_view> GetFaultActionNames();
/// \return whether it is done to the frame that the trigger is about.
[[nodiscard]] bool IsFrameAction(FaultActionKind kind);

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
    FaultActionKind kind{FaultActionKind::DROP};
    /// DROP: how often the same octets are lost; CORRUPT: bits; DUPLICATE: copies; REORDER:
    /// segments that overtake; RESEGMENT: octets; FLAP: times; MTU: octets.
    uint64_t count{1};
    Time duration; ///< DELAY, LINK_DOWN, PARTITION, MTU.
    Time down;     ///< FLAP.
    Time up;       ///< FLAP.
    bool beforeCrc{false};
    std::optional<uint32_t> octet;       ///< CORRUPT: where, in the FPDU without markers.
    const FpduField* field{nullptr};     ///< CORRUPT: where, by name; null: anywhere.
    bool silently{false};                ///< MTU: a black hole.
    std::vector<std::string> sides[2]{}; ///< PARTITION: hosts or groups.
    HostFault host;                      ///< HOST.
    std::string on;                      ///< The host of a link or host action, if named here.
};

/// \return how long \p what lasts before it ends by itself: a link that is down or flaps, a
/// partition, an MTU, a fault of a host with a duration; 0 of what is done to frames, or at once.
[[nodiscard]] Time GetDuration(const FaultWhat& what);

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
