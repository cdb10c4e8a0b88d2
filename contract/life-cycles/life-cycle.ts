/** Who causes an event. `system`: a job, a gateway or a register. */
export type Party = 'visitor' | 'patient' | 'provider' | 'staff' | 'system'

type Event<State> = {
  /** States it may happen in; none where it creates the row. */
  from: readonly State[]
  to: State
  by: readonly Party[]
}

/** Throws for a state that no chain of events leads to, and for an event nobody causes: the program must not start. */
function assertSound(states: readonly string[], events: Readonly<Record<string, Event<string>>>) {
  const reached = new Set<string>()
  for (let size = -1; size < reached.size; ) {
    size = reached.size
    for (const { from, to } of Object.values(events)) {
      if (from.length === 0 || from.some((state) => reached.has(state))) reached.add(to)
    }
  }
  const named = Object.values(events).flatMap(({ from, to }) => [...from, to])
  const wrong = [...states, ...named].find((one) => !reached.has(one) || !states.includes(one))
  if (wrong !== undefined) throw new Error(`No event leads to the state ${wrong}.`)
  const idle = Object.entries(events).find(([, { by }]) => by.length === 0)
  if (idle !== undefined) throw new Error(`Nobody causes the event ${idle[0]}.`)
}

/** A life cycle: its states, the events between them, and who may cause each. Checked when it is declared. */
export function lifeCycle<
  const States extends readonly [string, ...string[]],
  const Events extends Readonly<Record<keyof Events, Event<States[number]>>>,
>(states: States, events: Events) {
  assertSound(states, events)
  return {
    states,
    events,
    /** The states an event may happen in: the condition of the update that writes it. */
    from: <E extends keyof Events>(event: E): Events[E]['from'] => events[event].from,
    /** The state an event leads to. */
    to: <E extends keyof Events>(event: E): Events[E]['to'] => events[event].to,
    /** Whether an event may happen in a state and, with `by`, be caused by them. */
    may(event: keyof Events, state: States[number], by?: Party): boolean {
      const { from, by: parties } = events[event]
      return from.includes(state) && (by === undefined || parties.includes(by))
    },
  }
}
