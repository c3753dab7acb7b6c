/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "perftest/ping-session.h"

#include "mpa/internet-address.h"
#include "wire/byte-reader.h"
#include "wire/byte-writer.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t SEND_DEPTH = 16;
constexpr uint32_t RECEIVE_DEPTH = 2;
constexpr uint8_t FIRST_LETTER = 'A';
constexpr uint8_t LAST_LETTER = 'z';

} // namespace

PingSession::PingSession(const Testbed& testbed,
                         Testbed::Host host,
                         const PingOptions& options,
                         std::ostream& out)
    : m_testbed(testbed),
      m_host(host),
      m_options(options),
      m_out(out),
      m_device(testbed.GetDevice(host)),
      m_domain(m_device->AllocateProtectionDomain().value()),
      m_completions(m_device->CreateCompletionQueue(SEND_DEPTH + RECEIVE_DEPTH).value())
{
    const auto memory = m_device->GetHostMemory();
    const auto registerAll = [this](const HostBuffer& buffer) {
        return m_device
            ->RegisterMemory(m_domain,
                             buffer.GetAddress(),
                             buffer.GetLength(),
                             ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE | ACCESS_REMOTE_READ,
                             buffer.GetAddress())
            .value();
    };
    QueuePairCapabilities sizes;
    sizes.sendDepth = SEND_DEPTH;
    sizes.receiveDepth = RECEIVE_DEPTH;
    m_pair = m_device->CreateQueuePair(m_domain, m_completions, m_completions, sizes).value();
    m_sendBuffer = HostBuffer(memory, Advertisement::SIZE);
    m_receiveBuffer = HostBuffer(memory, Advertisement::SIZE);
    m_dataBuffer = HostBuffer(memory, options.size);
    m_dataRegion = registerAll(m_dataBuffer);
    if (IsClient())
    {
        m_startBuffer = HostBuffer(memory, options.size);
        m_startRegion = registerAll(m_startBuffer);
    }
    m_pump.Start(m_completions, [this](const auto& completion) { HandleCompletion(completion); });
    PostReceive();
}

bool
PingSession::IsClient() const
{
    return m_host == Testbed::CLIENT;
}

void
PingSession::SetFailedCallback(FailedCallback callback)
{
    m_failed = std::move(callback);
}

uint32_t
PingSession::GetPings() const
{
    return m_pings;
}

void
PingSession::Start()
{
    if (IsClient())
    {
        m_id = CmId::Create(m_device);
        m_id->SetEventCallback(MakeCallback(&PingSession::HandleEvent, this));
        m_id->Connect(m_pair,
                      MakeSocketAddress(m_testbed.GetAddress(Testbed::SERVER), m_options.port),
                      {{}, 1, 1});
        return;
    }
    m_listener = CmId::Create(m_device);
    m_listener->SetEventCallback(MakeCallback(&PingSession::HandleListener, this));
    m_listener->Listen(m_options.port);
}

void
PingSession::HandleListener(Ptr<CmId> id, const CmEvent& event)
{
    m_id = event.newId;
    m_id->SetEventCallback(MakeCallback(&PingSession::HandleEvent, this));
    m_id->Accept(m_pair, {{}, event.ird, event.ord});
    id->Disconnect();
}

void
PingSession::HandleEvent(Ptr<CmId> /* id */, const CmEvent& event)
{
    if (event.type != CmEventType::ESTABLISHED)
    {
        if (!std::exchange(m_over, !IsClient()) && IsClient())
        {
            Fail(ToString(event.type));
        }
    }
    else if (IsClient())
    {
        Ping();
    }
}

void
PingSession::HandleCompletion(const WorkCompletion& completion)
{
    if (completion.status == WorkCompletionStatus::WR_FLUSH_ERR)
    {
        return; // The event of the connection tells.
    }
    if (completion.status != WorkCompletionStatus::SUCCESS)
    {
        Fail(std::string("completion: ") + ToString(completion.status));
        return;
    }
    switch (completion.opcode)
    {
    case WorkCompletionOpcode::RECEIVE:
        HandleMessage(completion);
        break;
    case WorkCompletionOpcode::RDMA_READ:
        m_state = State::READ_COMPLETE;
        if (m_options.verbose)
        {
            m_out << "server ping data: " << ReadText(m_dataBuffer) << "\n";
        }
        SendAdvertisement(m_dataBuffer, m_dataRegion->GetStag());
        break;
    case WorkCompletionOpcode::RDMA_WRITE:
        m_state = State::WRITE_COMPLETE;
        SendAdvertisement(m_dataBuffer, m_dataRegion->GetStag());
        break;
    default:
        break;
    }
}

