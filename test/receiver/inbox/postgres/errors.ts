import { randomUUID } from 'node:crypto'
import { expect, onTestFinished } from 'vitest'
import { InboxError } from '../../../../receiver/inbox.ts'
import { openStore } from '../../../../server/store/store.ts'
import { asAdmin } from '../databases.ts'

/** The message of opening a store that cannot be opened: checks that it is an InboxError in one line without a password. */
export async function openingError(url: string): Promise<string> {
  const error = await openStore(url, { clock: Date.now, retries: {} }).then(
    async ({ inbox }) => {
      await inbox.close()
      return new Error('it was opened')
    },
    (refused: unknown) => refused as Error,
  )
  expect(error).toBeInstanceOf(InboxError)
  expect(error.message).not.toContain('\n')
  expect(error.message).not.toMatch(/secret|of-the-tests/)
  return error.message
}

/** A new role that may only connect, and the URL of a database as that role. */
export async function asRole(url: string): Promise<{ role: string; url: string }> {
  const role = `role_${randomUUID().replaceAll('-', '').slice(0, 12)}`
  await asAdmin(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`)
  onTestFinished(async () => {
    await asAdmin(`REASSIGN OWNED BY ${role} TO CURRENT_USER`)
    await asAdmin(`DROP ROLE ${role}`)
  })
  return { role, url: Object.assign(new URL(url), { username: role, password: 'secret' }).href }
}
