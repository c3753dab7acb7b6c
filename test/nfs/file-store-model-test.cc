/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/message-filler.h"
#include "nfs/store/files.h"

#include "ns3/simulator.h"

#include <gtest/gtest.h>
#include <map>

namespace ns3::nfsrdma::test
{

namespace
{

/// A file system in the plainest terms: names to objects, contents as vectors, one superuser.
struct ModelObject
{
    Ftype3 type{Ftype3::REG};
    uint32_t links{0};
    ByteVector content;
    std::string target;
    std::map<std::string, int> entries;
    int parent{-1};
};

class Model
{
  public:
    Model()
    {
        m_objects[0].type = Ftype3::DIR;
        m_objects[0].parent = 0;
    }

    ModelObject& At(int id)
    {
        return m_objects.at(id);
    }

    bool Exists(int id) const
    {
        return m_objects.count(id) != 0;
    }

    bool IsDirectory(int id) const
    {
        return m_objects.at(id).type == Ftype3::DIR;
    }

    std::size_t GetCount() const
    {
        return m_objects.size();
    }

    std::vector<int> GetIds() const
    {
        std::vector<int> ids;
        for (const auto& [id, object] : m_objects)
        {
            ids.push_back(id);
        }
        return ids;
    }

    Nfs3Status Make(int dir, const std::string& name, Ftype3 type, int& made)
    {
        if (!IsDirectory(dir))
        {
            return Nfs3Status::NOTDIR;
        }
        if (At(dir).entries.count(name) != 0)
        {
            return Nfs3Status::EXIST;
        }
        made = m_next++;
        m_objects[made].type = type;
        m_objects[made].links = 1;
        m_objects[made].parent = dir;
        At(dir).entries[name] = made;
        return Nfs3Status::OK;
    }

    Nfs3Status Remove(int dir, const std::string& name)
    {
        if (!IsDirectory(dir))
        {
            return Nfs3Status::NOTDIR;
        }
        const auto it = At(dir).entries.find(name);
        if (it == At(dir).entries.end())
        {
            return Nfs3Status::NOENT;
        }
        if (IsDirectory(it->second))
        {
            return Nfs3Status::ISDIR;
        }
        Drop(it->second);
        At(dir).entries.erase(it);
        return Nfs3Status::OK;
    }

    Nfs3Status RemoveDirectory(int dir, const std::string& name)
    {
        if (!IsDirectory(dir))
        {
            return Nfs3Status::NOTDIR;
        }
        const auto it = At(dir).entries.find(name);
        if (it == At(dir).entries.end())
        {
            return Nfs3Status::NOENT;
        }
        if (!IsDirectory(it->second))
        {
            return Nfs3Status::NOTDIR;
        }
        if (!At(it->second).entries.empty())
        {
            return Nfs3Status::NOTEMPTY;
        }
        m_objects.erase(it->second);
        At(dir).entries.erase(it);
        return Nfs3Status::OK;
    }

    Nfs3Status Link(int object, int dir, const std::string& name)
    {
        if (!IsDirectory(dir))
        {
            return Nfs3Status::NOTDIR;
        }
        if (IsDirectory(object))
        {
            return Nfs3Status::ISDIR;
        }
        if (At(dir).entries.count(name) != 0)
        {
            return Nfs3Status::EXIST;
        }
        At(dir).entries[name] = object;
        ++At(object).links;
        return Nfs3Status::OK;
    }

