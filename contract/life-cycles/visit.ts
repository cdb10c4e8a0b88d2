import { lifeCycle } from './life-cycle.ts'

/** Outcomes can still be changed in these. */
const MARKABLE = ['confirmed', 'completed', 'no_show'] as const

/** A visit, from the moment its time is held. Outcomes are kept in a column of their own: `visitStage`. */
export const visitLife = lifeCycle(
  ['held', 'released', 'confirmed', 'cancelled', 'completed', 'no_show', 'not_held'],
  {
    hold: { from: [], to: 'held', by: ['visitor', 'patient'] },
    release: { from: ['held'], to: 'released', by: ['visitor', 'patient', 'system'] },
    /** Staff have accepted a payment for a hold that had ended. */
    revive: { from: ['released'], to: 'held', by: ['staff'] },
    /** It is paid for. */
    confirm: { from: ['held'], to: 'confirmed', by: ['system'] },
    move: { from: ['confirmed'], to: 'confirmed', by: ['patient', 'provider', 'staff'] },
    cancel: {
      from: ['confirmed'],
      to: 'cancelled',
      by: ['patient', 'provider', 'staff', 'system'],
    },
    // Named after the marks in `contract/outcomes.ts`.
    arrived: { from: MARKABLE, to: 'confirmed', by: ['provider'] },
    none: { from: MARKABLE, to: 'confirmed', by: ['provider'] },
    completed: { from: MARKABLE, to: 'completed', by: ['provider', 'staff', 'system'] },
    no_show: { from: MARKABLE, to: 'no_show', by: ['provider', 'staff'] },
    /** It is refunded, so this is final. */
    not_held: { from: MARKABLE, to: 'not_held', by: ['provider', 'staff'] },
  },
)

type VisitStage = (typeof visitLife.states)[number]
export type VisitOutcome = Extract<VisitStage, 'completed' | 'no_show' | 'not_held'>
/** The state of a visit without its outcome, as it is stored. */
export type BookingState = Exclude<VisitStage, VisitOutcome>

/** Paid for, whatever became of it. */
export const BOOKED = ['confirmed', 'cancelled'] as const
export function isBooked(state: BookingState): state is (typeof BOOKED)[number] {
  return BOOKED.some((one) => one === state)
}

/** Not paid for. */
export const UNPAID = ['held', 'released'] as const
/** Its time is not free for others. */
export const OCCUPYING = ['held', 'confirmed'] as const

/** Where a visit is in its life. */
export function visitStage(visit: {
  state: BookingState
  outcome: VisitOutcome | null
}): VisitStage {
  return visit.outcome ?? visit.state
}
