/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/nfs-host.h"

#include "helper/nfs-rdma-client-helper.h"
#include "helper/nfs-rdma-server-helper.h"

#include "ns3/object-ptr-container.h"
#include "ns3/object-vector.h"
#include "ns3/pointer.h"

#include <functional>
#include <string>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

/// Gets an object that an Owner knows; nobody may put another in its place.
template <typename Owner>
class ObjectGetter : public AttributeAccessor
{
  public:
    using Function = std::function<Ptr<Object>(const Owner&)>;

    explicit ObjectGetter(Function get)
        : m_get(std::move(get))
    {
    }

    bool Set(ObjectBase* /* object */, const AttributeValue& /* value */) const override
    {
        return false;
    }

    bool Get(const ObjectBase* object, AttributeValue& value) const override
    {
        const auto* const owner = dynamic_cast<const Owner*>(object);
        auto* const pointer = dynamic_cast<PointerValue*>(&value);
        if (owner != nullptr && pointer != nullptr)
        {
            pointer->SetObject(m_get(*owner));
        }
        return owner != nullptr && pointer != nullptr;
    }

    [[nodiscard]] bool HasGetter() const override
    {
        return true;
    }

    [[nodiscard]] bool HasSetter() const override
    {
        return false;
    }

  private:
    Function m_get;
};

/// The objects of one server or client, which \p Objects holds.
template <typename Objects>
class ObjectsOf : public Object
{
  public:
    void Set(const Objects& objects)
    {
        m_objects = objects;
    }

    [[nodiscard]] const Objects& GetObjects() const
    {
        return m_objects;
    }

  protected:
    void DoDispose() override
    {
        m_objects = {};
        Object::DoDispose();
    }

    /// Adds an attribute to \p type that is the object \p field.
    template <typename T>
    static void AddObject(TypeId& type, const std::string& name, Ptr<T> Objects::*field)
    {
        type.AddAttribute(name,
                          "Null where the host has none.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          Create<ObjectGetter<ObjectsOf>>([field](const ObjectsOf& owner) {
                              return Ptr<Object>(owner.m_objects.*field);
                          }),
                          MakePointerChecker<T>());
    }

  private:
    Objects m_objects;
};

class NfsServerObjects : public ObjectsOf<NfsRdmaServer>
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeType();
        return tid;
    }

  private:
    static TypeId MakeType()
    {
        auto type = TypeId("ns3::nfsrdma::NfsServerObjects")
                        .SetParent<Object>()
                        .SetGroupName("NfsRdma")
                        .AddConstructor<NfsServerObjects>();
        AddObject(type, "RpcRdmaServer", &NfsRdmaServer::transport);
        AddObject(type, "RpcTcpServer", &NfsRdmaServer::tcp);
        AddObject(type, "RpcServer", &NfsRdmaServer::rpc);
        AddObject(type, "GssAcceptor", &NfsRdmaServer::gss);
        AddObject(type, "FileStore", &NfsRdmaServer::store);
        AddObject(type, "StorageModel", &NfsRdmaServer::storage);
        AddObject(type, "ServerStorage", &NfsRdmaServer::pageCache);
        AddObject(type, "Nfs2Server", &NfsRdmaServer::nfs2);
        AddObject(type, "Nfs3Server", &NfsRdmaServer::nfs);
        AddObject(type, "Nfs4Server", &NfsRdmaServer::nfs4);
        type.AddAttribute("RpcThreadPool",
                          "The threads that serve calls.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          Create<ObjectGetter<NfsServerObjects>>(
                              [](const NfsServerObjects& owner) -> Ptr<Object> {
                                  const auto& rpc = owner.GetObjects().rpc;
                                  return rpc ? rpc->GetThreadPool() : nullptr;
                              }),
                          MakePointerChecker<RpcThreadPool>());
        return type;
    }
};

NS_OBJECT_ENSURE_REGISTERED(NfsServerObjects);

