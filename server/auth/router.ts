import * as z from 'zod/mini'
import {
  AcceptTermsInput,
  ChangeEmailInput,
  CheckResetLinkInput,
  ConfirmEmailInput,
  ConfirmEmailResponse,
  DemoAccount,
  EndSessionInput,
  EnterDemoInput,
  EnterDemoResponse,
  ForgotPasswordInput,
  Me,
  RefreshResponse,
  RegisterPatientInput,
  RegisterResponse,
  ResendVerificationInput,
  ResetPasswordInput,
  ResetPasswordResponse,
  SessionStatus,
  SessionView,
  SignInInput,
  SignInResponse,
  SignInStaffInput,
  SignInStaffResponse,
  SignOutResponse,
  VerifyEmailInput,
  VerifyEmailResponse,
} from '#contract/auth.ts'
import {
  CheckCodeInput,
  CheckCodeResponse,
  SendCodeInput,
  SendCodeResponse,
} from '#contract/auth-codes.ts'
import { ChangePasswordInput, SetFirstPasswordInput } from '#contract/auth-passwords.ts'
import {
  ConfirmSecondFactorInput,
  RecoveryCodes,
  SecondFactorSetup,
  StepUpInput,
  StepUpResponse,
} from '#contract/auth-second-factor.ts'
import { Done } from '#contract/base/done.ts'
import { EmptyInput } from '#contract/base/empty-input.ts'
import { stepUp } from '#server/auth/second-factor/step-up.ts'
import { enterDemo, leaveDemo, listDemoAccounts } from '#server/auth/sessions/enter-demo.ts'
import { listSessions, readOwn, readSessionStatus } from '#server/auth/sessions/read-session.ts'
import { signIn, signInStaff } from '#server/auth/sessions/sign-in.ts'
import { publicProcedure, router, signedInProcedure, staffProcedure } from '#server/trpc.ts'
import {
  acceptTerms,
  changeEmail,
  changePassword,
  checkResetLink,
  resetPassword,
  setFirstPassword,
} from './accounts/accounts.ts'
import { forgotPassword } from './accounts/forgot-password.ts'
import {
  confirmEmail,
  registerPatient,
  resendVerification,
  verifyEmail,
} from './accounts/register.ts'
import { checkOwnCode, sendCode } from './codes/codes.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
} from './second-factor/second-factor.ts'
import { endSession, refresh, signOut, signOutEverywhere } from './sessions/sessions.ts'

// Responses here may hold tokens, codes and keys.
const openProcedure = publicProcedure.meta({ isSecret: true })
const ownProcedure = signedInProcedure.meta({ isSecret: true })

