/** The lines of a `.env` with which a shop and its receiver work with this sandbox. */
export const environment = ({
  apiUrl,
  apiKey,
  secret,
}: {
  apiUrl: string
  apiKey: string
  secret: string
}): string =>
  [`PAYMENT_BASE_URL=${apiUrl}`, `PAYMENT_API_KEY=${apiKey}`, `WEBHOOK_SECRET=${secret}`].join('\n')
