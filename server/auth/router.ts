import * as z from 'zod/mini'
import {
  AcceptTermsInput,
  ChangeEmailInput,
  ChangePasswordInput,
  CheckCodeInput,
  CheckCodeResponse,
  CheckResetLinkInput,
  ConfirmEmailInput,
  ConfirmEmailResponse,
  ConfirmSecondFactorInput,
  DemoAccount,
  Done,
  EmptyInput,
  EndSessionInput,
  EnterDemoInput,
  EnterDemoResponse,
  ForgotPasswordInput,
  Me,
  RecoveryCodes,
  RefreshResponse,
  RegisterPatientInput,
  RegisterResponse,
  ResendVerificationInput,
  ResetPasswordInput,
  ResetPasswordResponse,
  SecondFactorSetup,
  SendCodeInput,
  SendCodeResponse,
  SessionStatus,
  SessionView,
  SetFirstPasswordInput,
  SignInInput,
  SignInResponse,
  SignInStaffInput,
  SignInStaffResponse,
  SignOutResponse,
  StepUpInput,
  StepUpResponse,
  VerifyEmailInput,
  VerifyEmailResponse,
} from '#contract/auth.ts'
import { stepUp } from '#server/auth/second-factor/step-up.ts'
import { enterDemo, leaveDemo, listDemoAccounts } from '#server/auth/sessions/enter-demo.ts'
import { listSessions, readOwn, readSessionStatus } from '#server/auth/sessions/read-session.ts'
import { signIn, signInStaff } from '#server/auth/sessions/sign-in.ts'
import { publicProcedure, router, sessionProcedure } from '#server/trpc.ts'
import {
  acceptTerms,
  changeEmail,
  changePassword,
  checkResetLink,
  forgotPassword,
  resetPassword,
  setFirstPassword,
} from './accounts/accounts.ts'
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

export const authRouter = router({
  acceptTerms: sessionProcedure
    .input(AcceptTermsInput)
    .output(Done)
    .mutation(({ ctx }) => acceptTerms(ctx)),
  beginSecondFactor: sessionProcedure
    .input(EmptyInput)
    .output(SecondFactorSetup)
    .mutation(({ ctx }) => beginSecondFactor(ctx)),
  changeEmail: sessionProcedure
    .input(ChangeEmailInput)
    .output(Done)
    .mutation(({ ctx, input }) => changeEmail(ctx, input)),
  changePassword: sessionProcedure
    .input(ChangePasswordInput)
    .output(Done)
    .mutation(({ ctx, input }) => changePassword(ctx, input)),
  checkCode: sessionProcedure
    .input(CheckCodeInput)
    .output(CheckCodeResponse)
    .mutation(({ ctx, input }) => checkOwnCode(ctx, input)),
  confirmEmail: publicProcedure
    .input(ConfirmEmailInput)
    .output(ConfirmEmailResponse)
    .mutation(({ ctx, input }) => confirmEmail(ctx, input)),
  confirmSecondFactor: sessionProcedure
    .input(ConfirmSecondFactorInput)
    .output(RecoveryCodes)
    .mutation(({ ctx, input }) => confirmSecondFactor(ctx, input)),
  demoAccounts: publicProcedure
    .input(EmptyInput)
    .output(z.array(DemoAccount))
    .query(({ ctx }) => listDemoAccounts(ctx)),
  endSession: sessionProcedure
    .input(EndSessionInput)
    .output(Done)
    .mutation(({ ctx, input }) => endSession(ctx, input)),
  enterDemo: publicProcedure
    .input(EnterDemoInput)
    .output(EnterDemoResponse)
    .mutation(({ ctx, input }) => enterDemo(ctx, input)),
  forgotPassword: publicProcedure
    .input(ForgotPasswordInput)
    .output(Done)
    .mutation(({ ctx, input }) => forgotPassword(ctx, input)),
  leaveDemo: publicProcedure
    .input(EmptyInput)
    .output(SignOutResponse)
    .mutation(({ ctx }) => leaveDemo(ctx)),
  me: publicProcedure
    .input(EmptyInput)
    .output(z.nullable(Me))
    .query(({ ctx }) => readOwn(ctx)),
  refresh: publicProcedure
    .input(EmptyInput)
    .output(RefreshResponse)
    .mutation(({ ctx }) => refresh(ctx)),
  registerPatient: publicProcedure
    .input(RegisterPatientInput)
    .output(RegisterResponse)
    .mutation(({ ctx, input }) => registerPatient(ctx, input)),
  removeSecondFactor: sessionProcedure
    .input(EmptyInput)
    .output(Done)
    .mutation(({ ctx }) => removeSecondFactor(ctx)),
  resendVerification: publicProcedure
    .input(ResendVerificationInput)
    .output(Done)
    .mutation(({ ctx, input }) => resendVerification(ctx, input)),
  checkResetLink: publicProcedure
    .input(CheckResetLinkInput)
    .output(Done)
    .mutation(({ ctx, input }) => checkResetLink(ctx, input)),
  resetPassword: publicProcedure
    .input(ResetPasswordInput)
    .output(ResetPasswordResponse)
    .mutation(({ ctx, input }) => resetPassword(ctx, input)),
  sendCode: sessionProcedure
    .input(SendCodeInput)
    .output(SendCodeResponse)
    .mutation(({ ctx, input }) => sendCode(ctx, input)),
  sessions: sessionProcedure
    .input(EmptyInput)
    .output(z.array(SessionView))
    .query(({ ctx }) => listSessions(ctx)),
  setFirstPassword: sessionProcedure
    .input(SetFirstPasswordInput)
    .output(RefreshResponse)
    .mutation(({ ctx, input }) => setFirstPassword(ctx, input)),
  signIn: publicProcedure
    .input(SignInInput)
    .output(SignInResponse)
    .mutation(({ ctx, input }) => signIn(ctx, input)),
  signInStaff: publicProcedure
    .input(SignInStaffInput)
    .output(SignInStaffResponse)
    .mutation(({ ctx, input }) => signInStaff(ctx, input)),
  signOut: publicProcedure
    .input(EmptyInput)
    .output(SignOutResponse)
    .mutation(({ ctx }) => signOut(ctx)),
  signOutEverywhere: sessionProcedure
    .input(EmptyInput)
    .output(SignOutResponse)
    .mutation(({ ctx }) => signOutEverywhere(ctx)),
  sessionStatus: publicProcedure
    .input(EmptyInput)
    .output(SessionStatus)
    .query(({ ctx }) => readSessionStatus(ctx)),
  stepUp: sessionProcedure
    .input(StepUpInput)
    .output(StepUpResponse)
    .mutation(({ ctx, input }) => stepUp(ctx, input)),
  verifyEmail: publicProcedure
    .input(VerifyEmailInput)
    .output(VerifyEmailResponse)
    .mutation(({ ctx, input }) => verifyEmail(ctx, input)),
})
