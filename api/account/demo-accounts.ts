/** Accounts of the sample, whose passwords everyone knows. */
export const DEMO_ADMIN = { email: 'admin@example.com', password: 'knit-purl-admin' }
export const DEMO_SHOPPER = { email: 'shopper@example.com', password: 'knit-purl-shopper' }
