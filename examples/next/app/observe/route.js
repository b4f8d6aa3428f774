export async function GET({ nextUrl }) {
  if (process.env.OBSERVE !== '1') return new Response(undefined, { status: 404 })
  const { database } = await import('../../webhooks.js')
  const rows = database
    .prepare(`SELECT event, effect, amount, currency, live
      FROM effect WHERE payment_id = ? AND effect <> 'anomaly' ORDER BY rowid`)
    .all(nextUrl.searchParams.get('payment_id') ?? '')
  return Response.json({
    effects: rows.map(({ live, ...effect }) => ({ ...effect, livemode: live === 1 })),
  })
}
