/**
 * The lines of a `.env` with which a shop and its receiver work with this sandbox.
 * @param apiKey undefined when none is known whole: the line is then left open, since half a key would look like one
 */
export const environment = ({
  apiUrl,
  apiKey,
  secret,
}: {
  apiUrl: string
  apiKey: string | undefined
  secret: string
}): string =>
  [
    `PAYMENT_BASE_URL=${apiUrl}`,
    ...(apiKey === undefined ? ['# Make a test key under Keys: it is shown once.'] : []),
    `PAYMENT_API_KEY=${apiKey ?? ''}`,
    `WEBHOOK_SECRET=${secret}`,
  ].join('\n')
