import { error, json } from '@sveltejs/kit'
import { env } from '$env/dynamic/private'

export async function GET({ url }) {
  if (env.OBSERVE !== '1') error(404)
  const { database } = await import('$lib/server/webhooks.js')
  const rows = database
    .prepare(`SELECT event, effect, amount, currency, live
      FROM effect WHERE payment_id = ? AND effect <> 'anomaly' ORDER BY rowid`)
    .all(url.searchParams.get('payment_id') ?? '')
  return json({ effects: rows.map(({ live, ...effect }) => ({ ...effect, livemode: live === 1 })) })
}
