import { Done } from '#contract/base/done.ts'
import { EmptyInput } from '#contract/base/empty-input.ts'
import {
  AddFirstInput,
  AddFirstResponse,
  AddSuperUserInput,
  ChangeRoleInput,
  RemoveSuperUserInput,
  SuperUser,
  SuperUsers,
} from '#contract/super-users.ts'
import { publicProcedure, router, staffProcedure } from '#server/trpc.ts'
import {
  addFirst,
  addSuperUser,
  changeRole,
  listSuperUsers,
  removeSuperUser,
} from './super-users.ts'

export const superUsersRouter = router({
  add: staffProcedure('manageStaff')
    .meta({ stepUp: 'always' })
    .input(AddSuperUserInput)
    .output(SuperUser)
    .mutation(({ ctx, input }) => addSuperUser(ctx, input)),
  addFirst: publicProcedure
    .input(AddFirstInput)
    .output(AddFirstResponse)
    .mutation(({ ctx, input }) => addFirst(ctx, input)),
  changeRole: staffProcedure('manageStaff')
    .meta({ stepUp: 'always' })
    .input(ChangeRoleInput)
    .output(SuperUser)
    .mutation(({ ctx, input }) => changeRole(ctx, input)),
  list: staffProcedure()
    .input(EmptyInput)
    .output(SuperUsers)
    .query(({ ctx }) => listSuperUsers(ctx)),
  remove: staffProcedure('manageStaff')
    .meta({ stepUp: 'always' })
    .input(RemoveSuperUserInput)
    .output(Done)
    .mutation(({ ctx, input }) => removeSuperUser(ctx, input)),
})
