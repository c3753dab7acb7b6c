/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WIRE_NS3_VERSION_H
#define NFSRDMA_WIRE_NS3_VERSION_H

#include "ns3/enum.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/simulator-impl.h"
#include "ns3/type-id.h"

#include <string>
#include <type_traits>
#include <utility>

namespace ns3::nfsrdma
{

/**
 * \file
 * \brief What differs between ns-3 3.37 and 3.48, in one form for all of them.
 *
 * The declarations in ns-3's headers decide, and not a version number, so that a tree between two
 * releases works too.
 */

namespace ns3_version_detail
{

template <typename Event>
auto
IsPending(const Event& event, int /* preferred */) -> decltype(event.IsPending())
{
    return event.IsPending();
}

template <typename Event>
auto
IsPending(const Event& event, long /* otherwise */) -> decltype(event.IsRunning())
{
    return event.IsRunning();
}

template <typename Stack>
auto
SetTcp(Stack& stack, const std::string& type, int /* preferred */)
    -> decltype(stack.SetTcp(type), true)
{
    stack.SetTcp(type);
    return true;
}

template <typename Stack>
bool
SetTcp(Stack& /* stack */, const std::string& /* type */, long /* otherwise */)
{
    return false;
}

// A class that holds an int, up to 3.40, or a template.
template <typename Held, typename E>
Held Select();
template <template <typename> class Held, typename E>
Held<E> Select();

} // namespace ns3_version_detail

/// \return whether \p event is still to come. EventId::IsRunning() became IsPending() in 3.42.
inline bool
IsPending(const EventId& event)
{
    return ns3_version_detail::IsPending(event, 0);
}

/// What SimulatorImpl::Stop(Time) returns: nothing, and the event since 3.41.
using StopEvent = decltype(std::declval<SimulatorImpl&>().Stop(std::declval<const Time&>()));

/// Has \p stack, an InternetStackHelper, install the TCP \p type. \return false when it cannot:
/// since 3.39 it leaves a node the TCP that it has.
template <typename Stack>
bool
SetTcp(Stack& stack, const std::string& type)
{
    return ns3_version_detail::SetTcp(stack, type, 0);
}

/// The attribute value of a field of the enumeration E. EnumValue is a template since 3.41.
template <typename E>
using EnumValueOf = decltype(ns3_version_detail::Select<EnumValue, E>());

/// The checker of EnumValueOf<E>. EnumChecker is a template since 3.41.
template <typename E>
using EnumCheckerOf = decltype(ns3_version_detail::Select<EnumChecker, E>());

/// \return \p value as the attribute of a field of type E takes it.
template <typename E>
EnumValueOf<E>
ToEnumValue(E value)
{
    if constexpr (std::is_convertible_v<E, EnumValueOf<E>>)
    {
        return EnumValueOf<E>(value);
    }
    else
    {
        return EnumValueOf<E>(static_cast<int>(value));
    }
}

/// Adds values of the enumeration E, each with its word, to those that \p checker takes.
template <typename E>
void
AddEnumValues(EnumCheckerOf<E>& /* checker */)
{
}

template <typename E, typename... More>
void
AddEnumValues(EnumCheckerOf<E>& checker, E value, const std::string& word, More... more)
{
    checker.Add(ToEnumValue(value).Get(), word);
    AddEnumValues<E>(checker, more...);
}

/// \return the checker of an attribute that is an enumeration: of \p value, \p word and so on.
template <typename E, typename... More>
Ptr<const AttributeChecker>
MakeEnumFieldChecker(E value, const char* word, More... more)
{
    const auto checker = Create<EnumCheckerOf<E>>();
    AddEnumValues<E>(*checker, value, word, more...);
    return checker;
}

/// \return the accessor of an attribute whose value is the enumeration \p field.
template <typename Owner, typename E>
Ptr<const AttributeAccessor>
MakeEnumFieldAccessor(E Owner::*field)
{
    return MakeAccessorHelper<EnumValueOf<E>>(field);
}

/**
 * \brief The class \p Base of ns-3, whose objects tell the type that they were made with.
 *
 * Up to 3.45 some classes tell their own type, so that attributes of a subclass would not be
 * initialised; since 3.46 Object::GetInstanceTypeId() is final.
 */
template <typename Base>
class TypedAsMade : public Base
{
  public:
    using Base::Base;

    TypeId GetInstanceTypeId() const override
    {
        // What the classes between have overridden it with is what is passed by.
        // NOLINTNEXTLINE(bugprone-parent-virtual-call)
        return Object::GetInstanceTypeId();
    }
};

/// Base, or TypedAsMade<Base> where Base tells its own type.
template <typename Base>
using Typed = std::conditional_t<
    std::is_same_v<decltype(&Base::GetInstanceTypeId), TypeId (Object::*)() const>,
    Base,
    TypedAsMade<Base>>;

namespace ns3_version_detail
{

template <typename Base>
struct ProcessAckOf : Base
{
    using Method = decltype(&ProcessAckOf::ProcessAck);
};

template <typename Base, typename Method>
class AroundProcessAck;

template <typename Base, typename Class, typename... Args>
class AroundProcessAck<Base, void (Class::*)(Args...)> : public Base
{
  public:
    using Base::Base;

  protected:
    /// An acknowledgment is about to be processed.
    virtual void BeginAck() = 0;
    /// It has been.
    virtual void EndAck() = 0;

    void ProcessAck(Args... args) override
    {
        BeginAck();
        Base::ProcessAck(args...);
        EndAck();
    }
};

} // namespace ns3_version_detail

/**
 * \brief The class \p Base, a TcpSocketBase, with BeginAck() before ProcessAck() and EndAck() after
 * it. ProcessAck() has a fifth parameter since 3.43.
 */
template <typename Base>
using AroundProcessAck =
    ns3_version_detail::AroundProcessAck<Base,
                                         typename ns3_version_detail::ProcessAckOf<Base>::Method>;

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WIRE_NS3_VERSION_H