    Nfs3Status Rename(int from, const std::string& name, int to, const std::string& newName)
    {
        if (!IsDirectory(from) || !IsDirectory(to))
        {
            return Nfs3Status::NOTDIR;
        }
        const auto it = At(from).entries.find(name);
        if (it == At(from).entries.end())
        {
            return Nfs3Status::NOENT;
        }
        const int object = it->second;
        const auto there = At(to).entries.find(newName);
        const int victim = there == At(to).entries.end() ? -1 : there->second;
        if (victim == object)
        {
            return Nfs3Status::OK;
        }
        for (int above = to; IsDirectory(object); above = At(above).parent)
        {
            if (above == object)
            {
                return Nfs3Status::INVAL;
            }
            if (above == 0)
            {
                break;
            }
        }
        if (victim >= 0)
        {
            if (IsDirectory(object) != IsDirectory(victim))
            {
                return IsDirectory(object) ? Nfs3Status::NOTDIR : Nfs3Status::ISDIR;
            }
            if (!At(victim).entries.empty())
            {
                return Nfs3Status::NOTEMPTY;
            }
            if (IsDirectory(victim))
            {
                m_objects.erase(victim);
            }
            else
            {
                Drop(victim);
            }
        }
        At(from).entries.erase(name);
        At(to).entries[newName] = object;
        if (IsDirectory(object))
        {
            At(object).parent = to;
        }
        return Nfs3Status::OK;
    }

  private:
    void Drop(int object)
    {
        if (--At(object).links == 0)
        {
            m_objects.erase(object);
        }
    }

    std::map<int, ModelObject> m_objects;
    int m_next{1};
};

class FileStoreModel : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        m_store = CreateObject<FileStore>();
        m_numbers[0] = m_store->CreateExport("/export");
    }

    void TearDown() override
    {
        Simulator::Destroy();
    }

    int AnyObject()
    {
        const auto ids = m_model.GetIds();
        return ids[m_generator.Below(ids.size())];
    }

    int AnyDirectory()
    {
        int object = AnyObject();
        while (m_generator.Below(20) != 0 && !m_model.IsDirectory(object))
        {
            object = AnyObject();
        }
        return object;
    }

    std::string AnyName()
    {
        return std::string(1, static_cast<char>('a' + m_generator.Below(8)));
    }

    void MakeOne()
    {
        static constexpr std::array<Ftype3, 5> TYPES{Ftype3::REG,
                                                     Ftype3::REG,
                                                     Ftype3::DIR,
                                                     Ftype3::LNK,
                                                     Ftype3::FIFO};
        const int dir = AnyDirectory();
        const std::string name = AnyName();
        const Ftype3 type = TYPES.at(m_generator.Below(TYPES.size()));
        int made = -1;
        const Nfs3Status expected = m_model.Make(dir, name, type, made);
        const InodeNumber parent = m_numbers.at(dir);
        const std::string target(1 + m_generator.Below(100), 't');
        FileResult<InodeNumber> result;
        switch (type)
        {
        case Ftype3::REG:
            result = m_store->GetNames().Create(parent, name, CreateMode3::GUARDED, {}, {}, m_who);
            break;
        case Ftype3::DIR:
            result = m_store->GetNames().MakeDirectory(parent, name, {}, m_who);
            break;
        case Ftype3::LNK:
            result = m_store->GetNames().MakeSymlink(parent, name, target, {}, m_who);
            break;
        default:
            result = m_store->GetNames().MakeNode(parent, name, type, {}, {}, m_who);
            break;
        }
        ASSERT_EQ(result ? Nfs3Status::OK : result.error(), expected);
        if (result)
        {
            m_numbers[made] = *result;
            m_model.At(made).target = type == Ftype3::LNK ? target : "";
        }
    }

    void WriteOne()
    {
        const int object = AnyObject();
        const uint32_t offset = m_generator.Below(10000);
        const ByteVector data = m_generator.Octets(1 + m_generator.Below(5000));
        const auto source = [&](uint64_t position, MutableByteSpan out) {
            std::copy_n(data.begin() + position, out.size(), out.begin());
        };
        const Nfs3Status status =
            m_store->GetData().Write(m_numbers.at(object), offset, data.size(), source, m_who);
        ModelObject& model = m_model.At(object);
        if (model.type != Ftype3::REG)
        {
            ASSERT_EQ(status, model.type == Ftype3::DIR ? Nfs3Status::ISDIR : Nfs3Status::INVAL);
            return;
        }
        ASSERT_EQ(status, Nfs3Status::OK);
        model.content.resize(std::max<std::size_t>(model.content.size(), offset + data.size()));
        std::copy(data.begin(), data.end(), model.content.begin() + offset);
    }

