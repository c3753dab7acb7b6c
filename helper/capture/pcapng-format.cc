/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "pcapng-format.h"

#include <boost/endian/conversion.hpp>
#include <limits>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t SECTION_HEADER = 0x0a0d0d0a;
constexpr uint32_t INTERFACE_DESCRIPTION = 1;
constexpr uint32_t PACKET = 2;
constexpr uint32_t SIMPLE_PACKET = 3;
constexpr uint32_t ENHANCED_PACKET = 6;
constexpr uint32_t BYTE_ORDER_MAGIC = 0x1a2b3c4d;

constexpr uint16_t OPTION_END = 0;
constexpr uint16_t OPTION_RESOLUTION = 9;
constexpr uint16_t OPTION_FCS_LENGTH = 13;
constexpr uint16_t OPTION_OFFSET = 14;

constexpr std::size_t WORD = 4;
constexpr std::size_t BLOCK_HEAD = 8;       // Type and total length.
constexpr std::size_t BLOCK_FRAMING = 12;   // With the length at the end.
constexpr std::size_t SECTION_FRAMING = 16; // With the byte-order magic.
constexpr std::size_t INTERFACE_FIXED = 8;
constexpr std::size_t PACKET_FIXED = 20;
constexpr std::size_t MAX_INTERFACES = 65536;
/// A frame with its options; blocks that are passed over may be longer.
constexpr std::size_t MAX_BLOCK = MAX_FRAME_OCTETS + (std::size_t{1} << 20);

constexpr uint64_t SECOND = 1000000000;
constexpr int64_t MAX_SECONDS = std::numeric_limits<uint32_t>::max();

tl::unexpected<PcapError>
Damage(uint64_t number, const std::string& what)
{
    return tl::make_unexpected(MakePcapError(PcapError::Kind::DAMAGED, number, what));
}

/// \return ticks per second as if_tsresol says; nothing when there is no such number.
std::optional<uint64_t>
ParseResolution(uint8_t octet)
{
    constexpr uint8_t BINARY = 0x80;
    constexpr uint8_t MAX_BINARY = 63;
    constexpr uint8_t MAX_DECIMAL = 19;
    constexpr uint64_t DECIMAL = 10;
    const uint8_t exponent = octet & 0x7f;
    if ((octet & BINARY) != 0)
    {
        return exponent <= MAX_BINARY ? std::optional<uint64_t>(uint64_t{1} << exponent)
                                      : std::nullopt;
    }
    if (exponent > MAX_DECIMAL)
    {
        return std::nullopt;
    }
    uint64_t ticks = 1;
    for (uint8_t i = 0; i < exponent; ++i)
    {
        ticks *= DECIMAL;
    }
    return ticks;
}

} // namespace

bool
PcapngFormat::Recognizes(ByteSpan start)
{
    return boost::endian::load_big_u32(start.data()) == SECTION_HEADER;
}

tl::expected<std::unique_ptr<CaptureFormat>, PcapError>
PcapngFormat::Create(CaptureSource& source)
{
    auto format = std::make_unique<PcapngFormat>();
    if (auto error = format->BeginSection(source, 0))
    {
        return tl::make_unexpected(error->kind == PcapError::Kind::FRAME_CUT
                                       ? MakePcapError(PcapError::Kind::HEADER_CUT)
                                       : *std::move(error));
    }
    return std::unique_ptr<CaptureFormat>(std::move(format));
}

uint32_t
PcapngFormat::GetLinkType() const
{
    return m_firstLinkType;
}

uint16_t
PcapngFormat::Half(const uint8_t* octets) const
{
    return m_bigEndian ? boost::endian::load_big_u16(octets)
                       : boost::endian::load_little_u16(octets);
}

uint32_t
PcapngFormat::Word(const uint8_t* octets) const
{
    return m_bigEndian ? boost::endian::load_big_u32(octets)
                       : boost::endian::load_little_u32(octets);
}

