import { AsyncLocalStorage } from 'node:async_hooks'
import { CompiledQuery, type Kysely } from 'kysely'
import type { Tables } from './tables.ts'

type Handle = Kysely<Tables>

/** One transaction of somebody's, waiting for its turn. `finish` tells them, after the commit. */
type Member = {
  run(db: Handle): Promise<void>
  /** What its work threw: then its writes are undone, and nobody else's. */
  failure: { error: unknown } | null
  finish(): void
  abandon(error: unknown): void
}

/** Beyond these a group commits, so that readers, who share the connection, wait no longer. */
const MOST_MEMBERS = 32
const LONGEST_MS = 25

const SAVE = CompiledQuery.raw('savepoint member')
const KEEP = CompiledQuery.raw('release member')
const UNDO = CompiledQuery.raw('rollback to member')

function makeMember<T>(work: (db: Handle) => Promise<T>): [Promise<T>, Member] {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  // Whoever happens to commit for others must not lend them its own surroundings.
  const inItsContext = AsyncLocalStorage.snapshot()
  let finish = () => {}
  const member: Member = {
    failure: null,
    async run(db) {
      try {
        const value = await inItsContext(() => work(db))
        finish = () => resolve(value)
      } catch (error) {
        member.failure = { error }
        finish = () => reject(error)
      }
    },
    finish: () => finish(),
    abandon: reject,
  }
  return [promise, member]
}

/** Takes back one member; where the disk failed, the engine has taken back everybody already. */
async function undo(trx: Handle, { error }: { error: unknown }): Promise<void> {
  try {
    await trx.executeQuery(UNDO)
  } catch {
    throw error
  }
}

/**
 * Commits transactions that are asked for at the same time together: the disk is flushed once for all
 * of them, and everybody is told after that. They still run one after the other, each within a
 * savepoint, so that one that fails takes only itself back. For SQLite, which has one writer anyway.
 */
export function makeGroupCommit(db: Handle) {
  const waiting: Member[] = []
  let isRunning = false

  /** Alone, a member is simply a transaction. */
  async function commitOne(member: Member): Promise<void> {
    try {
      await db.transaction().execute(async (trx) => {
        await member.run(trx)
        if (member.failure !== null) throw member.failure.error
      })
    } catch (error) {
      // Its own failure it is told like any other outcome.
      if (member.failure === null) throw error
    }
  }

  async function commitMany(members: Member[]): Promise<void> {
    await db.transaction().execute(async (trx) => {
      const endsAt = performance.now() + LONGEST_MS
      for (;;) {
        const member = waiting.shift()
        if (member === undefined) return
        members.push(member)
        await trx.executeQuery(SAVE)
        await member.run(trx)
        if (member.failure !== null) await undo(trx, member.failure)
        await trx.executeQuery(KEEP)
        if (members.length >= MOST_MEMBERS || performance.now() > endsAt) return
      }
    })
  }

  async function commitGroup(): Promise<void> {
    const members: Member[] = []
    try {
      if (waiting.length === 1) {
        members.push(...waiting.splice(0))
        for (const member of members) await commitOne(member)
      } else {
        await commitMany(members)
      }
      for (const member of members) member.finish()
    } catch (error) {
      // Nothing of the group is kept. One that could not even begin has waited long enough for all.
      const unlucky = members.length === 0 ? waiting.splice(0) : members
      for (const member of unlucky) member.abandon(error)
    }
  }

  async function drain(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) await commitGroup()
    isRunning = false
  }

  return function transaction<T>(work: (db: Handle) => Promise<T>): Promise<T> {
    const [promise, member] = makeMember(work)
    waiting.push(member)
    if (!isRunning) void drain()
    return promise
  }
}