class NfsClientObjects : public ObjectsOf<NfsRdmaClient>
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeType();
        return tid;
    }

  private:
    [[nodiscard]] std::size_t CountRdma() const
    {
        return GetObjects().transports.size();
    }

    [[nodiscard]] Ptr<RpcRdmaClient> GetRdma(std::size_t index) const
    {
        return GetObjects().transports.at(index);
    }

    [[nodiscard]] std::size_t CountTcp() const
    {
        return GetObjects().tcpTransports.size();
    }

    [[nodiscard]] Ptr<RpcTcpClient> GetTcp(std::size_t index) const
    {
        return GetObjects().tcpTransports.at(index);
    }

    static TypeId MakeType()
    {
        auto type = TypeId("ns3::nfsrdma::NfsClientObjects")
                        .SetParent<Object>()
                        .SetGroupName("NfsRdma")
                        .AddConstructor<NfsClientObjects>();
        type.AddAttribute(
            "RpcRdmaClientList",
            "The connections over RDMA, the main one first.",
            ObjectVectorValue(),
            MakeObjectVectorAccessor(&NfsClientObjects::GetRdma, &NfsClientObjects::CountRdma),
            MakeObjectVectorChecker<RpcRdmaClient>());
        type.AddAttribute(
            "RpcTcpClientList",
            "The connections over TCP, the main one first.",
            ObjectVectorValue(),
            MakeObjectVectorAccessor(&NfsClientObjects::GetTcp, &NfsClientObjects::CountTcp),
            MakeObjectVectorChecker<RpcTcpClient>());
        AddObject(type, "Path", &NfsRdmaClient::path);
        AddObject(type, "RpcClient", &NfsRdmaClient::rpc);
        AddObject(type, "Nfs2Client", &NfsRdmaClient::nfs2);
        AddObject(type, "Nfs3Client", &NfsRdmaClient::nfs);
        AddObject(type, "Nfs4RpcClient", &NfsRdmaClient::nfs4Rpc);
        AddObject(type, "Nfs4CompoundClient", &NfsRdmaClient::nfs4);
        AddObject(type, "FileClient", &NfsRdmaClient::files);
        AddObject(type, "CallbackServer", &NfsRdmaClient::callbacks);
        return type;
    }
};

NS_OBJECT_ENSURE_REGISTERED(NfsClientObjects);

} // namespace

NS_OBJECT_ENSURE_REGISTERED(NfsHost);

TypeId
NfsHost::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::NfsHost")
                            .SetParent<Object>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<NfsHost>()
                            .AddAttribute("ServerList",
                                          "The NFS servers of the node, in the order in which they "
                                          "were installed.",
                                          ObjectVectorValue(),
                                          MakeObjectVectorAccessor(&NfsHost::m_servers),
                                          MakeObjectVectorChecker<NfsServerObjects>())
                            .AddAttribute("ClientList",
                                          "The NFS clients of the node, in the same order.",
                                          ObjectVectorValue(),
                                          MakeObjectVectorAccessor(&NfsHost::m_clients),
                                          MakeObjectVectorChecker<NfsClientObjects>());
    return tid;
}

Ptr<NfsHost>
NfsHost::Of(const Ptr<Node>& node)
{
    auto host = node->GetObject<NfsHost>();
    if (!host)
    {
        host = CreateObject<NfsHost>();
        node->AggregateObject(host);
    }
    return host;
}

void
NfsHost::AddServer(const NfsRdmaServer& server)
{
    const auto objects = CreateObject<NfsServerObjects>();
    objects->Set(server);
    m_servers.push_back(objects);
}

void
NfsHost::AddClient(const NfsRdmaClient& client)
{
    const auto objects = CreateObject<NfsClientObjects>();
    objects->Set(client);
    m_clients.push_back(objects);
}

void
NfsHost::DoDispose()
{
    for (auto* list : {&m_servers, &m_clients})
    {
        for (const auto& objects : *list)
        {
            objects->Dispose();
        }
        list->clear();
    }
    Object::DoDispose();
}

} // namespace ns3::nfsrdma
