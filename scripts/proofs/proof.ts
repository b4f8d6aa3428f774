// Runs a proof by its name: npm run proof -- [name] [options]. Without a name it is that of the catalogue.
const PROOFS: Readonly<Record<string, () => Promise<unknown>>> = {
  catalogue: () => import('./catalogue/catalogue.ts'),
  attack: () => import('./attack/attack.ts'),
  crash: () => import('./crash/crash.ts'),
  durability: () => import('./durability/durability.ts'),
  faults: () => import('./faults/faults.ts'),
  fsync: () => import('./fsync/fsync.ts'),
  fuzz: () => import('./fuzz/fuzz.ts'),
  k6: () => import('./k6/k6.ts'),
  openapi: () => import('./openapi/openapi.ts'),
  powercut: () => import('./powercut/powercut.ts'),
  runtimes: () => import('./runtimes/runtimes.ts'),
  'sandbox-fuzz': () => import('./sandbox-fuzz/fuzz.ts'),
  services: () => import('./services/services.ts'),
  soak: () => import('./soak/soak.ts'),
  timing: () => import('./timing/timing.ts'),
}

// The proof reads the options that are left.
const name = process.argv[2]?.startsWith('-') === false ? process.argv.splice(2, 1)[0] : undefined
const proof = PROOFS[name ?? 'catalogue']
if (proof === undefined) {
  process.stderr.write(`proof: "${name}" must be one of ${Object.keys(PROOFS).join(', ')}\n`)
  process.exitCode = 2
} else await proof()
