/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/replay/tree-reader.h"

#include "workload/replay/csv-fields.h"
#include "workload/replay/trace.h"

#include <array>
#include <map>
#include <set>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

enum Column : std::size_t
{
    OBJECT,
    PARENT,
    NAME,
    TYPE,
    MODE,
    UID,
    GID,
    SIZE,
    TARGET,
    NLINK,
    ACL,
    DEFAULT_ACL
};

constexpr std::array<Ftype3, 7> TYPES{Ftype3::DIR,
                                      Ftype3::REG,
                                      Ftype3::LNK,
                                      Ftype3::FIFO,
                                      Ftype3::SOCK,
                                      Ftype3::CHR,
                                      Ftype3::BLK};

constexpr uint32_t ROOT_MODE = 0777;

class TreeBuilder
{
  public:
    explicit TreeBuilder(const std::string& file)
    {
        m_tree.file = file;
    }

    Parsed<void> Add(const CsvRecord& record)
    {
        CsvFields fields(m_tree.file, TreeReader::GetColumns(), record);
        TreeRow row = ReadRow(record.line, fields);
        CheckPlace(fields, row);
        CheckObject(fields, row);
        if (!fields.Ok())
        {
            return tl::unexpected(fields.GetError());
        }
        m_types.emplace(row.object, row.type);
        m_names.emplace(row.parent, row.name);
        m_tree.rows.push_back(std::move(row));
        return {};
    }

    Tree Take()
    {
        if (m_tree.rows.empty())
        {
            TreeRow root;
            root.object = ROOT_OBJECT;
            root.type = Ftype3::DIR;
            root.mode = ROOT_MODE;
            m_tree.rows.push_back(std::move(root));
        }
        return std::move(m_tree);
    }

  private:
    static TreeRow ReadRow(uint32_t line, CsvFields& fields)
    {
        TreeRow row;
        row.line = line;
        row.object = fields.Required(OBJECT, "the name of an object, as o1");
        row.parent = fields.Text(PARENT);
        row.name = fields.Text(NAME);
        row.type = ReadType(fields);
        row.mode = fields.Mode(MODE).value_or(0);
        row.uid = fields.Number32(UID).value_or(0);
        row.gid = fields.Number32(GID).value_or(0);
        row.size = fields.Number(SIZE).value_or(0);
        row.target = fields.Text(TARGET);
        row.nlink = fields.Number32(NLINK).value_or(1);
        row.acl = ReadAcl(fields, ACL);
        row.defaultAcl = ReadAcl(fields, DEFAULT_ACL);
        if (fields.IsEmpty(MODE))
        {
            fields.Fail(MODE, "an octal mode not above 7777");
        }
        if (row.type == Ftype3::REG && fields.IsEmpty(SIZE))
        {
            fields.Fail(SIZE, "the size of a regular file in octets");
        }
        if (row.type == Ftype3::LNK && row.target.empty())
        {
            fields.Fail(TARGET, "the path a symbolic link holds");
        }
        if (row.type == Ftype3::LNK && !row.acl.empty())
        {
            fields.Fail(ACL, "nothing for a symbolic link");
        }
        if (row.type != Ftype3::DIR && !row.defaultAcl.empty())
        {
            fields.Fail(DEFAULT_ACL, "nothing for what is no directory");
        }
        return row;
    }

    static PosixAcl ReadAcl(CsvFields& fields, Column column)
    {
        auto acl = ParsePosixAcl(fields.Text(column));
        if (!acl || (!acl->empty() && !IsValidAcl(*acl)))
        {
            fields.Fail(column, "nothing or an access list as user::rw-,group::r--,other::r--");
            return {};
        }
        return *std::move(acl);
    }

    static Ftype3 ReadType(CsvFields& fields)
    {
        for (const auto type : TYPES)
        {
            if (fields.Text(TYPE) == ToString(type))
            {
                return type;
            }
        }
        fields.Fail(TYPE, "DIR, REG, LNK, FIFO, SOCK, CHR or BLK");
        return Ftype3::REG;
    }

    void CheckPlace(CsvFields& fields, const TreeRow& row) const
    {
        if (m_tree.rows.empty())
        {
            CheckRoot(fields, row);
            return;
        }
        const auto parent = m_types.find(row.parent);
        if (parent == m_types.end() || parent->second != Ftype3::DIR)
        {
            fields.Fail(PARENT, "a directory of a row above");
        }
        if (row.name.empty() || row.name == "." || row.name == ".." ||
            row.name.find('/') != std::string::npos || row.name.size() > NFS3_MAXNAMLEN)
        {
            fields.Fail(NAME, "a file name of at most 255 octets, not '.' or '..', without '/'");
        }
        if (m_names.count({row.parent, row.name}) != 0)
        {
            fields.Fail(NAME, "a name that its directory has not yet");
        }
    }

    static void CheckRoot(CsvFields& fields, const TreeRow& row)
    {
        if (!row.parent.empty())
        {
            fields.Fail(PARENT, "nothing in the first row, which is the root");
        }
        if (!row.name.empty())
        {
            fields.Fail(NAME, "nothing in the first row, which is the root");
        }
        if (row.type != Ftype3::DIR)
        {
            fields.Fail(TYPE, "DIR in the first row, which is the root");
        }
    }

    void CheckObject(CsvFields& fields, const TreeRow& row) const
    {
        const auto earlier = m_types.find(row.object);
        if (earlier != m_types.end() && (row.type == Ftype3::DIR || earlier->second != row.type))
        {
            fields.Fail(OBJECT,
                        "an object of no row above, or a hard link to one of the same type");
        }
    }

    Tree m_tree;
    std::map<std::string, Ftype3> m_types;                 ///< By object.
    std::set<std::pair<std::string, std::string>> m_names; ///< Parent and name.
};

} // namespace

const std::vector<std::string>&
TreeReader::GetColumns()
{
    static const std::vector<std::string> columns{"object",
                                                  "parent",
                                                  "name",
                                                  "type",
                                                  "mode",
                                                  "uid",
                                                  "gid",
                                                  "size",
                                                  "target",
                                                  "nlink",
                                                  "acl",
                                                  "default_acl"};
    return columns;
}

Parsed<Tree>
TreeReader::Read(const std::string& path)
{
    return ReadInputFile(path).and_then(
        [&path](const std::string& content) { return Parse(path, content); });
}

Parsed<Tree>
TreeReader::Parse(const std::string& file, std::string_view content)
{
    const auto table = CsvTable::Parse(file, content, GetColumns());
    if (!table)
    {
        return tl::unexpected(table.error());
    }
    TreeBuilder builder(file);
    for (const auto& record : table->records)
    {
        if (auto added = builder.Add(record); !added)
        {
            return tl::unexpected(added.error());
        }
    }
    return builder.Take();
}

} // namespace ns3::nfsrdma