PcapngFormat::Taken
PcapngFormat::Read(CaptureSource& source, std::size_t count, uint64_t number)
{
    const auto octets = source.Take(count);
    if (!octets)
    {
        return tl::make_unexpected(
            MakePcapError(PcapError::Kind::UNREADABLE, number, octets.error()));
    }
    if (octets->size() < count)
    {
        if (octets->empty())
        {
            return std::nullopt;
        }
        return tl::make_unexpected(MakePcapError(PcapError::Kind::FRAME_CUT, number));
    }
    return *octets;
}

std::optional<PcapError>
PcapngFormat::Skip(CaptureSource& source, uint64_t count, uint64_t number) const
{
    while (count > 0)
    {
        const std::size_t part = std::min<uint64_t>(count, MAX_FRAME_OCTETS);
        const auto octets = Read(source, part, number);
        if (!octets || !*octets)
        {
            return octets ? MakePcapError(PcapError::Kind::FRAME_CUT, number) : octets.error();
        }
        count -= part;
    }
    return std::nullopt;
}

std::optional<PcapError>
PcapngFormat::BeginSection(CaptureSource& source, uint64_t number)
{
    const auto head = Read(source, BLOCK_HEAD, number);
    if (!head || !*head)
    {
        return head ? MakePcapError(PcapError::Kind::FRAME_CUT, number) : head.error();
    }
    const uint8_t* octets = (*head)->data();
    m_bigEndian = boost::endian::load_big_u32(octets + WORD) == BYTE_ORDER_MAGIC;
    if (!m_bigEndian && boost::endian::load_little_u32(octets + WORD) != BYTE_ORDER_MAGIC)
    {
        return MakePcapError(PcapError::Kind::DAMAGED,
                             number,
                             "a section of a pcapng file has no byte order");
    }
    const uint32_t length = Word(octets);
    if (length < SECTION_FRAMING + INTERFACE_FIXED || length % WORD != 0)
    {
        return MakePcapError(PcapError::Kind::DAMAGED,
                             number,
                             "a section header would have " + std::to_string(length) + " octets");
    }
    m_interfaces.clear();
    return Skip(source, length - BLOCK_FRAMING, number);
}

std::optional<PcapError>
PcapngFormat::AddInterface(ByteSpan body, uint64_t number)
{
    const auto damage = [number](const char* what) {
        return MakePcapError(PcapError::Kind::DAMAGED, number, what);
    };
    if (body.size() < INTERFACE_FIXED)
    {
        return damage("an interface description is cut short");
    }
    if (m_interfaces.size() == MAX_INTERFACES)
    {
        return damage("a section has more than 65536 interfaces");
    }
    Interface interface;
    interface.linkType = Half(body.data());
    interface.snapLength = Word(body.data() + WORD);
    ByteSpan options = body.subspan(INTERFACE_FIXED);
    while (options.size() >= WORD)
    {
        const uint16_t code = Half(options.data());
        const std::size_t length = Half(options.data() + 2);
        if (code == OPTION_END || RoundUp4(length) > options.size() - WORD)
        {
            break;
        }
        const uint8_t* value = options.data() + WORD;
        if (code == OPTION_RESOLUTION && length >= 1)
        {
            const auto ticks = ParseResolution(*value);
            if (!ticks)
            {
                return damage("an interface has no such resolution of time");
            }
            interface.ticks = *ticks;
        }
        else if (code == OPTION_FCS_LENGTH && length >= 1)
        {
            interface.fcsOctets = *value;
        }
        else if (code == OPTION_OFFSET && length >= BLOCK_HEAD)
        {
            const uint64_t offset = m_bigEndian ? boost::endian::load_big_u64(value)
                                                : boost::endian::load_little_u64(value);
            interface.offset = static_cast<int64_t>(offset);
        }
        options = options.subspan(WORD + RoundUp4(length));
    }
    if (m_interfaces.empty() && m_firstLinkType == 0)
    {
        m_firstLinkType = interface.linkType;
    }
    m_interfaces.push_back(interface);
    return std::nullopt;
}