void
PingSession::HandleMessage(const WorkCompletion& completion)
{
    if (completion.length != Advertisement::SIZE)
    {
        Fail("a message of " + std::to_string(completion.length) + " octets");
        return;
    }
    ByteVector octets(Advertisement::SIZE);
    m_receiveBuffer.Read(0, octets);
    ByteReader reader(octets);
    m_remote.address = reader.ReadU64();
    m_remote.stag = reader.ReadU32();
    m_remote.length = reader.ReadU32();
    PostReceive();
    if (IsClient())
    {
        if (m_state == State::READ_ADVERTISED)
        {
            m_state = State::WRITE_ADVERTISED;
            SendAdvertisement(m_dataBuffer, m_dataRegion->GetStag());
        }
        else
        {
            PongArrived();
        }
    }
    else if (m_state == State::CONNECTED || m_state == State::WRITE_COMPLETE)
    {
        m_state = State::READ_ADVERTISED;
        MoveData(WorkRequestOpcode::RDMA_READ, std::min(m_remote.length, m_options.size));
    }
    else
    {
        m_state = State::WRITE_ADVERTISED;
        const auto text = static_cast<uint32_t>(ReadText(m_dataBuffer).size());
        MoveData(WorkRequestOpcode::RDMA_WRITE, std::min(text + 1, m_remote.length));
    }
}

void
PingSession::Ping()
{
    m_startBuffer.Write(0, MakePingData());
    m_state = State::READ_ADVERTISED;
    SendAdvertisement(m_startBuffer, m_startRegion->GetStag());
}

void
PingSession::PongArrived()
{
    m_state = State::WRITE_COMPLETE;
    ByteVector data(m_options.size);
    m_dataBuffer.Read(0, data);
    if (m_options.validate && data != MakePingData())
    {
        Fail("data mismatch!");
        return;
    }
    if (m_options.verbose)
    {
        m_out << "ping data: " << ReadText(m_dataBuffer) << "\n";
    }
    m_pings++;
    if (m_pings < m_options.count)
    {
        Ping();
    }
    else
    {
        m_over = true;
        m_id->Disconnect();
    }
}

ByteVector
PingSession::MakePingData() const
{
    constexpr uint8_t LETTERS = LAST_LETTER - FIRST_LETTER + 1;
    const std::string start = "rdma-ping-" + std::to_string(m_pings) + ": ";
    ByteVector data(start.begin(), start.end());
    for (uint32_t i = m_pings; data.size() < m_options.size; i++)
    {
        data.push_back(static_cast<uint8_t>(FIRST_LETTER + i % LETTERS));
    }
    data.back() = 0;
    return data;
}

std::string
PingSession::ReadText(const HostBuffer& buffer)
{
    ByteVector octets(buffer.GetLength());
    buffer.Read(0, octets);
    return {octets.begin(), std::find(octets.begin(), octets.end(), 0)};
}

void
PingSession::SendAdvertisement(const HostBuffer& buffer, Stag stag)
{
    ByteVector octets(Advertisement::SIZE);
    ByteWriter writer(octets);
    writer.WriteU64(buffer.GetAddress());
    writer.WriteU32(stag);
    writer.WriteU32(m_options.size);
    m_sendBuffer.Write(0, octets);
    SendWorkRequest request;
    request.elements = {{m_sendBuffer.GetAddress(), Advertisement::SIZE, 0}};
    Post(request);
}

void
PingSession::MoveData(WorkRequestOpcode opcode, uint32_t length)
{
    SendWorkRequest request;
    request.opcode = opcode;
    request.elements = {{m_dataBuffer.GetAddress(), length, m_dataRegion->GetStag()}};
    request.remoteStag = m_remote.stag;
    request.remoteOffset = m_remote.address;
    Post(request);
}

void
PingSession::Post(const SendWorkRequest& request)
{
    if (const auto posted = m_pair->PostSend(request); !posted)
    {
        Fail(std::string("post send: ") + ToString(posted.error()));
    }
}

void
PingSession::PostReceive()
{
    ReceiveWorkRequest request;
    request.elements = {{m_receiveBuffer.GetAddress(), Advertisement::SIZE, 0}};
    if (const auto posted = m_pair->PostReceive(request); !posted)
    {
        Fail(std::string("post receive: ") + ToString(posted.error()));
    }
}

void
PingSession::Fail(const std::string& what)
{
    if (!std::exchange(m_over, true) && m_failed)
    {
        m_failed((IsClient() ? "client: " : "server: ") + what);
    }
}

} // namespace ns3::nfsrdma
