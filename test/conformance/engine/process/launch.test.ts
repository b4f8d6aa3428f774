import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { watchOutput } from '../../../../conformance/crash/output.ts'
import { launch } from '../../../../conformance/engine/process/launch.ts'
import { freePort } from '../../../support/free-port.ts'
import { onWindows } from '../../../support/prerequisites.ts'
import { temporaryFile } from '../../../support/temporary.ts'
import { until } from '../../../support/until.ts'

test.skipIf(onWindows)('a kill ends the shell and everything that it started', async () => {
  const { launched, output } = await launchedWith({ command: 'sleep 60 & echo "child $!"; wait' })
  await until(() => output.lastLines().length === 1)
  const child = Number(output.lastLines().at(0)?.replace('child ', ''))

  launched.killNow()
  await launched.gone()

  expect(launched.how()).toBe('SIGKILL')
  // A zombie that nobody waits for does not run.
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(child)], { encoding: 'utf8' })
  expect(stdout.replace(/^Z.*/s, '')).toBe('')
})

test.skipIf(onWindows)('a kill also ends what has left the process group, as php-fpm does', async () => {
  const command = `${process.execPath} -e '
    const { pid } = require("node:child_process").spawn("sleep", ["60"], { detached: true })
    console.log("child " + pid)'`
  const { launched, output } = await launchedWith({ command: `${command} & wait; sleep 60` })
  await until(() => output.lastLines().length === 1)
  const child = Number(output.lastLines().at(0)?.replace('child ', ''))
  launched.ready()

  launched.killNow()
  await launched.gone()

  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(child)], { encoding: 'utf8' })
  expect(stdout.replace(/^Z.*/s, '')).toBe('')
})

test.skipIf(onWindows)('a kill command that fails is one error, however long nobody asks', async () => {
  const marker = temporaryFile('failed')
  const { launched } = await launchedWith({
    killCommand: `touch '${marker}'; exit 4`,
    killCommandWithinMs: 60_000,
  })
  launched.killNow()
  await until(() => existsSync(marker))
  await pause(50)
  const why = { code: 'kill_command_failed', status: 4, signal: null }
  await expect(launched.gone()).rejects.toMatchObject({ failure: { code: 'not_killed', why } })
})

test.skipIf(onWindows)(
  'a kill command that does not end is one error, however long nobody asks',
  async () => {
    const { launched } = await launchedWith({ killCommand: 'sleep 60', killCommandWithinMs: 100 })
    launched.killNow()
    await pause(300)
    const why = { code: 'kill_command_late', ms: 100 }
    await expect(launched.gone()).rejects.toMatchObject({ failure: { code: 'not_killed', why } })
  },
)

async function launchedWith(options: Partial<Parameters<typeof launch>[0]>) {
  const output = watchOutput('whsec_of_the_test_of_launch')
  const url = new URL(`http://127.0.0.1:${await freePort()}`)
  const about = { command: 'sleep 60', url, cwd: process.cwd(), env: process.env, output }
  return { launched: launch({ ...about, ...options }), output }
}
