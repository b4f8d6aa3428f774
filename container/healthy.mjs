// HEALTHCHECK of the container: exits with 0 if the receiver accepts deliveries.
const { PORT: port = '3000' } = process.env
try {
  const { ok } = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(3000) })
  process.exitCode = ok ? 0 : 1
} catch {
  process.exitCode = 1
}