    void ResizeOne()
    {
        const int object = AnyObject();
        ModelObject& model = m_model.At(object);
        Sattr3 changes;
        changes.size = m_generator.Below(15000);
        const Nfs3Status status = m_store->GetAttributes().SetAttributes(m_numbers.at(object),
                                                                         changes,
                                                                         std::nullopt,
                                                                         m_who);
        if (model.type == Ftype3::REG)
        {
            ASSERT_EQ(status, Nfs3Status::OK);
            model.content.resize(*changes.size);
        }
    }

    void ChangeNames()
    {
        const int dir = AnyDirectory();
        const std::string name = AnyName();
        const InodeNumber parent = m_numbers.at(dir);
        switch (m_generator.Below(4))
        {
        case 0:
            ASSERT_EQ(m_store->GetNames().Remove(parent, name, m_who), m_model.Remove(dir, name));
            break;
        case 1:
            ASSERT_EQ(m_store->GetNames().RemoveDirectory(parent, name, m_who),
                      m_model.RemoveDirectory(dir, name));
            break;
        case 2: {
            const int object = AnyObject();
            ASSERT_EQ(m_store->GetNames().Link(m_numbers.at(object), parent, name, m_who),
                      m_model.Link(object, dir, name));
            break;
        }
        default: {
            const int to = AnyDirectory();
            const std::string newName = AnyName();
            ASSERT_EQ(m_store->GetNames().Rename(parent, name, m_numbers.at(to), newName, m_who),
                      m_model.Rename(dir, name, to, newName));
            break;
        }
        }
    }

    void Compare(int id)
    {
        ModelObject& model = m_model.At(id);
        const Inode& inode = m_store->Get(m_numbers.at(id));
        ASSERT_EQ(inode.attributes.type, model.type);
        m_used += inode.attributes.used;
        if (model.type == Ftype3::REG)
        {
            ByteVector content(model.content.size());
            m_store->GetData().ReadContent(m_numbers.at(id), 0, content);
            ASSERT_EQ(inode.attributes.size, model.content.size());
            ASSERT_EQ(content, model.content);
        }
        ASSERT_EQ(inode.target, model.target);
        if (model.type != Ftype3::DIR)
        {
            ASSERT_EQ(inode.attributes.nlink, model.links);
            return;
        }
        ASSERT_EQ(inode.directory->GetCount(), model.entries.size() + 2);
        ASSERT_EQ(inode.directory->GetParent(), m_numbers.at(model.parent));
        uint32_t subdirectories = 0;
        for (const auto& [name, child] : model.entries)
        {
            ASSERT_EQ(inode.directory->Find(name), m_numbers.at(child));
            subdirectories += m_model.IsDirectory(child) ? 1 : 0;
        }
        ASSERT_EQ(inode.attributes.nlink, 2 + subdirectories);
    }

    void CompareAll()
    {
        m_used = 0;
        for (const int id : m_model.GetIds())
        {
            Compare(id);
        }
        const auto statistics = m_store->GetFileSystem().GetStatistics();
        ASSERT_EQ(statistics.totalBytes - statistics.freeBytes, m_used);
        ASSERT_EQ(m_store->GetFileSystem().GetInodeCount(), m_model.GetCount());
    }

    Ptr<FileStore> m_store;
    Model m_model;
    std::map<int, InodeNumber> m_numbers; ///< By the model's object.
    MessageGenerator m_generator{1995};
    FileCredential m_who;
    uint64_t m_used{0};
};

TEST_F(FileStoreModel, EqualsTheReferenceUnderRandomOperations)
{
    for (int round = 0; round < 6000; ++round)
    {
        switch (m_generator.Below(5))
        {
        case 0:
        case 1:
            MakeOne();
            break;
        case 2:
            WriteOne();
            break;
        case 3:
            ChangeNames();
            break;
        default:
            ResizeOne();
            break;
        }
        if (round % 50 == 0)
        {
            CompareAll();
        }
        ASSERT_FALSE(HasFatalFailure()) << "round " << round;
    }
    CompareAll();
    EXPECT_GT(m_model.GetCount(), 100U);
}

} // namespace

} // namespace ns3::nfsrdma::test
