/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/message-filler.h"
#include "nfs/message-types.h"
#include "nfs/v4/generator.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>

/**
 * \file
 * \brief Writes sound messages of every program as first inputs of its fuzz target: message-seeds
 * FOLDER. Those of a target are in FOLDER/TARGET; the same on every machine.
 */

namespace ns3::nfsrdma::test
{
namespace
{

constexpr int SEEDS = 8; ///< Of each type.

class SeedWriter
{
  public:
    explicit SeedWriter(std::filesystem::path folder)
        : m_folder(std::move(folder))
    {
    }

    /// SEEDS messages of each of \p Types, behind their places in it.
    template <typename Types>
    void WriteEach(const std::string& target)
    {
        MessageGenerator generator(4506);
        uint8_t place = 0;
        ForEachType<Types>([&](auto message) {
            for (int i = 0; i < SEEDS; ++i)
            {
                generator.Fill(message);
                XdrWriter writer;
                EncodeXdr(writer, message);
                Write(target, place, writer.Take());
            }
            ++place;
        });
    }

    /// SEEDS compounds of each operation of \p Compound, behind \p first.
    template <typename Compound>
    void WriteCompounds(const std::string& target, uint8_t first)
    {
        using Op = typename decltype(Compound::ops)::value_type;
        Nfs4Generator generator(7530);
        for (std::size_t index = 0; index < std::variant_size_v<typename Op::Variant>; ++index)
        {
            for (int i = 0; i < SEEDS; ++i)
            {
                Compound compound;
                SetMinorVersion(compound, 2);
                compound.ops.resize(1);
                generator.FillAlternative(compound.ops.front(), index);
                XdrWriter writer;
                compound.Encode(writer);
                Write(target, first, writer.Take());
            }
        }
    }

    [[nodiscard]] bool Ok() const
    {
        return m_ok;
    }

  private:
    template <typename Compound>
    static auto SetMinorVersion(Compound& compound, uint32_t version)
        -> decltype(compound.minorVersion, void())
    {
        compound.minorVersion = version;
    }

    static void SetMinorVersion(...)
    {
    }

    void Write(const std::string& target, uint8_t first, const ByteVector& octets)
    {
        const auto folder = m_folder / target;
        std::filesystem::create_directories(folder);
        std::ofstream file(folder / ("seed-" + std::to_string(m_written++)), std::ios::binary);
        file.put(static_cast<char>(first));
        file.write(reinterpret_cast<const char*>(octets.data()),
                   static_cast<std::streamsize>(octets.size()));
        m_ok = m_ok && file.flush().good();
    }

    std::filesystem::path m_folder;
    int m_written{0};
    bool m_ok{true};
};

bool
WriteSeeds(const std::filesystem::path& folder)
{
    SeedWriter seeds(folder);
    seeds.WriteEach<Nfs2ArgTypes>("nfs2-args");
    seeds.WriteEach<Nfs2ResTypes>("nfs2-results");
    seeds.WriteEach<Nfs3ArgTypes>("nfs3-args");
    seeds.WriteEach<Nfs3ResTypes>("nfs3-results");
    seeds.WriteEach<NfsAcl2Types>("nfsacl2");
    seeds.WriteEach<NfsAcl3Types>("nfsacl3");
    seeds.WriteEach<MountTypes>("mount");
    seeds.WriteEach<NlmTypes>("nlm");
    seeds.WriteEach<NsmTypes>("nsm");
    seeds.WriteEach<RpcbindTypes>("rpcbind");
    seeds.WriteCompounds<Compound4Args>("nfs4-args", 0);
    seeds.WriteCompounds<Compound4Res>("nfs4-results", 0);
    seeds.WriteCompounds<CbCompound4Args>("nfs4-callback", 0);
    seeds.WriteCompounds<CbCompound4Res>("nfs4-callback", 1);
    return seeds.Ok();
}

} // namespace
} // namespace ns3::nfsrdma::test

int
main(int argc, char** argv)
{
    if (argc != 2 || std::string_view(argv[1]).substr(0, 1) == "-")
    {
        std::cerr << "usage: message-seeds FOLDER\n";
        return 2;
    }
    if (!ns3::nfsrdma::test::WriteSeeds(argv[1]))
    {
        std::cerr << "message-seeds: cannot write to " << argv[1] << '\n';
        return 1;
    }
    return 0;
}
