/** The secrets and address that an `.env` file holds. */
interface Environment {
  readonly apiUrl: string
  /** Undefined if no complete key is known: part of a key would look like a key. */
  readonly apiKey: string | undefined
  readonly secret: string
}

/** The lines of an `.env` file that connects a shop and its receiver to this sandbox. */
export const envFile = ({ apiUrl, apiKey, secret }: Environment): string =>
  [
    `PAYMENT_BASE_URL=${apiUrl}`,
    ...(apiKey === undefined ? ['# Create a test key under API keys; it is shown once.'] : []),
    `PAYMENT_API_KEY=${apiKey ?? ''}`,
    `WEBHOOK_SECRET=${secret}`,
  ].join('\n')
