import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { trpc } from '#app/trpc.ts'
import { REDIRECT_MS, SUCCESS_MS, WALLET_MESSAGE_MS } from '#contract/payments.ts'
import { followPayment, isLost, regainContact } from './follow-payment.ts'
import { payInputOf, priceOf } from './pay-input.ts'
import type { PaymentSlot } from './payment-slot.ts'
import { tellCheckout } from './refusals.ts'
import { useTimedMessage } from './use-timed-message.ts'
import {
  CANCELLED,
  FAILED,
  LOST_CONTACT,
  NOT_VERIFIED,
  OTHER_ERROR,
  reasonWords,
  TIMED_OUT,
  WALLET_ERROR,
} from './words.ts'

/** `moving`: it is on its way and the overlay was left; `unsure`: we stopped asking. */
export type WalletPhase = 'ready' | 'processing' | 'moving' | 'unsure' | 'paid' | 'leaving'

type Problem = { words: string; detail: string | null }

/** Paying with the wallet, from the press of its button to the visit. */
export function useWallet(slot: PaymentSlot) {
  const { hold, onPaying, onBooked, onTaken } = slot
  const { client } = trpc.useUtils()
  const [phase, setPhase] = useState<WalletPhase>(() =>
    hold.movingOrder === null ? 'ready' : 'processing',
  )
  const [problem, setProblem] = useState<Problem | null>(null)
  const [visitId, setVisitId] = useState<string | null>(null)
  const passing = useTimedMessage(WALLET_MESSAGE_MS)
  /** Why our own server refused to begin, which the wallet only passes on as some error. */
  const refusal = useRef<string | null>(null)
  /** Counts what was begun here, so that what is waited for in vain can be left behind. */
  const turn = useRef(0)

  useEffect(() => {
    if (phase !== 'paid' && phase !== 'leaving') return
    const wait = phase === 'paid' ? SUCCESS_MS : REDIRECT_MS
    const going = setTimeout(() => {
      if (phase === 'paid') setPhase('leaving')
      else onBooked(visitId ?? hold.id)
    }, wait)
    return () => clearTimeout(going)
  }, [phase, visitId, hold.id, onBooked])

  const fail = (words: string, detail: string | null = null) => {
    setPhase('ready')
    onPaying(false)
    setProblem({ words, detail })
  }

  const follow = async (orderId: string) => {
    const ended = await followPayment(client, orderId)
    if (ended.end === 'paid') {
      setVisitId(ended.visitId)
      setPhase('paid')
    } else if (ended.end === 'failed') fail(FAILED, reasonWords(ended.reason))
    else if (ended.end === 'lost') await lose(FAILED, orderId)
    else {
      setPhase('unsure')
      setProblem({ words: TIMED_OUT, detail: null })
    }
  }

  const confirmed = async (orderId: string, success: boolean) => {
    if (success) await follow(orderId)
    else fail(NOT_VERIFIED)
  }

  const broken = (error: unknown) => {
    const failure = describeFailure(error)
    fail(OTHER_ERROR, failure.sentence)
    tellCheckout(failure, slot)
  }

  /** Says that the server is away, and carries on where it was as soon as it is back. */
  const lose = async (words: string, orderId: string) => {
    fail(words, LOST_CONTACT)
    turn.current += 1
    const mine = turn.current
    const isWanted = () => turn.current === mine
    const selectedAmount = priceOf(hold).minor
    try {
      const answer = await regainContact(client, { orderId, selectedAmount, isWanted })
      if (answer === null || !isWanted()) return
      setProblem(null)
      onPaying(true)
      setPhase('processing')
      await confirmed(orderId, answer.success)
    } catch (error) {
      broken(error)
    }
  }

  // Loaded while money was moving: there is nothing to press, only to wait.
  const resume = useEffectEvent(() => {
    if (hold.movingOrder === null) return
    onPaying(true)
    void follow(hold.movingOrder)
  })
  useEffect(() => {
    const starting = setTimeout(resume, 0)
    return () => {
      clearTimeout(starting)
      turn.current += 1
    }
  }, [])

  return {
    phase,
    problem,
    message: passing.words,
    createOrder: async (): Promise<{ orderId: string }> => {
      setProblem(null)
      passing.clear()
      turn.current += 1
      refusal.current = null
      try {
        const { orderId } = await client.payments.startWallet.mutate(payInputOf(hold))
        return { orderId }
      } catch (error) {
        const failure = describeFailure(error)
        if (!tellCheckout(failure, slot)) refusal.current = failure.sentence
        throw error
      }
    },
    onApprove: async ({ orderId }: { orderId: string }): Promise<void> => {
      onPaying(true)
      setPhase('processing')
      try {
        const { startsAt, provider } = hold
        const { available } = await client.booking.checkSlot.query({
          providerId: provider.id,
          startsAt,
        })
        if (!available) {
          onPaying(false)
          onTaken()
          return
        }
        const { success } = await client.payments.capture.mutate({
          orderId,
          selectedAmount: priceOf(hold).minor,
        })
        await confirmed(orderId, success)
      } catch (error) {
        if (isLost(error)) await lose(OTHER_ERROR, orderId)
        else broken(error)
      }
    },
    onCancel: () => passing.say(CANCELLED),
    onError: () => {
      if (refusal.current !== null) setProblem({ words: WALLET_ERROR, detail: refusal.current })
      else passing.say(WALLET_ERROR)
    },
    /** Leaves the overlay; the payment goes its way. */
    dismiss: () => setPhase((now) => (now === 'processing' ? 'moving' : 'leaving')),
    /** On to the visit without waiting. */
    go: () => onBooked(visitId ?? hold.id),
  }
}
