/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A plugin that adds one of everything that a plugin can add, each with a setting of its own.

#include "fault/adversary/attack-messages.h"
#include "fault/adversary/connection-attack.h"
#include "fault/adversary/registry.h"
#include "helper/plugin.h"
#include "nfs/store/storage-model.h"
#include "rpcrdma/message/private-data.h"
#include "rpcrdma/policy/inline-threshold.h"
#include "workload/generate/requests.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

namespace ns3::nfsrdma
{

/// Thresholds of a fraction of the maximum.
struct FractionSettings
{
    uint32_t fraction{};
    std::string reason;

    static const std::vector<Setting<FractionSettings>>& GetRows()
    {
        static const std::vector<Setting<FractionSettings>> rows{
            NFSRDMA_SETTING_ROW(FractionSettings,
                                fraction,
                                "2",
                                Count(1, 64),
                                "fraction: what the maximum is divided by"),
            NFSRDMA_SETTING_ROW(FractionSettings, reason, "none", AnyText(), "fraction: why"),
        };
        return rows;
    }
};

class FractionThresholds : public InlineThresholdPolicy
{
  public:
    FractionSettings settings;

    [[nodiscard]] bool IsForResponders() const override
    {
        return false;
    }

  private:
    [[nodiscard]] uint32_t Divide(uint32_t maximum) const
    {
        constexpr uint32_t STEP = RpcRdmaPrivateData::MINIMUM_INLINE;
        return std::max(maximum / settings.fraction / STEP * STEP, STEP);
    }

    [[nodiscard]] InlineThresholds Choose(const InlineSituation& situation) const override
    {
        return {Divide(situation.maximum.send), Divide(situation.maximum.receive)};
    }
};

/// Asks for the attributes of its directory's files, one after another.
class PollWorkload : public RequestWorkload
{
  public:
    struct Settings
    {
        uint32_t polled{};

        static const std::vector<Setting<Settings>>& GetRows()
        {
            static const std::vector<Setting<Settings>> rows{
                NFSRDMA_SETTING_ROW(Settings, polled, "4", Count(1, 1000), "poll: files")};
            return rows;
        }
    };

    static TypeId GetTypeId()
    {
        static TypeId tid = AddAttributes(TypeId("ns3::nfsrdma::PollWorkload")
                                              .SetParent<RequestWorkload>()
                                              .SetGroupName("NfsRdma")
                                              .AddConstructor<PollWorkload>(),
                                          Settings::GetRows(),
                                          &PollWorkload::m_settings);
        return tid;
    }

  protected:
    void DoSetUp() override
    {
        FileSetup::Plan plan;
        plan.directory = GetDirectory();
        for (uint32_t i = 0; i < m_settings.polled; ++i)
        {
            plan.files.push_back("file." + std::to_string(i));
        }
        MakeFiles(m_layout, std::move(plan), [this] {
            BecomeReady([this] {
                GetStream().Start(
                    [this](Time arrived) {
                        Poll(arrived);
                        return uint64_t{0};
                    },
                    [this] { SetPhase(WorkloadPhase::FINISHED); });
            });
        });
    }

    void DoDispose() override
    {
        m_layout.reset();
        RequestWorkload::DoDispose();
    }

  private:
    void Poll(Time arrived)
    {
        const auto& files = m_layout->GetObjects();
        GetFiles().Run(FileGetAttributes{files[m_next++ % files.size()]},
                       [this, arrived](const FileAttributesReply& reply) {
                           Record("poll", arrived, 0, reply.IsOk());
                           EndRequest();
                       });
    }

    Settings m_settings;
    std::unique_ptr<FileSetup> m_layout;
    std::size_t m_next{0};
};

NS_OBJECT_ENSURE_REGISTERED(PollWorkload);

/// Every so many requests the device pauses.
class PausingStorage : public StorageModel
{
  public:
    struct Settings
    {
        uint32_t pauseEvery{};
        Time pause{};

        static const std::vector<Setting<Settings>>& GetRows()
        {
            static const std::vector<Setting<Settings>> rows{
                NFSRDMA_SETTING_ROW(Settings, pauseEvery, "10", Count(1), "pausing: requests"),
                NFSRDMA_SETTING_ROW(Settings, pause, "1ms", AnyTime(), "pausing: how long")};
            return rows;
        }
    };

    static TypeId GetTypeId()
    {
        static TypeId tid = AddAttributes(TypeId("ns3::nfsrdma::PausingStorage")
                                              .SetParent<StorageModel>()
                                              .SetGroupName("NfsRdma")
                                              .AddConstructor<PausingStorage>(),
                                          Settings::GetRows(),
                                          &PausingStorage::m_settings);
        return tid;
    }

  protected:
    [[nodiscard]] Time DrawLatency(StorageWork work,
                                   uint64_t octets,
                                   std::optional<uint64_t> position) override
    {
        const Time usual = StorageModel::DrawLatency(work, octets, position);
        return ++m_requests % m_settings.pauseEvery == 0 ? usual + m_settings.pause : usual;
    }

  private:
    Settings m_settings;
    uint64_t m_requests{0};
};

NS_OBJECT_ENSURE_REGISTERED(PausingStorage);

/// Connects, and hangs up as soon as the connection is there.
class HangUpStream : public RawMpaStream
{
  public:
    explicit HangUpStream(ConnectionAttackRole& role)
        : m_role(role)
    {
    }

  protected:
    void HandleOperational() override
    {
        m_role.Note("hung up");
        Abort();
    }

    void HandleSegment(const Segment& /* segment */) override
    {
    }

    void HandleEnd() override
    {
        m_role.Retire();
    }

  private:
    ConnectionAttackRole& m_role;
};

class HangUpRole : public ConnectionAttackRole
{
  public:
    struct Settings
    {
        bool hangUpQuietly{};

        static const std::vector<Setting<Settings>>& GetRows()
        {
            static const std::vector<Setting<Settings>> rows{
                NFSRDMA_SETTING_ROW(Settings,
                                    hangUpQuietly,
                                    "false",
                                    TrueOrFalse(),
                                    "hang-up: without private data")};
            return rows;
        }
    };

    static TypeId GetTypeId()
    {
        static TypeId tid =
            AddAttributes(MakeRoleType<HangUpRole, ConnectionAttackRole>("HangUpRole"),
                          Settings::GetRows(),
                          &HangUpRole::m_settings);
        return tid;
    }

  protected:
    [[nodiscard]] std::unique_ptr<RawStream> MakeAttempt(uint64_t /* number */) override
    {
        auto stream = std::make_unique<HangUpStream>(*this);
        Start(*stream, m_settings.hangUpQuietly ? ByteVector() : RpcRdmaPrivateData{}.Encode());
        return stream;
    }

  private:
    Settings m_settings;
};

NS_OBJECT_ENSURE_REGISTERED(HangUpRole);

} // namespace ns3::nfsrdma

NFSRDMA_PLUGIN("every-kind", "2.1")
{
    using namespace ns3::nfsrdma;
    InlineThresholdPolicy::Add<FractionThresholds>("fraction");
    Workload::AddKind<PollWorkload>(PollWorkload::Settings::GetRows());
    StorageModel::AddKind("pausing", "PausingStorage", PausingStorage::Settings::GetRows());
    AddAdversaryRole({"hang-up", AdversarySide::CLIENT, false, "HangUpRole"},
                     HangUpRole::Settings::GetRows());
}
