import * as z from 'zod/mini'
import {
  AccessToken,
  AccessTokenRef,
  CreateAccessTokenAnswer,
  CreateAccessTokenInput,
} from '#contract/access-tokens.ts'
import { Done, Nothing } from '#contract/auth.ts'
import { router, sessionProcedure } from '#server/trpc.ts'
import { createAccessToken } from './create-access-token.ts'
import { listAccessTokens, revokeAccessToken } from './manage-access-tokens.ts'

export const accessTokensRouter = router({
  create: sessionProcedure
    .input(CreateAccessTokenInput)
    .output(CreateAccessTokenAnswer)
    .mutation(({ ctx, input }) => createAccessToken(ctx, input)),
  list: sessionProcedure
    .input(Nothing)
    .output(z.array(AccessToken))
    .query(({ ctx }) => listAccessTokens(ctx)),
  revoke: sessionProcedure
    .input(AccessTokenRef)
    .output(Done)
    .mutation(({ ctx, input }) => revokeAccessToken(ctx, input)),
})