int64_t
PcapngFormat::ToNanoseconds(const Interface& interface, uint64_t time)
{
    const uint64_t seconds = time / interface.ticks;
    const auto part = static_cast<long double>(time % interface.ticks);
    const auto nanoseconds =
        static_cast<int64_t>(part * SECOND / static_cast<long double>(interface.ticks));
    if (seconds > static_cast<uint64_t>(MAX_SECONDS) || interface.offset > MAX_SECONDS ||
        interface.offset < -MAX_SECONDS)
    {
        return 0;
    }
    const int64_t whole = static_cast<int64_t>(seconds) + interface.offset;
    return whole < 0 || whole > MAX_SECONDS ? 0
                                            : whole * static_cast<int64_t>(SECOND) + nanoseconds;
}

NextFrame
PcapngFormat::MakeFrame(uint32_t type, ByteSpan body, uint64_t number) const
{
    const std::size_t fixed = type == SIMPLE_PACKET ? WORD : PACKET_FIXED;
    if (body.size() < fixed)
    {
        return Damage(number, "its block is cut short");
    }
    std::size_t index = 0;
    if (type != SIMPLE_PACKET)
    {
        index = type == PACKET ? Half(body.data()) : Word(body.data());
    }
    if (index >= m_interfaces.size())
    {
        return Damage(number, "it is of an interface that is not described");
    }
    const Interface& interface = m_interfaces[index];
    CapturedFrame frame;
    frame.number = number;
    frame.linkType = interface.linkType;
    std::size_t length = 0;
    if (type == SIMPLE_PACKET)
    {
        frame.wireLength = Word(body.data());
        length = std::min<std::size_t>(frame.wireLength, body.size() - fixed);
        length = interface.snapLength == 0 ? length
                                           : std::min<std::size_t>(length, interface.snapLength);
    }
    else
    {
        const uint64_t high = Word(body.data() + WORD);
        frame.time = ToNanoseconds(interface, (high << 32) | Word(body.data() + 2 * WORD));
        length = Word(body.data() + 3 * WORD);
        frame.wireLength = Word(body.data() + 4 * WORD);
    }
    if (auto error = CheckFrameLengths(number, static_cast<uint32_t>(length), frame.wireLength))
    {
        return tl::make_unexpected(*std::move(error));
    }
    if (length > body.size() - fixed)
    {
        return Damage(number, "it is longer than its block");
    }
    frame.octets = body.subspan(fixed, length);
    frame.RemoveFcs(interface.fcsOctets);
    return frame;
}

NextFrame
PcapngFormat::Next(CaptureSource& source, uint64_t number)
{
    for (;;)
    {
        const auto start = Read(source, WORD, number);
        if (!start || !*start)
        {
            return start ? NextFrame(std::nullopt) : tl::make_unexpected(start.error());
        }
        const uint32_t type = Word((*start)->data());
        if (type == SECTION_HEADER)
        {
            if (auto error = BeginSection(source, number))
            {
                return tl::make_unexpected(*std::move(error));
            }
            continue;
        }
        const auto size = Read(source, WORD, number);
        if (!size || !*size)
        {
            return tl::make_unexpected(size ? MakePcapError(PcapError::Kind::FRAME_CUT, number)
                                            : size.error());
        }
        const uint32_t length = Word((*size)->data());
        if (length < BLOCK_FRAMING || length % WORD != 0)
        {
            return Damage(number, "a block would have " + std::to_string(length) + " octets");
        }
        const bool isFrame = type == PACKET || type == SIMPLE_PACKET || type == ENHANCED_PACKET;
        const std::size_t rest = length - BLOCK_HEAD;
        if (!isFrame && type != INTERFACE_DESCRIPTION)
        {
            if (auto error = Skip(source, rest, number))
            {
                return tl::make_unexpected(*std::move(error));
            }
            continue;
        }
        if (length > MAX_BLOCK)
        {
            return Damage(number, "a block would have " + std::to_string(length) + " octets");
        }
        const auto block = Read(source, rest, number);
        if (!block || !*block)
        {
            return tl::make_unexpected(block ? MakePcapError(PcapError::Kind::FRAME_CUT, number)
                                             : block.error());
        }
        const ByteSpan body = (*block)->first(rest - WORD);
        if (isFrame)
        {
            return MakeFrame(type, body, number);
        }
        if (auto error = AddInterface(body, number))
        {
            return tl::make_unexpected(*std::move(error));
        }
    }
}

} // namespace ns3::nfsrdma
