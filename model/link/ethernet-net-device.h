/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_ETHERNET_NET_DEVICE_H
#define NFSRDMA_LINK_ETHERNET_NET_DEVICE_H

#include "link/ethernet-interface.h"
#include "link/pause-frame.h"
#include "link/port-calendar.h"
#include "wire/ring.h"

#include "ns3/callback.h"
#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/queue-size.h"
#include "ns3/simulator.h"
#include "ns3/traced-callback.h"

#include <vector>

namespace ns3
{
class ErrorModel;
} // namespace ns3

namespace ns3::nfsrdma
{

class EthernetChannel;

/// What a port has counted, frames and their octets as captures show them.
struct EthernetPortCounters
{
    uint64_t framesGiven{0}; ///< To be sent.
    uint64_t octetsGiven{0};
    uint64_t framesSent{0}; ///< Left the port.
    uint64_t octetsSent{0};
    uint64_t framesDropped{0}; ///< Given, and not sent: MacTxDrop.
    uint64_t octetsDropped{0};
    uint64_t framesOnCable{0}; ///< Left on the cable: those sent, but for what faults took or made.
    uint64_t octetsOnCable{0};
    uint64_t framesArrived{0}; ///< Came over the cable, damaged or not.
    uint64_t octetsArrived{0};
    uint64_t framesDamaged{0}; ///< Arrived, and thrown away: PhyRxDrop.
    uint64_t octetsDamaged{0};
    Time busy;             ///< Time that frames sent took on the wire, preamble to gap.
    uint64_t pauseSent{0}; ///< Frames of flow control, which are among the others too.
    uint64_t pauseReceived{0};
};

/**
 * \brief A port of full-duplex Ethernet, IEEE 802.3 with type field (ns-3 3.37 has only half-duplex
 * CSMA and PPP links).
 *
 * What travels is Ethernet header (14 octets) and payload: neither FCS nor padding, so that
 * captures show what a host's capture shows. The time on the wire counts everything:
 *
 *     preamble 8 | header 14 | payload, at least 46 | FCS 4 | gap 12
 *
 * A frame is received when its last FCS octet has arrived; the next one may start after the gap.
 * The port is either idle or sends; frames that find it busy wait in the transmit queue, which
 * drops when full (MacTxDrop). When a frame leaves is computed when it is given (PortCalendar): one
 * event per frame and hop, its arrival, and others only for trace sources that somebody has
 * connected and for faults in the cable. So a rate that is set anew holds for frames given from
 * then on.
 *
 * With flow control the port obeys PAUSE or priority flow control of the other end (PauseFrame):
 * what it is just sending ends, and the next frame waits until the time asked for is over, or a
 * time of 0 comes. Its own frames of flow control pass all that wait, and leave even then. Frames
 * carry no VLAN tag and so are all of priority 0. Then, and where somebody wants to know when
 * frames leave, frames that wait cost an event more each.
 *
 * No NetDeviceQueueInterface is aggregated, so no queue disc is put above the device: its own queue
 * is the only one.
 */
class EthernetNetDevice : public EthernetInterface
{
  public:
    static constexpr uint32_t PREAMBLE_SIZE = 8;
    static constexpr uint32_t HEADER_SIZE = 14;
    static constexpr uint32_t MIN_PAYLOAD = 46;
    static constexpr uint32_t FCS_SIZE = 4;

    static TypeId GetTypeId();
    EthernetNetDevice();
    ~EthernetNetDevice() override;

    /// \return octet times that a frame of \p frameSize octets (header and payload) takes,
    /// from the first preamble octet to the last FCS octet.
    static constexpr uint32_t WireOctets(uint32_t frameSize)
    {
        return PREAMBLE_SIZE +
               (frameSize < HEADER_SIZE + MIN_PAYLOAD ? HEADER_SIZE + MIN_PAYLOAD : frameSize) +
               FCS_SIZE;
    }

    void Attach(Ptr<EthernetChannel> channel);

    /// Frames that may wait to be sent, or their octets.
    void SetQueueSize(QueueSize size)
    {
        m_calendar.SetQueueSize(size);
    }

    [[nodiscard]] QueueSize GetQueueSize() const
    {
        return m_calendar.GetQueueSize();
    }

    /// \return octets that wait now.
    [[nodiscard]] uint64_t GetWaitingOctets() const;

    /// \return octets given and neither sent nor dropped: those that wait, and those that a switch
    /// has given ahead of their arrival at the queue.
    [[nodiscard]] uint64_t GetHeldOctets() const
    {
        Account();
        return m_heldOctets + m_controlOctets;
    }

