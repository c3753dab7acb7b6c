/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/protocol/attributes.h"

#include <type_traits>

namespace ns3::nfsrdma
{

const char*
ToString(Nfs4Attr attribute)
{
    switch (attribute)
    {
#define NFS4_ATTRIBUTE(number, NAME, name, ...)                                                    \
    case Nfs4Attr::NAME:                                                                           \
        return #name;
#include "nfs/v4/protocol/attributes.def"
    }
    return "unknown";
}

Nfs4Bitmap
MakeAttrMask(std::initializer_list<Nfs4Attr> attributes)
{
    Nfs4Bitmap mask;
    for (const Nfs4Attr attribute : attributes)
    {
        mask.Set(static_cast<uint32_t>(attribute));
    }
    return mask;
}

Nfs4Bitmap
Nfs4Attributes::GetMask() const
{
    Nfs4Bitmap mask = unknown;
    ForEach(*this, [&mask](Nfs4Attr attribute, const auto& value) {
        if (value)
        {
            mask.Set(static_cast<uint32_t>(attribute));
        }
    });
    if (mask.GetWords() < minimumWords)
    {
        mask.SetWords(minimumWords);
    }
    return mask;
}

uint32_t
Nfs4Attributes::GetValuesSize() const
{
    XdrWriter writer;
    Encode(writer);
    return static_cast<uint32_t>(writer.GetSize()) - GetMask().GetSize() - 4;
}

void
Nfs4Attributes::Encode(XdrWriter& writer) const
{
    GetMask().Encode(writer);
    const std::size_t lengthAt = writer.GetSize();
    writer.WriteU32(0);
    Nfs4Encoder encoder(writer);
    ForEach(*this, [&encoder](Nfs4Attr /* attribute */, const auto& value) {
        if (value)
        {
            encoder(*value);
        }
    });
    writer.WriteFixedOpaque(unknownValues);
    writer.PatchU32(lengthAt, static_cast<uint32_t>(writer.GetSize() - lengthAt - 4));
}

Nfs4Attributes
Nfs4Attributes::Decode(XdrReader& reader)
{
    Nfs4Attributes attributes;
    Nfs4Bitmap mask = Nfs4Bitmap::Decode(reader);
    const ByteSpan values = reader.ReadOpaque(std::numeric_limits<uint32_t>::max());
    if (!reader.Ok())
    {
        return attributes;
    }
    attributes.minimumWords = mask.GetWords();
    XdrReader valueReader(values);
    Nfs4Decoder decoder(valueReader);
    ForEach(attributes, [&decoder, &mask](Nfs4Attr attribute, auto& value) {
        const auto bit = static_cast<uint32_t>(attribute);
        if (mask.Has(bit))
        {
            decoder(value.emplace());
            mask.Clear(bit);
        }
    });
    if (!mask.IsEmpty())
    {
        attributes.unknown = mask;
        const ByteSpan rest = valueReader.Rest();
        attributes.unknownValues.assign(rest.begin(), rest.end());
    }
    else if (valueReader.Remaining() > 0)
    {
        reader.Fail();
    }
    if (!valueReader.Ok() || values.size() % 4 != 0)
    {
        reader.Fail();
    }
    return attributes;
}

} // namespace ns3::nfsrdma
