// Runs once, when the server starts.
export async function init() {
  const { startWork } = await import('$lib/server/webhooks.js')
  await startWork()
}