    /// \return octets of them that the cable has been given ahead of their time.
    [[nodiscard]] uint64_t GetAheadOctets() const;

    /// \return octets that wait at \p at, now or later and not before what was last given.
    [[nodiscard]] uint64_t GetWaitingOctetsAt(Time at)
    {
        return m_calendar.GetWaiting(at);
    }

    void SetDataRate(DataRate rate);

    [[nodiscard]] DataRate GetDataRate() const
    {
        return m_rate;
    }

    /// A port that is dead neither sends nor receives, nor does its host's IP see a change of the
    /// link: frames given to it, those that wait, and those that come are lost (MacTxDrop,
    /// PhyRxDrop). Both ends of the cable lose their carrier.
    void SetDead(bool dead);

    [[nodiscard]] bool IsDead() const
    {
        return m_dead;
    }

    /// A deaf port has its carrier, but what comes is lost (PhyRxDrop): one direction of its cable
    /// is broken, and no end sees it.
    void SetDeaf(bool deaf)
    {
        m_deaf = deaf;
    }

    /// \return whether a frame that has come by this port is just being given to its host.
    [[nodiscard]] bool IsDelivering() const
    {
        return m_delivering;
    }

    /// \return whether there is a cable with a port that lives at either end.
    [[nodiscard]] bool HasCarrier() const;

    /// Called when HasCarrier() has changed; null: nobody is.
    using CarrierCallback = Callback<void, bool>;

    void SetCarrierCallback(CarrierCallback callback)
    {
        m_carrierCallback = callback;
    }

    [[nodiscard]] const EthernetPortCounters& GetCounters() const
    {
        Account();
        return m_counters;
    }

    void SetReceiveErrorModel(Ptr<ErrorModel> errorModel);

    [[nodiscard]] bool HasFlowControl() const
    {
        return m_flowControl != static_cast<int>(FlowControl::NONE);
    }

    [[nodiscard]] FlowControl GetFlowControl() const
    {
        return static_cast<FlowControl>(m_flowControl);
    }

    /// Asks the other end not to send for \p quanta of 512 bit times; 0: to go on. Only with flow
    /// control.
    void SendPause(uint16_t quanta);

    /// \return how long \p quanta last at the rate of this port.
    [[nodiscard]] Time GetPauseTime(uint16_t quanta) const;

    /// \return how long the other end has kept this port from sending, all together.
    [[nodiscard]] Time GetPausedTime() const;

    /// TracedCallback signature of PauseTx and PauseRx.
    typedef void (*PauseTracedCallback)(uint16_t quanta);

    /// Called for each frame that was taken by SendFrameAt(), in their order, with its octets as
    /// given: it begins to leave, or is lost since the port died. Set before any is given.
    using DepartureCallback = Callback<void, uint32_t>;

    void SetDepartureCallback(DepartureCallback callback)
    {
        m_departure = callback;
    }

    /// Frames received whole, in place of the callbacks of NetDevice: for a switch.
    using FrameCallback = Callback<void, Ptr<Packet>>;

    void SetFrameCallback(FrameCallback callback)
    {
        m_frameCallback = callback;
    }

    /// Frames received for this host, in place of its stack and of steering, after the captures and
    /// MacRx: for a bond.
    void SetBondCallback(FrameCallback callback)
    {
        m_bondCallback = callback;
    }

    // EthernetInterface
    bool SendBeneath(Ptr<Packet> frame, Time arrives) override;

    /// \return when the port can start, or could have started, the next frame.
    [[nodiscard]] Time GetIdleFrom() const
    {
        return m_calendar.GetIdleFrom();
    }

    /// Whether \p frame, which the channel had been given, was taken back: the port died before it
    /// left. Asked once.
    [[nodiscard]] bool TakeBack(const Ptr<Packet>& frame);

    /// The channel delivers \p frame: its last octet has arrived.
    void Receive(Ptr<Packet> frame);

    /// A frame leaves; its last octet does so the time from now that is given.
    using LeavingCallback = Callback<void, Ptr<Packet>, Time>;
    /// A frame arrives, whole.
    using ArrivingCallback = Callback<void, Ptr<Packet>>;
    /// Puts somebody into the cable right at this port: frames that leave go to \p leaving in place
    /// of the channel, after the captures of this port; frames that arrive go to \p arriving before
    /// this port knows of them. For faults; null: nobody.
    void SetCableCallbacks(LeavingCallback leaving, ArrivingCallback arriving);
    /// Puts \p frame on the channel, whatever the port does; \p lastOctet as in
    /// EthernetChannel::Transmit().
    void PutOnCable(Ptr<Packet> frame, Time lastOctet);
    /// This port receives \p frame.
    void TakeFromCable(Ptr<Packet> frame);

