// `vite build` runs this file, but has neither the secret nor the database: import what needs them later.
export async function POST({ request }) {
  const { receive } = await import('$lib/server/webhooks.js')
  return receive(request)
}
