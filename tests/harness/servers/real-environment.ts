import type { TestSandbox } from './sandbox.ts'

/**
 * Environment of a server without demo mode, which skips generating thousands of providers. Its gateway
 * outlives it, as real ones do, and sends no webhooks.
 */
export async function realEnvironment(sandbox: TestSandbox, dataDir: string) {
  const { stripe, paypal } = await sandbox.standIn.access()
  return {
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    DEMO_MODE: 'off',
    SECRET_KEY: 'of this test and nothing else, as long as it has to be',
    PUBLIC_URL: 'https://care.example',
    MAIL_FROM: 'no-reply@care.example',
    SUPPORT_EMAIL: 'support@care.example',
    COMPANY_NAME: 'Care Ltd',
    COMPANY_REGISTRATION: '1',
    COMPANY_ADDRESS: '1 Harper Road, London',
    TRUSTED_PROXIES: 'none',
    STRIPE_API_BASE: sandbox.baseUrl,
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_PUBLISHABLE_KEY: stripe.publishableKey,
    STRIPE_WEBHOOK_SECRET: stripe.webhookSecrets[0] ?? '',
    PAYPAL_API_BASE: sandbox.baseUrl,
    PAYPAL_CLIENT_ID: paypal.clientId,
    PAYPAL_CLIENT_SECRET: paypal.clientSecret,
    PAYPAL_WEBHOOK_ID: paypal.webhookId,
  }
}
