// Removes the builds, so that a renamed file is not shipped under both names.
import { rmSync } from 'node:fs'

for (const folder of ['dist', 'receiver/dist']) rmSync(folder, { recursive: true, force: true })