export const authRouter = router({
  acceptTerms: ownProcedure
    .meta({ during: ['password', 'second_factor'] })
    .input(AcceptTermsInput)
    .output(Done)
    .mutation(({ ctx }) => acceptTerms(ctx)),
  beginSecondFactor: ownProcedure
    .meta({ stepUp: 'always', during: ['second_factor'] })
    .input(EmptyInput)
    .output(SecondFactorSetup)
    .mutation(({ ctx }) => beginSecondFactor(ctx)),
  changeEmail: ownProcedure
    .input(ChangeEmailInput)
    .output(Done)
    .mutation(({ ctx, input }) => changeEmail(ctx, input)),
  changePassword: ownProcedure
    .input(ChangePasswordInput)
    .output(Done)
    .mutation(({ ctx, input }) => changePassword(ctx, input)),
  checkCode: ownProcedure
    .input(CheckCodeInput)
    .output(CheckCodeResponse)
    .mutation(({ ctx, input }) => checkOwnCode(ctx, input)),
  confirmEmail: openProcedure
    .input(ConfirmEmailInput)
    .output(ConfirmEmailResponse)
    .mutation(({ ctx, input }) => confirmEmail(ctx, input)),
  confirmSecondFactor: ownProcedure
    .meta({ stepUp: 'always', during: ['second_factor'] })
    .input(ConfirmSecondFactorInput)
    .output(RecoveryCodes)
    .mutation(({ ctx, input }) => confirmSecondFactor(ctx, input)),
  demoAccounts: openProcedure
    .input(EmptyInput)
    .output(z.array(DemoAccount))
    .query(({ ctx }) => listDemoAccounts(ctx)),
  endSession: ownProcedure
    .input(EndSessionInput)
    .output(Done)
    .mutation(({ ctx, input }) => endSession(ctx, input)),
  enterDemo: openProcedure
    .input(EnterDemoInput)
    .output(EnterDemoResponse)
    .mutation(({ ctx, input }) => enterDemo(ctx, input)),
  forgotPassword: openProcedure
    .input(ForgotPasswordInput)
    .output(Done)
    .mutation(({ ctx, input }) => forgotPassword(ctx, input)),
  leaveDemo: openProcedure
    .input(EmptyInput)
    .output(SignOutResponse)
    .mutation(({ ctx }) => leaveDemo(ctx)),
  me: openProcedure
    .meta({ scope: 'account:read' })
    .input(EmptyInput)
    .output(z.nullable(Me))
    .query(({ ctx }) => readOwn(ctx)),
  refresh: openProcedure
    .input(EmptyInput)
    .output(RefreshResponse)
    .mutation(({ ctx }) => refresh(ctx)),
  registerPatient: openProcedure
    .input(RegisterPatientInput)
    .output(RegisterResponse)
    .mutation(({ ctx, input }) => registerPatient(ctx, input)),
  removeSecondFactor: ownProcedure
    .meta({ stepUp: 'always' })
    .input(EmptyInput)
    .output(Done)
    .mutation(({ ctx }) => removeSecondFactor(ctx)),
  resendVerification: openProcedure
    .input(ResendVerificationInput)
    .output(Done)
    .mutation(({ ctx, input }) => resendVerification(ctx, input)),
  checkResetLink: openProcedure
    .input(CheckResetLinkInput)
    .output(Done)
    .mutation(({ ctx, input }) => checkResetLink(ctx, input)),
  resetPassword: openProcedure
    .input(ResetPasswordInput)
    .output(ResetPasswordResponse)
    .mutation(({ ctx, input }) => resetPassword(ctx, input)),
  sendCode: ownProcedure
    .input(SendCodeInput)
    .output(SendCodeResponse)
    .mutation(({ ctx, input }) => sendCode(ctx, input)),
  sessions: ownProcedure
    .input(EmptyInput)
    .output(z.array(SessionView))
    .query(({ ctx }) => listSessions(ctx)),
  setFirstPassword: staffProcedure()
    .meta({ during: ['password'], isSecret: true })
    .input(SetFirstPasswordInput)
    .output(RefreshResponse)
    .mutation(({ ctx, input }) => setFirstPassword(ctx, input)),
  signIn: openProcedure
    .input(SignInInput)
    .output(SignInResponse)
    .mutation(({ ctx, input }) => signIn(ctx, input)),
  signInStaff: openProcedure
    .input(SignInStaffInput)
    .output(SignInStaffResponse)
    .mutation(({ ctx, input }) => signInStaff(ctx, input)),
  signOut: openProcedure
    .input(EmptyInput)
    .output(SignOutResponse)
    .mutation(({ ctx }) => signOut(ctx)),
  signOutEverywhere: ownProcedure
    .meta({ during: ['password', 'second_factor'] })
    .input(EmptyInput)
    .output(SignOutResponse)
    .mutation(({ ctx }) => signOutEverywhere(ctx)),
  sessionStatus: openProcedure
    .meta({ budget: 'sessionStatus', isPassive: true })
    .input(EmptyInput)
    .output(SessionStatus)
    .query(({ ctx }) => readSessionStatus(ctx)),
  stepUp: ownProcedure
    .meta({ during: ['second_factor'] })
    .input(StepUpInput)
    .output(StepUpResponse)
    .mutation(({ ctx, input }) => stepUp(ctx, input)),
  verifyEmail: openProcedure
    .input(VerifyEmailInput)
    .output(VerifyEmailResponse)
    .mutation(({ ctx, input }) => verifyEmail(ctx, input)),
})
