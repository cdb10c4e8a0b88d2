import type { OwnProfile, UpdateOfferInput } from '#contract/profiles-own.ts'
import { type Instant, parseJson, toFlag, toJson } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { ProviderRow } from '#db/tables/profiles.ts'
import type { Services, SignedIn, Tx } from '#server/context.ts'
import { videoServer } from '#server/kernel/demo-mode.ts'
import { AppError } from '#server/kernel/errors.ts'
import {
  countUpcomingByVideo,
  findLicensedStates,
  listPlaceStates,
  withdrawWithoutLink,
} from './own-profile-store.ts'

/**
 * US states whose patients a provider may see by video, as sorted two-letter codes: those the provider has
 * named, else those of their places. Empty for providers outside the USA.
 */
export async function licensedStates(db: Db, providerNo: number): Promise<string[]> {
  const row = await findLicensedStates(db, providerNo)
  if (row === undefined || row.region !== 'usa') return []
  if (row.licensed_states !== null) return parseJson<string[]>(row.licensed_states)
  return listPlaceStates(db, providerNo)
}

type Before = Pick<ProviderRow, 'region' | 'video_link' | 'licensed_states'> & { no: number }

/** A provider's video settings for editing. */
export async function videoPart(
  { config, database }: Pick<Services, 'config' | 'database'>,
  row: Before,
): Promise<Pick<OwnProfile, 'video_link' | 'videoServer' | 'licensed_states'>> {
  const server = videoServer(config)
  return {
    video_link: row.video_link,
    videoServer: server === null ? null : new URL(server).host,
    licensed_states: await licensedStates(database.db, row.no),
  }
}

/** The states as stored: null while they equal those of the places, and follow them. */
async function statesToStore(db: Db, before: Before, states: readonly string[]) {
  const own = [...new Set(states)].toSorted()
  const ofPlaces = await listPlaceStates(db, before.no)
  return own.join() === ofPlaces.join() ? null : toJson<string[]>(own)
}

/**
 * Columns for a change of the video offer. Refuses, at its field: video without a way to hold it, removing a
 * link that booked visits need, and no state in the USA.
 */
export async function videoColumns(
  ctx: SignedIn,
  tx: Tx,
  { before, input }: { before: Before; input: UpdateOfferInput },
): Promise<Pick<ProviderRow, 'offers_video' | 'video_link' | 'licensed_states'>> {
  const { video_link: link = before.video_link, licensed_states: states } = input
  const isOffered = input.modes.includes('video')
  const issues = []
  if (link === null && videoServer(ctx.config) === null) {
    const visits = await countUpcomingByVideo(tx.db, before.no, ctx.now())
    const path = 'video_link'
    if (isOffered) {
      issues.push({ path, message: 'Add the link to your video room, or leave video off.' })
    } else if (visits > 0) {
      const message = `Keep a link: patients have booked video visits with you (${visits}).`
      issues.push({ path, message })
    }
  }
  if (isOffered && before.region === 'usa' && states?.length === 0) {
    issues.push({ path: 'licensed_states', message: 'Choose at least one state.' })
  }
  if (issues.length > 0) throw new AppError('invalid_input', {}, { issues })
  const isKept = states === undefined || before.region !== 'usa'
  return {
    offers_video: toFlag(isOffered),
    video_link: link,
    licensed_states: isKept ? before.licensed_states : await statesToStore(tx.db, before, states),
  }
}

/**
 * For installations without a video server: withdraws the video offer of providers without a link of their
 * own. Runs at startup, because a server may have been configured before. Returns their numbers.
 */
export function withdrawVideo(db: Db, now: Instant): Promise<number[]> {
  return withdrawWithoutLink(db, now)
}
