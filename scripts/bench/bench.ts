// npm run bench -- console measures the dashboard of the sandbox; anything else are the figures of run.ts.
if (process.argv[2] === 'console') {
  process.argv.splice(2, 1)
  await import('./console/console.ts')
} else await import('./run.ts')
