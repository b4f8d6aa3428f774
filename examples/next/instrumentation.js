// Runs once, when the server starts.
export async function register() {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { startWork } = await import('./webhooks.js')
  await startWork()
}
