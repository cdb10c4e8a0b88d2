import * as z from 'zod/mini'
import {
  AcceptTermsInput,
  ChangeEmailInput,
  ChangePasswordInput,
  CheckCodeAnswer,
  CheckCodeInput,
  CheckResetLinkInput,
  ConfirmEmailAnswer,
  ConfirmEmailInput,
  ConfirmSecondFactorInput,
  DemoAccount,
  Done,
  EndSessionInput,
  EnterDemoAnswer,
  EnterDemoInput,
  ForgotPasswordInput,
  Me,
  Nothing,
  RecoveryCodes,
  RefreshAnswer,
  RegisterAnswer,
  RegisterPatientInput,
  ResendVerificationInput,
  ResetPasswordAnswer,
  ResetPasswordInput,
  SecondFactorSetup,
  SendCodeAnswer,
  SendCodeInput,
  SessionView,
  SetFirstPasswordInput,
  SignInAnswer,
  SignInInput,
  SignOutAnswer,
  StepUpAnswer,
  StepUpInput,
  VerifyEmailAnswer,
  VerifyEmailInput,
} from '#contract/auth.ts'
import { SessionStatus, SignInStaffAnswer, SignInStaffInput } from '#contract/auth-staff.ts'
import { acceptTerms, changeEmail, changePassword } from '#server/auth/accounts/change-account.ts'
import { setFirstPassword } from '#server/auth/accounts/first-password.ts'
import { registerPatient } from '#server/auth/accounts/open-account.ts'
import {
  checkResetLink,
  forgotPassword,
  resetPassword,
} from '#server/auth/accounts/reset-password.ts'
import {
  confirmEmail,
  resendVerification,
  verifyEmail,
} from '#server/auth/accounts/verify-email.ts'
import { checkOwnCode, sendCode } from '#server/auth/codes/send-code.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
} from '#server/auth/second-factor/set-up-second-factor.ts'
import { stepUp } from '#server/auth/second-factor/step-up.ts'
import { endSession, signOut, signOutEverywhere } from '#server/auth/sessions/end-session.ts'
import { enterDemo, leaveDemo, listDemoAccounts } from '#server/auth/sessions/enter-demo.ts'
import { listSessions, readOwn, readSessionStatus } from '#server/auth/sessions/read-session.ts'
import { refresh } from '#server/auth/sessions/refresh.ts'
import { signIn, signInStaff } from '#server/auth/sessions/sign-in.ts'
import { publicProcedure, router, sessionProcedure } from '#server/trpc.ts'

export const authRouter = router({
  acceptTerms: sessionProcedure
    .input(AcceptTermsInput)
    .output(Done)
    .mutation(({ ctx }) => acceptTerms(ctx)),
  beginSecondFactor: sessionProcedure
    .input(Nothing)
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
    .output(CheckCodeAnswer)
    .mutation(({ ctx, input }) => checkOwnCode(ctx, input)),
  confirmEmail: publicProcedure
    .input(ConfirmEmailInput)
    .output(ConfirmEmailAnswer)
    .mutation(({ ctx, input }) => confirmEmail(ctx, input)),
  confirmSecondFactor: sessionProcedure
    .input(ConfirmSecondFactorInput)
    .output(RecoveryCodes)
    .mutation(({ ctx, input }) => confirmSecondFactor(ctx, input)),
  demoAccounts: publicProcedure
    .input(Nothing)
    .output(z.array(DemoAccount))
    .query(({ ctx }) => listDemoAccounts(ctx)),
  endSession: sessionProcedure
    .input(EndSessionInput)
    .output(Done)
    .mutation(({ ctx, input }) => endSession(ctx, input)),
  enterDemo: publicProcedure
    .input(EnterDemoInput)
    .output(EnterDemoAnswer)
    .mutation(({ ctx, input }) => enterDemo(ctx, input)),
  forgotPassword: publicProcedure
    .input(ForgotPasswordInput)
    .output(Done)
    .mutation(({ ctx, input }) => forgotPassword(ctx, input)),
  leaveDemo: publicProcedure
    .input(Nothing)
    .output(SignOutAnswer)
    .mutation(({ ctx }) => leaveDemo(ctx)),
  me: publicProcedure
    .input(Nothing)
    .output(z.nullable(Me))
    .query(({ ctx }) => readOwn(ctx)),
  refresh: publicProcedure
    .input(Nothing)
    .output(RefreshAnswer)
    .mutation(({ ctx }) => refresh(ctx)),
  registerPatient: publicProcedure
    .input(RegisterPatientInput)
    .output(RegisterAnswer)
    .mutation(({ ctx, input }) => registerPatient(ctx, input)),
  removeSecondFactor: sessionProcedure
    .input(Nothing)
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
    .output(ResetPasswordAnswer)
    .mutation(({ ctx, input }) => resetPassword(ctx, input)),
  sendCode: sessionProcedure
    .input(SendCodeInput)
    .output(SendCodeAnswer)
    .mutation(({ ctx, input }) => sendCode(ctx, input)),
  sessions: sessionProcedure
    .input(Nothing)
    .output(z.array(SessionView))
    .query(({ ctx }) => listSessions(ctx)),
  setFirstPassword: sessionProcedure
    .input(SetFirstPasswordInput)
    .output(RefreshAnswer)
    .mutation(({ ctx, input }) => setFirstPassword(ctx, input)),
  signIn: publicProcedure
    .input(SignInInput)
    .output(SignInAnswer)
    .mutation(({ ctx, input }) => signIn(ctx, input)),
  signInStaff: publicProcedure
    .input(SignInStaffInput)
    .output(SignInStaffAnswer)
    .mutation(({ ctx, input }) => signInStaff(ctx, input)),
  signOut: publicProcedure
    .input(Nothing)
    .output(SignOutAnswer)
    .mutation(({ ctx }) => signOut(ctx)),
  signOutEverywhere: sessionProcedure
    .input(Nothing)
    .output(SignOutAnswer)
    .mutation(({ ctx }) => signOutEverywhere(ctx)),
  sessionStatus: publicProcedure
    .input(Nothing)
    .output(SessionStatus)
    .query(({ ctx }) => readSessionStatus(ctx)),
  stepUp: sessionProcedure
    .input(StepUpInput)
    .output(StepUpAnswer)
    .mutation(({ ctx, input }) => stepUp(ctx, input)),
  verifyEmail: publicProcedure
    .input(VerifyEmailInput)
    .output(VerifyEmailAnswer)
    .mutation(({ ctx, input }) => verifyEmail(ctx, input)),
})
