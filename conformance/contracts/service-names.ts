/** The services whose receivers can be graded. A folder beside this file has the contract of each. */
export const SERVICE_NAMES = ['payment-service', 'standard-webhooks', 'stripe', 'github'] as const

/** The name of a service. */
export type ServiceId = (typeof SERVICE_NAMES)[number]
