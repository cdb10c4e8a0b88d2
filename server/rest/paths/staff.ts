import * as z from 'zod/mini'
import { UserId } from '#contract/base/ids.ts'
import { StaffRole } from '#contract/base/staff.ts'
import {
  AddSuperUserInput,
  ChangeRoleInput,
  RemoveSuperUserInput,
  SuperUser,
} from '#contract/super-users.ts'
import { AppError } from '#server/kernel/errors.ts'
import {
  noBody,
  noQuery,
  okFields,
  okMessage,
  parseId,
  type RestCall,
  restCall,
} from '#server/rest/call.ts'

const room = 'Super users'
const path = '/super-user-management/'
const words = ['message', 'detail'] as const

const proof =
  'For superusers who have proved their identity within the last five minutes: signing in counts.'

const User = z.object({
  _id: UserId,
  email: z.string(),
  role: StaffRole,
  state: SuperUser.shape.state,
})

const example = { _id: 'usr_…', email: 'grace@mail.example', role: 'editor', state: 'invited' }

function userOf({ id, ...user }: SuperUser): z.infer<typeof User> {
  return { _id: id, ...user }
}

const list = restCall({
  method: 'GET',
  path,
  room,
  title: 'List the staff',
  about: 'For all staff; addresses are masked for those who do not manage staff.',
  procedures: ['superUsers.list'],
  words,
  example: { as: 'staff', answer: { status: true, message: '1 super user', data: [example] } },
  query: noQuery,
  body: noBody,
  answer: z.object({ ...okFields, data: z.array(User) }),
  run: async ({ caller }) => {
    const { users } = await caller.superUsers.list({})
    const message = users.length === 1 ? '1 super user' : `${users.length} super users`
    return { ...okMessage(message), data: users.map(userOf) }
  },
})

const ADDED = 'The user was added.'

const add = restCall({
  method: 'POST',
  path,
  room,
  title: 'Add someone to the staff',
  about: `${proof} The password opens one session, in which its owner has to set another.`,
  procedures: ['superUsers.add'],
  status: 201,
  refusals: ['fields_missing', 'staff_role_unknown', 'step_up_required', 'staff_known'],
  words,
  example: {
    as: 'staff',
    body: { email: 'grace@mail.example', role: 'editor', password: 'seven green bottles' },
    keep: { MEMBER: '_id' },
    answer: { status: true, message: ADDED, data: example },
  },
  query: noQuery,
  body: { json: AddSuperUserInput },
  answer: z.object({ ...okFields, data: User }),
  run: async ({ caller, body }) => ({
    ...okMessage(ADDED),
    data: userOf(await caller.superUsers.add(body)),
  }),
})

const CHANGED = 'User role updated successfully!'

const change = restCall({
  method: 'PATCH',
  path,
  room,
  title: 'Change a role',
  about: `${proof} Nobody can change their own, and one superuser always remains.`,
  procedures: ['superUsers.changeRole'],
  refusals: ['staff_role_missing', 'staff_role_unknown', 'step_up_required', 'last_superuser'],
  words,
  example: {
    as: 'staff',
    body: { id: '$MEMBER', role: 'admin' },
    answer: { status: true, message: CHANGED, data: { ...example, role: 'admin' } },
  },
  query: noQuery,
  body: {
    json: z.strictObject({
      id: z.string({ error: 'Which item? Send its id.' }),
      role: ChangeRoleInput.shape.role,
    }),
  },
  answer: z.object({ ...okFields, data: User }),
  run: async ({ caller, body }) => {
    const id = parseId(UserId, body.id)
    const user = await caller.superUsers.changeRole({ id, role: body.role })
    return { ...okMessage(CHANGED), data: userOf(user) }
  },
})

const WHICH = 'Which item? Send its id.'
const REMOVED = 'The user was removed.'
const Named = z.optional(z.string({ error: WHICH }).check(z.maxLength(80)))

const remove = restCall({
  method: 'DELETE',
  path,
  room,
  title: 'Remove someone from the staff',
  about: `${proof} The body is the user as listed, or \`_id\` is in the query. If the address or the role has changed, nobody is removed.`,
  procedures: ['superUsers.remove'],
  refusals: ['step_up_required', 'staff_changed', 'last_superuser'],
  words,
  example: {
    as: 'staff',
    body: { _id: '$MEMBER', email: 'grace@mail.example', role: 'admin' },
    answer: { status: true, message: REMOVED },
  },
  query: z.strictObject({ _id: Named, id: Named }),
  body: {
    json: z.strictObject({
      _id: Named,
      id: Named,
      email: RemoveSuperUserInput.shape.email,
      role: RemoveSuperUserInput.shape.role,
      state: z.optional(z.string()),
    }),
  },
  answer: z.object(okFields),
  run: async ({ caller, query, body }) => {
    const named = body._id ?? body.id ?? query._id ?? query.id
    if (named === undefined) {
      throw new AppError('invalid_input', {}, { issues: [{ path: '_id', message: WHICH }] })
    }
    const { email, role } = body
    await caller.superUsers.remove({ id: parseId(UserId, named), email, role })
    return okMessage(REMOVED)
  },
})

/** Staff accounts. */
export const staffCalls: readonly RestCall[] = [list, add, change, remove]
