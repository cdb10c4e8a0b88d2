import * as z from 'zod/mini'
import {
  ChangeEmailInput,
  ChangePasswordInput,
  CheckCodeAnswer,
  CheckCodeInput,
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
import { SignInStaffAnswer, SignInStaffInput, Standing } from '#contract/auth-staff.ts'
import { publicProcedure, router, sessionProcedure } from '#server/trpc.ts'
import { beginSecondFactor } from './begin-second-factor.ts'
import { changeEmail } from './change-email.ts'
import { changePassword } from './change-password.ts'
import { confirmEmail } from './confirm-email.ts'
import { confirmSecondFactor } from './confirm-second-factor.ts'
import { endSession } from './end-session.ts'
import { enterDemo, listDemoAccounts } from './enter-demo.ts'
import { forgotPassword } from './forgot-password.ts'
import { leaveDemo } from './leave-demo.ts'
import { listSessions } from './list-sessions.ts'
import { readOwn } from './read-me.ts'
import { readStanding } from './read-standing.ts'
import { refresh } from './refresh.ts'
import { registerPatient } from './register-patient.ts'
import { removeSecondFactor } from './remove-second-factor.ts'
import { resendVerification } from './resend-verification.ts'
import { resetPassword } from './reset-password.ts'
import { checkOwnCode, sendCode } from './send-code.ts'
import { setFirstPassword } from './set-first-password.ts'
import { signIn, signInStaff } from './sign-in.ts'
import { signOut, signOutEverywhere } from './sign-out.ts'
import { stepUp } from './step-up.ts'
import { verifyEmail } from './verify-email.ts'

export const authRouter = router({
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
  standing: publicProcedure
    .input(Nothing)
    .output(Standing)
    .query(({ ctx }) => readStanding(ctx)),
  stepUp: sessionProcedure
    .input(StepUpInput)
    .output(StepUpAnswer)
    .mutation(({ ctx, input }) => stepUp(ctx, input)),
  verifyEmail: publicProcedure
    .input(VerifyEmailInput)
    .output(VerifyEmailAnswer)
    .mutation(({ ctx, input }) => verifyEmail(ctx, input)),
})