    // NetDevice
    Ptr<Channel> GetChannel() const override;
    bool IsLinkUp() const override;

  protected:
    void DoDispose() override;

  private:
    /// A frame that has been given and has not started.
    struct Planned
    {
        Time arrives;
        PortCalendar::Slot slot;
        Ptr<Packet> frame;
        uint32_t octets;  ///< Of the frame as given; faults may change it when it leaves.
        bool isOnChannel; ///< Given to it, not to somebody in the cable.
    };

    /// \return whether frames are put on the cable when they start, not when they are given.
    [[nodiscard]] bool StartsByEvent() const
    {
        return HasFlowControl() || !m_departure.IsNull();
    }

    /// Starts the frames that are due, and has the next one started when it is.
    void StartDue();
    /// Gives the frames that wait new times, none before \p from.
    void PlanAgain(Time from);
    void SendControl(const Ptr<Packet>& frame);
    void BeginControl(Ptr<Packet> frame, PortCalendar::Slot slot);
    /// \return whether \p frame was one of MAC Control, which ends here.
    bool TakeControl(const Ptr<const Packet>& frame);

    void TellDeparture(uint32_t octets)
    {
        if (!m_departure.IsNull())
        {
            m_departure(octets);
        }
    }

    void PutLeaving(const Ptr<Packet>& frame, Time lastOctet);
    /// Counts the planned frames that have started by now.
    void Account() const;
    void CountStarted(Time busy, uint32_t octets, bool isOnChannel) const;
    void ShowLeaving(const Ptr<Packet>& frame, Time arrives, const PortCalendar::Slot& slot);
    void ShowBegin(Ptr<const Packet> frame);
    void ShowQueue();
    void Leave(Ptr<Packet> frame, Time lastOctet);
    /// Frames that wait do not leave any more.
    void LoseWaiting();
    /// Tells of the carrier, if it has changed.
    void TellCarrier();
    void Drop(const Ptr<const Packet>& frame, Time at);

    void ShowGiven(Ptr<const Packet> frame)
    {
        m_macTx(frame);
    }

    void ShowDrop(Ptr<const Packet> frame)
    {
        m_macTxDrop(frame);
    }

    void TransmitEnded(Ptr<const Packet> frame)
    {
        m_phyTxEnd(frame);
    }

    void DeliverUp(Ptr<Packet> frame);

    Ptr<EthernetChannel> m_channel;
    Ptr<ErrorModel> m_receiveErrorModel;
    DataRate m_rate;
    uint32_t m_gap{0};
    bool m_dead{false};
    bool m_deaf{false};
    bool m_delivering{false};
    bool m_hadCarrier{false};

    mutable EthernetPortCounters m_counters; ///< As Account() left them.
    mutable Ring<Planned> m_planned;         ///< By start.
    mutable uint64_t m_heldOctets{0};        ///< Of them.
    PortCalendar m_calendar;
    Time m_latestArrival; ///< Of the frames given.
    int m_flowControl{0};
    Time m_sending;              ///< Until then the port sends what it has begun.
    Time m_pausedUntil;          ///< By the other end.
    Time m_pausedTime;           ///< What it has asked for.
    uint64_t m_controlOctets{0}; ///< Of flow control, that wait for what is sent.
    EventId m_next;
    std::vector<Ptr<Packet>> m_takenBack;
    uint32_t m_shownQueue{0};

    FrameCallback m_frameCallback;
    FrameCallback m_bondCallback;
    CarrierCallback m_carrierCallback;
    DepartureCallback m_departure;
    LeavingCallback m_leaving;
    ArrivingCallback m_arriving;

    TracedCallback<Ptr<const Packet>> m_macTx;
    TracedCallback<Ptr<const Packet>> m_macTxDrop;
    TracedCallback<Ptr<const Packet>> m_macPromiscRx;
    TracedCallback<Ptr<const Packet>> m_macRx;
    TracedCallback<Ptr<const Packet>> m_phyTxBegin;
    TracedCallback<Ptr<const Packet>> m_phyTxEnd;
    TracedCallback<Ptr<const Packet>> m_phyRxEnd;
    TracedCallback<Ptr<const Packet>> m_phyRxDrop;
    TracedCallback<Ptr<const Packet>> m_sniffer;
    TracedCallback<Ptr<const Packet>> m_promiscSniffer;
    TracedCallback<uint32_t, uint32_t> m_queueOctets;
    TracedCallback<uint16_t> m_pauseTx;
    TracedCallback<uint16_t> m_pauseRx;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_ETHERNET_NET_DEVICE_H
