import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url))

/** Runs a script with the functions of .ci/steps.sh, as .ci/run does. */
function run(script: string): { status: number | null; stdout: string } {
  const source = `set -euo pipefail\nsource .ci/steps.sh\n${script}\necho 'all done'`
  const { status, stdout } = spawnSync('bash', ['-c', source], { cwd: REPOSITORY, encoding: 'utf8' })
  return { status, stdout }
}

describe('a step of CI', () => {
  it('prints its name, its output and its duration', () => {
    const { status, stdout } = run('step "say hello" echo hello')
    expect(stdout).toMatch(/^\n== say hello\nhello\n== say hello: \d+ s\nall done\n$/)
    expect(status).toBe(0)
  })

  it('ends the run if its program fails, also within a function', () => {
    const { status, stdout } = run(`
      both() { step "a step" bash -c 'echo before; exit 3'; echo after; }
      both`)
    expect(stdout).toBe('\n== a step\nbefore\n')
    expect(status).toBe(3)
  })

  it('is ended with its children, and named, if it does not end', () => {
    const { status, stdout } = run(
      `STEP_LIMIT=0.3\nstep "a step" bash -c 'echo before; sleep 60 | cat; echo after'`,
    )
    expect(stdout).toBe(
      '\n== a step\nbefore\n== a step: ended after 0.3 s, because it did not end by itself\n',
    )
    expect(status).toBe(124)
  })

  it('is named if it was killed, because it ignored the signal that ends it', () => {
    const { status, stdout } = run(
      `STEP_LIMIT=0.1\nlimited=(--kill-after=0.1)\nstep "a step" bash -c 'trap "" TERM; while true; do sleep 60; done'`,
    )
    expect(stdout).toMatch(/^\n== a step\n== a step: killed after \d+ s; its limit is 0\.1 s\n$/)
    expect(status).toBe(137)
  })
})

describe('steps side by side', () => {
  it('print their output in one piece each, in the order in which they end', () => {
    const { status, stdout } = run(`
      slow() { echo slow 1; sleep 0.3; echo slow 2; }
      fast() { echo fast 1; sleep 0.1; echo fast 2; }
      together slow fast`)
    expect(stdout).toBe('fast 1\nfast 2\nslow 1\nslow 2\nall done\n')
    expect(status).toBe(0)
  })

  it('fail the run if one fails, after all have ended and printed everything', () => {
    const { status, stdout } = run(`
      good() { sleep 0.2; echo good; }
      bad() { echo before; echo error >&2; (exit 3); echo after; }
      together bad good`)
    expect(stdout).toBe('before\nerror\n== FAILED with exit code 3: bad\ngood\n')
    expect(status).toBe(1)
  })

  it('fail the run if a later step of one fails', () => {
    const { status, stdout } = run('both() { step first true; step second false; }\ntogether both')
    expect(stdout).toMatch(/== first: \d+ s\n\n== second\n== FAILED with exit code 1: both\n$/)
    expect(status).toBe(1)
  })
})
