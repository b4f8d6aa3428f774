// Breaks what a receiver depends on; checks how it answers meanwhile, and that it recovers without help.
// npm run proof -- faults [--quick] [--seed <text>] [--only <fault>] [--write]

import { proveParts } from '../shared/prove.ts'
import { clockJump } from './clock.ts'
import { corruptFile } from './corrupt.ts'
import { diskFull, diskFullAtStop, movedAway, readOnlyAtStart, readOnlyWhileRunning } from './disk.ts'
import { diskFailing } from './failing-disk.ts'
import { postgresAsync, postgresDown } from './postgres.ts'

await proveParts('faults', {
  'disk-full': diskFull,
  'disk-full-stop': diskFullAtStop,
  'disk-failing': diskFailing,
  'read-only-start': readOnlyAtStart,
  'read-only-running': readOnlyWhileRunning,
  'file-moved': movedAway,
  'corrupt-file': corruptFile,
  'clock-jump': clockJump,
  'postgres-down': postgresDown,
  'postgres-async': postgresAsync,
})
