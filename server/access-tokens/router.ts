import * as z from 'zod/mini'
import {
  AccessToken,
  AccessTokenRef,
  CreateAccessTokenInput,
  CreateAccessTokenResponse,
} from '#contract/access-tokens.ts'
import { Done } from '#contract/base/done.ts'
import { EmptyInput } from '#contract/base/empty-input.ts'
import { router, signedInProcedure } from '#server/trpc.ts'
import { createAccessToken, listAccessTokens, revokeAccessToken } from './access-tokens.ts'

export const accessTokensRouter = router({
  create: signedInProcedure
    .meta({ stepUp: 'always', isSecret: true })
    .input(CreateAccessTokenInput)
    .output(CreateAccessTokenResponse)
    .mutation(({ ctx, input }) => createAccessToken(ctx, input)),
  list: signedInProcedure
    .input(EmptyInput)
    .output(z.array(AccessToken))
    .query(({ ctx }) => listAccessTokens(ctx)),
  revoke: signedInProcedure
    .input(AccessTokenRef)
    .output(Done)
    .mutation(({ ctx, input }) => revokeAccessToken(ctx, input)),
})
