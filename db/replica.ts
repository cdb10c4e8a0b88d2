import { sql } from 'kysely'
import type { Db } from './engine.ts'

/** Milliseconds what is read may be old; a replica that is further behind is not read. */
export const MAX_LAG_MS = 10_000

/** A copy of the database that follows it, for reads that may be a little old. */
export type Replica = {
  readonly db: Db
  /** Milliseconds since the latest moment whose every commit it is known to have. */
  lagMs(): number
  /** Whether it is there, and close enough behind to be read. */
  isFresh(): boolean
  /**
   * Compares it with the database, as has to be done every second or so. Throws why it cannot be read, and
   * then it is not, until it could be compared again.
   */
  measure(): Promise<void>
  /** Not to be read until it was measured again: its connections end. */
  leave(): void
}

type Position = {
  isStandby: boolean
  /** The cluster, which a standby shares with its primary, and the database there. */
  source: string
  /** Which history the log belongs to: one more with each promotion. */
  timeline: number
  /** Bytes of the log that are written, or on a standby replayed; null before it has replayed any. */
  bytes: number | null
}

/**
 * The timeline of a standby is that of the log it receives. Where it receives none, or our role may not see
 * it, what it last noted down counts, which follows a promotion some minutes later.
 */
const TIMELINE = sql`case when pg_is_in_recovery() then greatest(
    (select received_tli from pg_stat_wal_receiver),
    (select timeline_id from pg_control_checkpoint()),
    (select min_recovery_end_timeline from pg_control_recovery()))
  else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end`

async function readPosition(db: Db): Promise<Position> {
  const { rows } = await sql<Position>`
    select pg_is_in_recovery() as "isStandby",
      (select system_identifier from pg_control_system()) || '/' || current_database() as source,
      ${TIMELINE} as timeline,
      pg_wal_lsn_diff(
        case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end,
        '0/0')::int8 as bytes`.execute(db)
  const [position] = rows
  if (position === undefined) throw new Error('Postgres does not say how far its log is.')
  return position
}

/** A promoted standby goes its own way, and numbers of another server's log mean nothing here. */
function assertFollows(replica: Position, primary: Position): void {
  if (!replica.isStandby) throw new Error('DATABASE_READ_URL does not lead to a standby.')
  if (replica.source !== primary.source) {
    throw new Error('DATABASE_READ_URL leads to a standby of another database.')
  }
  if (replica.timeline === primary.timeline) return
  throw new Error('DATABASE_READ_URL leads to a standby of a server that is no longer the primary.')
}

type Sample = { at: number; bytes: number }

/**
 * The replica behind `db`. Its age is known by comparing logs: once it has replayed what the primary had
 * written at a moment, it has every commit of that moment. So an idle primary makes nothing old, a standby
 * that has lost its primary grows old as soon as something is written, and nobody's clock is compared.
 * `clock` is monotonic, in milliseconds.
 */
export function makeReplica(primary: Db, db: Db, clock: () => number): Replica {
  const samples: Sample[] = []
  let isThere = false
  // Known to have nothing yet.
  let knownAt = clock() - MAX_LAG_MS - 1

  const takeSample = async () => {
    const at = clock()
    const position = await readPosition(primary)
    const [oldest] = samples
    // What it does not reach in time says how old it is; more of them would say no more.
    const isWaiting = oldest !== undefined && at - oldest.at > MAX_LAG_MS
    if (position.bytes !== null && !isWaiting) samples.push({ at, bytes: position.bytes })
    return position
  }

  const lagMs = () => clock() - knownAt
  return {
    db,
    lagMs,
    isFresh: () => isThere && lagMs() <= MAX_LAG_MS,
    leave: () => {
      isThere = false
    },
    async measure() {
      const position = await takeSample()
      try {
        const replayed = await readPosition(db)
        assertFollows(replayed, position)
        const { bytes } = replayed
        const reached = samples.findLastIndex((sample) => bytes !== null && sample.bytes <= bytes)
        knownAt = samples[reached]?.at ?? knownAt
        samples.splice(0, reached + 1)
        isThere = true
      } catch (error) {
        isThere = false
        throw error
      }
    },
  }
}
